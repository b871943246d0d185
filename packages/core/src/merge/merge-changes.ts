import type { Change } from './diff-sequences.ts';
import type { TextRange } from './text-edit.ts';

/** A part that at least one side changed, as ranges of elements of all three texts. */
export interface ChangedPart {
  readonly base: TextRange;
  readonly mine: TextRange;
  readonly theirs: TextRange;
  readonly mineChanged: boolean;
  readonly theirsChanged: boolean;
}

/**
 * Returns the changes of both sides in order. Changes that touch are one part. For others `isSeparated` decides whether
 * the unchanged elements of the base between them keep them apart.
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

class ChangeReader {
  readonly #changes: readonly Change[];
  taken = 0;
  /** The offset from the base to this side, after all changes taken and before the next. */
  shift = 0;

  constructor(changes: readonly Change[]) {
    this.#changes = changes;
  }

  /** Start of the next change in the base; infinity after the last. */
  get nextStart(): number {
    return this.#changes[this.taken]?.baseStart ?? Infinity;
  }

  /** @returns the end of the taken change in the base */
  take(): number {
    const change = this.#changes[this.taken];
    if (change === undefined) return 0;
    this.taken += 1;
    this.shift = change.sideEnd - change.baseEnd;
    return change.baseEnd;
  }
}
