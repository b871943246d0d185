// The trash can hold the only copy of a text, and clocks jump. A gap between two passes counts as one day at most.
import { trashGapMsMax, trashGapsMax, trashNeverYoungerThanMs } from '@stoa/core';
import type { ClockGap, TrashRow } from './ports/state-rows.ts';

/** The age of one file in the trash. */
export interface TrashAge {
  readonly ageMs: number;
  /** Too young to be removed for space, even if the longest gap since then was a clock jump. */
  readonly isYoung: boolean;
}

/**
 * Returns the clock gaps during the life of some row in the trash, including those since the last check.
 * @param seenAt time of the last check; null: never
 */
export function findGaps(
  known: readonly ClockGap[],
  seenAt: number | null,
  rows: readonly Pick<TrashRow, 'at'>[],
  now: number,
): readonly ClockGap[] {
  if (rows.length === 0) return [];
  const since = seenAt ?? Number.NEGATIVE_INFINITY;
  // The clock also showed the times of rows added since the last check, perhaps before it jumped.
  const seen = rows.flatMap(({ at }) => (at > since && at < now ? [at] : []));
  const times = [...(seenAt === null ? [] : [seenAt]), ...seen.sort((a, b) => a - b), now];
  const found = [...known];
  for (const [index, to] of times.entries()) {
    const from = times[index - 1];
    if (from !== undefined && to - from > trashGapMsMax) found.push({ from, to });
  }
  const oldest = rows.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY);
  return found.filter(({ from }) => from >= oldest).slice(-trashGapsMax);
}

/** @param gaps from `findGaps` */
export function ageInTrash(at: number, gaps: readonly ClockGap[], now: number): TrashAge {
  // If the clock was set back after a jump, it now shows a time before the end of the jump.
  const lived = gaps.filter(({ from, to }) => at <= from && to <= now).sort((a, b) => a.from - b.from);
  let unseenMs = 0;
  let end = Number.NEGATIVE_INFINITY;
  for (const { from, to } of lived) {
    unseenMs += Math.max(0, to - Math.max(from + trashGapMsMax, end));
    end = Math.max(end, to);
  }
  const ageMs = now - at - unseenMs;
  const sureMs = lived.length === 0 ? ageMs : ageMs - trashGapMsMax;
  return { ageMs, isYoung: sureMs < trashNeverYoungerThanMs };
}
