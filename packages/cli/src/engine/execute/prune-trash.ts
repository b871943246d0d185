// docs/sync.md
import { trashBytesDefault, trashDaysDefault, trashNeverYoungerThanMs } from '@stoa/core';
import type { Engine } from '../engine.ts';
import type { StateChange } from '../ports/state-store.ts';

const dayMs = 24 * 3600_000;
/** Rows that are looked at in one pass. */
const rowsMax = 100_000;

/**
 * Drops from the trash what is older than it is kept for and, the oldest first, what is more than it holds. What is
 * younger than a day stays in any case. By the machine's clock, which may jump: one that goes back only keeps more.
 */
export async function pruneTrash({ folder, memory, pace, settings, store }: Engine): Promise<void> {
  const now = pace.wallNow();
  const oldest = now - (settings.trashDays ?? trashDaysDefault) * dayMs;
  const bytesMax = settings.trashBytesMax ?? trashBytesDefault;
  const changes: StateChange[] = [];
  let bytes = 0;
  // Newest first.
  for (const { id, at, sizeBytes, file } of await store.listTrash(rowsMax)) {
    bytes += sizeBytes;
    const isYoung = now - at < trashNeverYoungerThanMs;
    if (isYoung || (at >= oldest && bytes <= bytesMax)) continue;
    await folder.dropTrashed(file);
    changes.push({ table: 'trash', id, row: null });
  }
  if (changes.length > 0) await memory.commit(changes, 'grouped');
}
