/** Nothing in it is ignored, composed, or more than a letter in the other case. */
const ascii = /^\p{ASCII}*$/u;

/**
 * One name for all spellings that some file system takes for the same file: without characters that are ignored, in one
 * case and one compatible form, without dots and spaces at its end, and without a stream behind a colon. Only ever
 * compared with another folded name.
 */
export function foldedName(segment: string): string {
  const folded = ascii.test(segment) ? segment.toLowerCase() : foldedBeyondAscii(segment);
  const colon = folded.indexOf(':');
  return (colon === -1 ? folded : folded.slice(0, colon)).replace(/[. ]+$/u, '');
}

function foldedBeyondAscii(segment: string): string {
  const plain = withoutIgnorable(segment).normalize('NFKC');
  return withoutIgnorable(foldedCase(plain).normalize('NFKC'));
}

/** Full case folding, as near as the language has it: `ß` and `SS`, `σ` and `ς` come out alike. */
export function foldedCase(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase();
}

/** Without what is not shown and what HFS+ passes over: joiners, direction marks, variation selectors. */
export function withoutIgnorable(text: string): string {
  return text.replace(/\p{Default_Ignorable_Code_Point}/gu, '');
}
