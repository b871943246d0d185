import type { ReadingNode } from '@stoa/markdown/tree';
import type { TextRange } from '../text/sought-line.ts';

// Without imports of values: it is loaded on demand, and they would become files of their own.

/** The units of a block's rendered text that show a range of the source; null if none do. */
export function shownUnits(block: ReadingNode, { start: from, end: to }: TextRange): TextRange | null {
  let first: number | null = null;
  let last = 0;
  let at = 0;
  const visit = (node: ReadingNode): void => {
    if ('name' in node) {
      for (const child of node.children) visit(child);
      return;
    }
    let before = at;
    at += node.text.length;
    for (let chunk = 0; chunk < node.ranges.length; chunk += 3) {
      const [units = 0, start = 0, end = 0] = node.ranges.slice(chunk, chunk + 3);
      if (from < end && to > start) {
        const isVerbatim = end - start === units;
        first ??= isVerbatim ? before + Math.max(0, from - start) : before;
        last = isVerbatim ? before + Math.min(units, to - start) : before + units;
      }
      before += units;
    }
  };
  visit(block);
  return first === null ? null : { start: first, end: last };
}
