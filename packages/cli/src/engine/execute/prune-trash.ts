// docs/sync.md
import { trashBytesDefault, trashDaysDefault } from '@stoa/core';
import type { Engine } from '../engine.ts';
import type { StateChange } from '../ports/state-store.ts';
import { ageInTrash, findGaps } from '../trash-age.ts';

const dayMs = 24 * 3600_000;
/** Limit of rows checked in one pass. */
const rowsMax = 100_000;

/**
 * Removes files from the trash that are too old and then, oldest first, those beyond the size limit. Files younger than
 * a day always stay. The machine's clock may jump, but no jump makes a file older than a day.
 */
export async function pruneTrash({ folder, memory, pace, settings, store }: Engine): Promise<void> {
  const now = pace.wallNow();
  const { clockGaps, lastCommitAt } = memory.state.meta;
  const rows = await store.listTrash(rowsMax);
  const gaps = findGaps(clockGaps, lastCommitAt, rows, now);
  // Committed before `lastCommitAt`, because the next pass looks for gaps after that time.
  const isAsKnown = gaps.length === clockGaps.length && gaps.at(-1)?.to === clockGaps.at(-1)?.to;
  if (!isAsKnown) await memory.commit([{ table: 'meta', values: { clockGaps: gaps } }], 'grouped');
  const keptMs = (settings.trashDays ?? trashDaysDefault) * dayMs;
  const bytesMax = settings.trashBytesMax ?? trashBytesDefault;
  const changes: StateChange[] = [];
  let bytes = 0;
  // Newest first.
  for (const { id, at, sizeBytes, file } of rows) {
    bytes += sizeBytes;
    const { ageMs, isYoung } = ageInTrash(at, gaps, now);
    if (isYoung || (ageMs <= keptMs && bytes <= bytesMax)) continue;
    await folder.dropTrashed(file);
    changes.push({ table: 'trash', id, row: null });
  }
  if (changes.length > 0) await memory.commit(changes, 'grouped');
}
