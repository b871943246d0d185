// docs/decisions/0086-signs-are-letters-to-the-index.md

/** What stands between words in ASCII, the space and the ends of lines among it. */
const signs = ' \t\n\r!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
/** Of the Thaana script: its letters are two bytes long, have no case, and stand one after the other. */
const firstLetter = 0x780;
const anySign = new RegExp(`[${signs.replace(/[\\\]^-]/g, '\\$&')}]`, 'g');
const letterOf = new Map([...signs].map((sign, at) => [sign, String.fromCodePoint(firstLetter + at)]));

/**
 * A folded text without signs of ASCII: `pg_trgm` has pieces of words alone, and so it has a piece of every three characters.
 * Whatever one text holds, it holds in this form too; a text in the script itself may seem to hold a sign, and is told apart by
 * its bytes. Nothing in it means anything to `like`.
 */
export function signsAsLetters(folded: string): string {
  return folded.replace(anySign, (sign) => letterOf.get(sign) ?? sign);
}
