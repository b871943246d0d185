import type { Viewer } from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import type { ShareRow } from '../ports/shares.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { dayOf } from './view-counter.ts';

const recentDays = 30;

/**
 * Counts the views of all links of a workspace, including deleted ones (interface: workspaces, Usage). `last30Days`
 * ends with today. For a key with a path it counts only visible links, and no days, because these are counted per
 * workspace.
 */
export async function readShareViews(
  deps: Pick<ServiceDeps, 'store' | 'clock' | 'shareViews'>,
  { workspace, viewer }: WorkspaceAccess,
): Promise<{ readonly total: number; readonly last30Days: number | null }> {
  await deps.shareViews.settle();
  if (viewer.within !== '') return { total: await viewsOfSeen(deps, workspace.id, viewer), last30Days: null };
  const sinceDay = dayOf(deps.clock()) - recentDays + 1;
  const { total, recent } = await deps.store.reader.shares.views(workspace.id, sinceDay);
  return { total, last30Days: recent };
}

const pageShares = 500;

/** Terminates because a workspace has a bounded number of links. */
async function viewsOfSeen(
  { store }: Pick<ServiceDeps, 'store'>,
  workspaceId: string,
  viewer: Viewer,
): Promise<number> {
  return store.snapshot(async ({ shares }) => {
    let total = 0;
    let before: ShareRow | null = null;
    do {
      const page: readonly ShareRow[] = await shares.page({ workspaceId, viewer, before, limit: pageShares });
      for (const { viewCount } of page) total += viewCount;
      before = page.length === pageShares ? (page.at(-1) ?? null) : null;
    } while (before !== null);
    return total;
  });
}
