/**
 * A control for the corpus: the text anchoring of the Hypothesis client, reimplemented from its documented behaviour.
 * It keeps the old offset if the same text is there. Otherwise it searches for the quote, exactly or with the fewest
 * errors (at most half its length). Of several matches it takes the one whose 32 characters of context and offset fit
 * best. Its only statuses are found and not found, and it has no base version to compare with. Offsets are UTF-16.
 */
export interface ControlMatch {
  readonly start: number;
  readonly end: number;
}

interface Match extends ControlMatch {
  readonly errors: number;
}

const contextLength = 32;

export function controlResponse(before: string, quoted: ControlMatch, after: string): ControlMatch | null {
  const quote = before.slice(quoted.start, quoted.end);
  if (after.slice(quoted.start, quoted.end) === quote) return quoted;
  const matches = search(after, quote, Math.min(256, quote.length / 2));
  const prefix = before.slice(Math.max(0, quoted.start - contextLength), quoted.start);
  const suffix = before.slice(quoted.end, quoted.end + contextLength);
  const scoreOf = (match: Match): number =>
    50 * (1 - match.errors / quote.length) +
    20 * contextScore(after.slice(Math.max(0, match.start - prefix.length), match.start), prefix) +
    20 * contextScore(after.slice(match.end, match.end + suffix.length), suffix) +
    2 * (1 - Math.abs(match.start - quoted.start) / after.length);
  let best: Match | null = null;
  for (const match of matches) if (best === null || scoreOf(match) > scoreOf(best)) best = match;
  return best;
}

function contextScore(text: string, context: string): number {
  if (context === '') return 1;
  const [best] = search(text, context, context.length);
  return best === undefined ? 0 : 1 - best.errors / context.length;
}

/** Returns all exact matches, or all with the fewest errors. */
function search(text: string, pattern: string, errorsMax: number): readonly Match[] {
  const exact: Match[] = [];
  for (let at = text.indexOf(pattern); at !== -1; at = text.indexOf(pattern, at + 1)) {
    exact.push({ start: at, end: at + pattern.length, errors: 0 });
  }
  if (exact.length > 0) return exact;
  return fewestErrorEnds(text, pattern, errorsMax).map(({ end, errors }) => {
    const from = Math.max(0, end - pattern.length - errors);
    const reversed = [...text.slice(from, end).split('')].reverse().join('');
    const starts = fewestErrorEnds(reversed, pattern.split('').reverse().join(''), errors);
    return { start: Math.min(end, ...starts.map((start) => end - start.end)), end, errors };
  });
}

/** Returns the ends of the matches with the fewest errors (Sellers, with substitutions). */
function fewestErrorEnds(
  text: string,
  pattern: string,
  errorsMax: number,
): readonly { readonly end: number; readonly errors: number }[] {
  let column = Array.from({ length: pattern.length + 1 }, (_, i) => i);
  let fewest = errorsMax;
  let ends: { end: number; errors: number }[] = [];
  for (let end = 1; end <= text.length; end += 1) {
    const next = [0];
    for (let i = 1; i <= pattern.length; i += 1) {
      const same = pattern[i - 1] === text[end - 1] ? 0 : 1;
      next[i] = Math.min((column[i - 1] ?? 0) + same, (column[i] ?? 0) + 1, (next[i - 1] ?? 0) + 1);
    }
    column = next;
    const errors = column[pattern.length] ?? 0;
    if (errors > fewest) continue;
    if (errors < fewest) ends = [];
    fewest = errors;
    ends.push({ end, errors });
  }
  return ends;
}
