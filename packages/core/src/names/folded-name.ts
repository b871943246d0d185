/** Such a name needs no Unicode folding, only lower case. */
const ascii = /^\p{ASCII}*$/u;

/**
 * Returns one name for all names that some file system treats as the same file. Removes ignorable characters, dots and
 * spaces at the end, and a stream after a colon; folds case and compatible forms. Compare the result only with another
 * folded name.
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

/** Full case folding, as close as the language allows: `ß` and `SS`, `σ` and `ς` give the same result. */
export function foldedCase(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase();
}

/** Removes invisible characters that HFS+ ignores: joiners, direction marks, variation selectors. */
export function withoutIgnorable(text: string): string {
  return text.replace(/\p{Default_Ignorable_Code_Point}/gu, '');
}
