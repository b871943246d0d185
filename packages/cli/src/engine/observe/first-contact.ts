// docs/sync.md

import { listedCopies } from '../conflict-rows.ts';
import type { Engine } from '../engine.ts';
import type { StateChange } from '../ports/state-store.ts';
import { withRetryBudget } from '../with-retry-budget.ts';
import { remoteFileOf } from './read-feed.ts';

/**
 * Joins both sides with an empty base, so that nothing is deleted on either side. For a new link and for a lost or
 * doubtful state. Reads the head of the feed before the list, or changes between the two would be lost.
 */
export async function beginFirstContact(engine: Engine): Promise<void> {
  const { remote, memory, pace, signal } = engine;
  const { head } = await withRetryBudget(engine, () =>
    remote.readChanges({ cursor: 0, limit: 0, waitSeconds: null }, signal),
  );
  const { files } = await withRetryBudget(engine, () => remote.list('', signal));
  const changes: StateChange[] = [{ table: 'all', kind: 'clear' }];
  for (const file of files) changes.push({ table: 'remote', path: file.path, row: remoteFileOf(file) });
  const paths = files.map(({ path }) => path);
  changes.push(...listedCopies(new Map(memory.state.conflicts), paths));
  const now = pace.wallNow();
  const values = {
    cursor: head,
    lastRecord: null,
    phase: 'first_contact',
    lastAuditAt: now,
    lastContactAt: now,
  } as const;
  await memory.commit([...changes, { table: 'meta', values }], 'durable');
}
