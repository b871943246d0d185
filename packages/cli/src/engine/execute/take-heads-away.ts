// docs/sync.md
import { findRepositoryParts, type SyncTrees } from '@stoa/core';
import type { Engine } from '../engine.ts';
import { undoChange } from '../holds.ts';
import type { PassTally } from './pass-tally.ts';

/**
 * Removes every synced `HEAD` that would make its folder a git repository. The other files of that folder are planned
 * afterwards.
 * @returns whether anything was done; then the folder must be read again
 */
export async function takeHeadsAway(engine: Engine, trees: SyncTrees, tally: PassTally): Promise<boolean> {
  const { syncedHeads } = findRepositoryParts(trees);
  for (const path of syncedHeads) {
    const row = engine.memory.state.base.get(path);
    if (row !== undefined) await undoChange(engine, path, row, tally, 'replaced');
  }
  return syncedHeads.length > 0;
}
