import { headAfterRestore } from '@stoa/core';
import { defineScript } from '../ports/script.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { workspaceIds } from './check-installation.ts';

type Deps = Pick<ServiceDeps, 'store'>;

/** What a repair may change by itself: it follows from other rows. */
export interface Mended {
  readonly counters: number;
  readonly rows: number;
}

export const mendScript = defineScript<{ readonly workspaceId: string }, Mended>(
  'checks.mend',
  async (tx, { workspaceId }) => {
    // No change may come between counting and writing the sum down.
    await tx.write.lockWorkspace(workspaceId);
    return {
      counters: await tx.write.recount(workspaceId),
      rows: await tx.write.forgetUnfounded(workspaceId),
    };
  },
);

/** Counts the usage of every workspace anew, and forgets what is remembered of nothing; beside a running service. */
export async function mendDerived({ store }: Deps): Promise<Mended> {
  let counters = 0;
  let rows = 0;
  for await (const workspaceId of workspaceIds(store)) {
    const mended = await store.transact(mendScript, { workspaceId });
    counters += mended.counters;
    rows += mended.rows;
  }
  return { counters, rows };
}

export const jumpFeedScript = defineScript<{ readonly workspaceId: string; readonly now: number }, void>(
  'checks.jump-feed',
  async (tx, { workspaceId, now }) => {
    const workspace = await tx.write.lockWorkspace(workspaceId);
    if (workspace === null) return;
    const { seq } = workspace;
    await tx.write.takeSeqs(workspaceId, headAfterRestore(seq, now) - seq, {});
  },
);

/**
 * After a database was put back to an earlier time: the feed of each workspace goes on further up than it ever was, so that
 * no number means two changes (invariant I8). Asked twice, it jumps twice, which does no harm.
 * @returns how many workspaces.
 */
export async function jumpFeeds({ store, clock }: Pick<ServiceDeps, 'store' | 'clock'>): Promise<number> {
  let jumped = 0;
  for await (const workspaceId of workspaceIds(store)) {
    await store.transact(jumpFeedScript, { workspaceId, now: clock() });
    jumped += 1;
  }
  return jumped;
}
