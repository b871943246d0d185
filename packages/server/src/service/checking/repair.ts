import { headAfterRestore } from '@stoa/core';
import { defineScript } from '../ports/script.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { workspaceIds } from './check-installation.ts';

type Deps = Pick<ServiceDeps, 'store'>;

/** Counts of an automatic repair, which changes only values that follow from other rows. */
export interface Repaired {
  readonly counters: number;
  readonly rows: number;
}

export const repairScript = defineScript<{ readonly workspaceId: string }, Repaired>(
  'checks.mend',
  async (tx, { workspaceId }) => {
    // The lock keeps changes out between counting and storing the sum.
    await tx.write.lockWorkspace(workspaceId);
    return {
      counters: await tx.write.recount(workspaceId),
      rows: await tx.write.forgetUnfounded(workspaceId),
    };
  },
);

/** Recounts the usage of every workspace, and removes rows that refer to nothing. It may run next to a service. */
export async function repairDerived({ store }: Deps): Promise<Repaired> {
  let counters = 0;
  let rows = 0;
  for await (const workspaceId of workspaceIds(store)) {
    const repaired = await store.transact(repairScript, { workspaceId });
    counters += repaired.counters;
    rows += repaired.rows;
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
 * Advances the feed of every workspace beyond any earlier head, after a restore of an earlier database state, so that
 * no seq names two changes (invariant I8). Running it twice advances twice and is harmless.
 * @returns the number of workspaces.
 */
export async function jumpFeeds({ store, clock }: Pick<ServiceDeps, 'store' | 'clock'>): Promise<number> {
  let jumped = 0;
  for await (const workspaceId of workspaceIds(store)) {
    await store.transact(jumpFeedScript, { workspaceId, now: clock() });
    jumped += 1;
  }
  return jumped;
}
