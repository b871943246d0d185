import { changedRanges } from '@stoa/core';

const contextLines = 3;

interface Change {
  readonly from: number;
  readonly to: number;
  readonly newFrom: number;
  readonly newTo: number;
}

/** The differing lines of two texts with context, as in `diff -u`. */
export function unifiedDiff(before: string, after: string): readonly string[] {
  const older = linesOf(before);
  const newer = linesOf(after);
  const lineAt = (text: string, unit: number) => (text.slice(0, unit).match(/\n/g) ?? []).length;
  const changes = changedRanges(before, after).map(
    (range): Change => ({
      from: lineAt(before, range.older.start),
      to: lineEnd(before, range.older.end),
      newFrom: lineAt(after, range.newer.start),
      newTo: lineEnd(after, range.newer.end),
    }),
  );
  const lines: string[] = [];
  for (let at = 0; at < changes.length; ) {
    const hunk = [changes[at] as Change];
    for (at += 1; at < changes.length; at += 1) {
      const next = changes[at] as Change;
      if (next.from - (hunk.at(-1) as Change).to > contextLines * 2) break;
      hunk.push(next);
    }
    const first = hunk[0] as Change;
    const last = hunk.at(-1) as Change;
    const from = Math.max(0, first.from - contextLines);
    const to = Math.min(older.length, last.to + contextLines);
    const newFrom = first.newFrom - (first.from - from);
    const newTo = last.newTo + (to - last.to);
    lines.push(`@@ -${from + 1},${to - from} +${newFrom + 1},${newTo - newFrom} @@`);
    let shown = from;
    for (const change of hunk) {
      lines.push(...older.slice(shown, change.from).map((line) => ` ${line}`));
      lines.push(...older.slice(change.from, change.to).map((line) => `-${line}`));
      lines.push(...newer.slice(change.newFrom, change.newTo).map((line) => `+${line}`));
      shown = change.to;
    }
    lines.push(...older.slice(shown, to).map((line) => ` ${line}`));
  }
  return lines;
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  // A final line break starts no new line.
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/**
 * The number of the line that begins at a position. At the end of a text without a final line break, the number of the
 * next line.
 */
function lineEnd(text: string, unit: number): number {
  const breaks = (text.slice(0, unit).match(/\n/g) ?? []).length;
  return unit === text.length && unit > 0 && !text.endsWith('\n') ? breaks + 1 : breaks;
}
