/** A part of a word that a literal text contains. */
export interface LiteralToken {
  readonly text: string;
  /** Whether a word begins, or ends, there. Otherwise the word may continue. */
  readonly isStart: boolean;
  readonly isEnd: boolean;
}

const tokensMax = 16;
const asciiRuns = /[a-z0-9]+/gi;
const wordCharacter = /[\p{L}\p{N}\p{M}_]/u;

/**
 * Returns parts of words that every text with the literal text has. Only ASCII letters and digits: folding leaves them in
 * place, whatever is next to them.
 */
export function literalTokens(literal: string): readonly LiteralToken[] {
  return [...literal.matchAll(asciiRuns)].slice(0, tokensMax).map(({ 0: run, index }) => ({
    text: run.toLowerCase(),
    isStart: isBoundary(lastCharacterOf(literal.slice(0, index))),
    isEnd: isBoundary(String.fromCodePoint(literal.codePointAt(index + run.length) ?? 0x5f)),
  }));
}

function lastCharacterOf(text: string): string {
  return [...text.slice(-2)].at(-1) ?? '_';
}

/** The start and the end of the literal text are not boundaries. */
function isBoundary(character: string): boolean {
  return !wordCharacter.test(character);
}
