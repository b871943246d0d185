import type { WorkspaceAccess } from '../access/workspace-access.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { dayOf } from './view-counter.ts';

const recentDays = 30;

/** Views of all links of a workspace, ended ones included (interface: workspaces, Usage). `last30Days` has today for its last. */
export async function readShareViews(
  deps: Pick<ServiceDeps, 'store' | 'clock' | 'shareViews'>,
  { workspace }: WorkspaceAccess,
): Promise<{ readonly total: number; readonly last30Days: number }> {
  await deps.shareViews.settle();
  const sinceDay = dayOf(deps.clock()) - recentDays + 1;
  const { total, recent } = await deps.store.reader.shares.views(workspace.id, sinceDay);
  return { total, last30Days: recent };
}
