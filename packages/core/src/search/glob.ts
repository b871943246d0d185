import { invalidRequest } from '../errors.ts';
import { PatternSet, type PatternStep } from '../patterns/pattern-set.ts';

/** `*` matches any characters within a segment, `**` any characters, `?` one character within a segment. */
export interface Glob {
  /** Whether it matches whole paths, or only names. */
  readonly isOfPaths: boolean;
  /** The cost of each character of a path, in 32-bit words. */
  readonly words: number;
  /** Ignores case. The time is the text's length times `words`. */
  matches(text: string): boolean;
  /**
   * Calls `visit` with the length of each matching folder path and of the path itself if it matches, in the time of one
   * match.
   */
  visitMatches(path: string, visit: (end: number) => void): void;
}

export const globMaxCharacters = 200;
/** Two stars together count as one. */
export const globMaxStars = 20;

export function isGlob(text: string): boolean {
  return /[*?]/.test(text);
}

/** @throws WorkspaceError `invalid_request` for a pattern beyond the limits. */
export function parseGlob(pattern: string): Glob {
  return globOf(
    pattern,
    [...within('query', pattern).matchAll(/\*+|[\s\S]/gu)].map(([part]) => stepOf(part)),
  );
}

/**
 * Like `parseGlob`, with brackets for a set of characters: `[ab]`, `[0-9]`, `[!a]`.
 * @throws WorkspaceError `invalid_request` for an unclosed, unopened or empty bracket, and beyond the limits.
 */
export function parsePathGlob(pattern: string): Glob {
  const steps: PatternStep[] = [];
  for (const [part, inside] of within('path', pattern).matchAll(/\[([!^]?\]?[^\]/]*)\]|\*+|[\s\S]/gu)) {
    if (inside !== undefined && /[^!^]/.test(inside)) steps.push({ kind: 'of', has: classOf(inside) });
    else if (inside !== undefined || part === '[' || part === ']') {
      throw invalidRequest(
        `path: "${pattern}" has a bracket without its counterpart: write [[] or []] for a bracket itself`,
      );
    } else steps.push(stepOf(part));
  }
  return globOf(pattern, steps);
}

/**
 * Checks the limits.
 * @param argument the caller's name for the pattern
 * @returns the pattern in lower case
 */
function within(argument: string, pattern: string): string {
  const stars = pattern.match(/\*+/g)?.length ?? 0;
  const isLong = pattern.length > 2 * globMaxCharacters || [...pattern].length > globMaxCharacters;
  if (isLong) throw invalidRequest(`${argument}: a glob has at most ${globMaxCharacters} characters`);
  if (stars > globMaxStars)
    throw invalidRequest(`${argument}: a glob has at most ${globMaxStars} stars, this one has ${stars}`);
  return pattern.toLowerCase();
}

function stepOf(part: string): PatternStep {
  if (part === '?') return { kind: 'one' };
  if (part.startsWith('*')) return { kind: 'many', crossesSlash: part.length > 1 };
  return { kind: 'symbol', symbol: part.codePointAt(0) ?? 0 };
}

function classOf(inside: string): (symbol: number) => boolean {
  const isExcept = /^[!^]/.test(inside);
  const ranges = [...inside.slice(isExcept ? 1 : 0).matchAll(/([\s\S])-([\s\S])|[\s\S]/gu)].map(
    ([single, first = single, last = single]) => ({
      first: first.codePointAt(0) ?? 0,
      last: last.codePointAt(0) ?? 0,
    }),
  );
  return (symbol) => ranges.some(({ first, last }) => first <= symbol && symbol <= last) !== isExcept;
}

function globOf(pattern: string, steps: readonly PatternStep[]): Glob {
  const isOfPaths = pattern.includes('/');
  const set = new PatternSet([{ steps, isOfNames: !isOfPaths }]);
  const isMatched = () => set.lastMatched(() => true) !== -1;
  const visitMatches: Glob['visitMatches'] = (path, visit) => {
    // Lower case may be longer than the original, so the ends are those of the original path.
    let end = -1;
    set.read(path.toLowerCase(), () => {
      end = path.indexOf('/', end + 1);
      if (end === -1) end = path.length;
      if (isMatched()) visit(end);
      return false;
    });
  };
  return {
    isOfPaths,
    words: set.words,
    visitMatches,
    matches(text) {
      let isFound = false;
      // A name has no slash, so it has only one end.
      visitMatches(text, (end) => {
        isFound = end === text.length && (isOfPaths || !text.includes('/'));
      });
      return isFound;
    },
  };
}
