// docs/decisions/0026-content-index.md

/** The ASCII characters between words, including the space and line ends. */
const signs = ' \t\n\r!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
/** Of the Thaana script: its letters have two bytes and no case, and are consecutive. */
const firstLetter = 0x780;
const anySign = new RegExp(`[${signs.replace(/[\\\]^-]/g, '\\$&')}]`, 'g');
const letterOf = new Map([...signs].map((sign, at) => [sign, String.fromCodePoint(firstLetter + at)]));

/**
 * Maps ASCII punctuation to letters so that `pg_trgm`, which only indexes words, has an n-gram for every three
 * characters. A text that contains another one also contains it in this form. A text in the Thaana script may seem to
 * contain punctuation; verifying the bytes rules that out. The result has no special characters of `like`.
 */
export function signsAsLetters(folded: string): string {
  return folded.replace(anySign, (sign) => letterOf.get(sign) ?? sign);
}
