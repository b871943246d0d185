/** Worth of a match at the first character of a segment, of a word and of a hump, and elsewhere. */
export const startWorth = { segment: 10, word: 8, hump: 7, inside: 0 } as const;

const kind = { separator: 0, lower: 1, upper: 2, digit: 3 } as const;
type Kind = (typeof kind)[keyof typeof kind];

/** Returns the `startWorth` of the character at a position of a path. */
export function startWorthAt(path: string, at: number): number {
  if (at === 0 || path[at - 1] === '/') return startWorth.segment;
  const here = kindAt(path, at);
  if (here === kind.separator) return startWorth.inside;
  const before = kindAt(path, at - 1);
  if (before === kind.separator) return startWorth.word;
  if (here === kind.digit || before === kind.digit)
    return here === before ? startWorth.inside : startWorth.hump;
  if (here !== kind.upper) return startWorth.inside;
  const after = at + ((path.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
  return before === kind.lower || kindAt(path, after) === kind.lower ? startWorth.hump : startWorth.inside;
}

/** Of the character that has this unit. Outside the path, a separator. */
function kindAt(path: string, at: number): Kind {
  const code = path.codePointAt(at) ?? 0;
  if (code < 0x80) return (asciiKinds[code] ?? kind.separator) as Kind;
  const isSecond = code >= 0xdc00 && code <= 0xdfff;
  return kindOf(String.fromCodePoint(isSecond ? (path.codePointAt(at - 1) ?? 0) : code));
}

function kindOf(character: string): Kind {
  if (character.toLowerCase() !== character) return kind.upper;
  if (/\p{N}/u.test(character)) return kind.digit;
  return /[\p{L}\p{M}]/u.test(character) ? kind.lower : kind.separator;
}

const asciiKinds = Uint8Array.from({ length: 0x80 }, (_, code) => kindOf(String.fromCharCode(code)));
