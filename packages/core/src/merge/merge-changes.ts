import type { Change } from './diff-sequences.ts';
import type { TextRange } from './text-edit.ts';

/** A stretch that at least one side changed, on all three sides, in elements. */
export interface ChangedPart {
  readonly base: TextRange;
  readonly mine: TextRange;
  readonly theirs: TextRange;
  readonly mineChanged: boolean;
  readonly theirsChanged: boolean;
}

/**
 * The changes of both sides in order. Changes that touch are one part; of others `isSeparated` says whether the elements
 * of the base between them, which neither side changed, are enough to keep them apart.
 */
export function mergeChanges(
  mine: readonly Change[],
  theirs: readonly Change[],
  isSeparated: (from: number, to: number) => boolean,
): readonly ChangedPart[] {
  const parts: ChangedPart[] = [];
  const [mineSide, theirsSide] = [new ChangeReader(mine), new ChangeReader(theirs)];
  for (;;) {
    const start = Math.min(mineSide.nextStart, theirsSide.nextStart);
    if (start === Infinity) return parts;
    const [mineStart, theirsStart] = [start + mineSide.shift, start + theirsSide.shift];
    const [mineTaken, theirsTaken] = [mineSide.taken, theirsSide.taken];
    let end = start;
    for (let isFirst = true; ; isFirst = false) {
      const side = mineSide.nextStart <= theirsSide.nextStart ? mineSide : theirsSide;
      if (
        side.nextStart === Infinity ||
        (!isFirst && side.nextStart > end && isSeparated(end, side.nextStart))
      )
        break;
      end = Math.max(end, side.take());
    }
    parts.push({
      base: { start, end },
      mine: { start: mineStart, end: end + mineSide.shift },
      theirs: { start: theirsStart, end: end + theirsSide.shift },
      mineChanged: mineSide.taken > mineTaken,
      theirsChanged: theirsSide.taken > theirsTaken,
    });
  }
}

/** Reads the changes of one side in order. */
class ChangeReader {
  readonly #changes: readonly Change[];
  taken = 0;
  /** What to add to a place of the base after all changes taken, and before the next, to have it on this side. */
  shift = 0;

  constructor(changes: readonly Change[]) {
    this.#changes = changes;
  }

  /** Where the next change begins in the base; infinity when there is none. */
  get nextStart(): number {
    return this.#changes[this.taken]?.baseStart ?? Infinity;
  }

  /** @returns where the change taken ends in the base. */
  take(): number {
    const change = this.#changes[this.taken];
    if (change === undefined) return 0;
    this.taken += 1;
    this.shift = change.sideEnd - change.baseEnd;
    return change.baseEnd;
  }
}
