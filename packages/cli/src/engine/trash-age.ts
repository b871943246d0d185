// docs/decisions/0095-the-trash-counts-the-days-it-saw.md
import { trashGapMsMax, trashGapsMax, trashNeverYoungerThanMs } from '@stoa/core';
import type { ClockGap, TrashRow } from './ports/state-rows.ts';

/** What is to know of the time that one file of the trash has lain there. */
export interface TrashAge {
  readonly ageMs: number;
  /** Too young to make room for others, also if the longest gap since was a jump. */
  readonly isYoung: boolean;
}

/**
 * The gaps that some row in the trash has lived through, with those since the clock was last looked at.
 *
 * @param seenAt when it was last looked at; null: never.
 */
export function findGaps(
  known: readonly ClockGap[],
  seenAt: number | null,
  rows: readonly Pick<TrashRow, 'at'>[],
  now: number,
): readonly ClockGap[] {
  if (rows.length === 0) return [];
  const since = seenAt ?? Number.NEGATIVE_INFINITY;
  // What went to the trash in this pass, perhaps before the clock jumped, was seen, too.
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

/** @param gaps as `findGaps` has them. */
export function ageInTrash(at: number, gaps: readonly ClockGap[], now: number): TrashAge {
  // A clock that was put back since stands before the end of its jump.
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
