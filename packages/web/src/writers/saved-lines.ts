/** Most lines follow the previous match within this distance. For the others, all lines are indexed once. */
const nearMax = 32;

/**
 * Maps each line of `shown` to its line in `saved`, from 0, or to -1. `shown` differs from `saved` only by local edits,
 * so unedited lines appear in `saved` in the same order. One pass suffices, however far apart the changes are. An
 * edited line that equals a saved one again counts as that line.
 */
export function savedLinesOf(
  saved: readonly string[],
  shown: readonly string[],
  isTyped: (line: number) => boolean,
): readonly number[] {
  const most = Math.min(saved.length, shown.length);
  let start = 0;
  while (start < most && saved[start] === shown[start]) start += 1;
  let end = 0;
  while (end < most - start && saved.at(-1 - end) === shown.at(-1 - end)) end += 1;

  const [savedEnd, shownEnd] = [saved.length - end, shown.length - end];
  const lines = shown.map((_, line) => {
    if (line < start) return line;
    return line < shownEnd ? -1 : line + saved.length - shown.length;
  });
  let matches: ReadonlyMap<string, readonly number[]> | null = null;
  let next = start;
  for (let line = start; line < shownEnd; line += 1) {
    if (isTyped(line)) continue;
    const text = shown[line] ?? '';
    let found = saved.slice(next, Math.min(next + nearMax, savedEnd)).indexOf(text);
    if (found !== -1) found += next;
    else {
      matches ??= matchesOf(saved, start, savedEnd);
      found = firstFrom(matches.get(text) ?? [], next);
    }
    if (found === -1) continue;
    lines[line] = found;
    next = found + 1;
  }
  takeTyped(saved, shown, lines, { start, shownEnd, savedEnd });
  return lines;
}

/** Matches edited lines with equal unmatched lines between the others. */
function takeTyped(
  saved: readonly string[],
  shown: readonly string[],
  lines: number[],
  {
    start,
    shownEnd,
    savedEnd,
  }: { readonly start: number; readonly shownEnd: number; readonly savedEnd: number },
): void {
  let before = savedEnd;
  const room = new Map<number, number>();
  for (let line = shownEnd - 1; line >= start; line -= 1) {
    room.set(line, before);
    const match = lines[line] ?? -1;
    if (match !== -1) before = match;
  }
  let next = start;
  for (let line = start; line < shownEnd; line += 1) {
    const match = lines[line] ?? -1;
    if (match !== -1) next = match + 1;
    else if (next < (room.get(line) ?? 0) && saved[next] === shown[line]) {
      lines[line] = next;
      next += 1;
    }
  }
}

function matchesOf(
  lines: readonly string[],
  from: number,
  to: number,
): ReadonlyMap<string, readonly number[]> {
  const matches = new Map<string, number[]>();
  for (let match = from; match < to; match += 1) {
    const text = lines[match] ?? '';
    const known = matches.get(text);
    if (known === undefined) matches.set(text, [match]);
    else known.push(match);
  }
  return matches;
}

/** @param places in ascending order */
function firstFrom(matches: readonly number[], least: number): number {
  let [low, high] = [0, matches.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((matches[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return matches[low] ?? -1;
}
