import {
  type Actor,
  foldersAbove,
  isVisible,
  sharesListedMax,
  WorkspaceError,
  type WorkspacePath,
} from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import type { ShareRow } from '../ports/shares.ts';
import { isHidden } from '../privacy/find-owner.ts';
import type { ServiceDeps } from '../service-deps.ts';

export interface SharesOfPath {
  readonly shares: readonly ShareRow[];
  /** Of the folders above, outermost first. */
  readonly inherited: readonly ShareRow[];
}

/**
 * Lists the links to a path, and the folder links above that cover it (interface: shares). Includes links of a deleted
 * file, which open again when it returns.
 * @throws WorkspaceError `file_not_found` for a path that the caller does not see, or without anything to list.
 */
export async function listShares(
  deps: Pick<ServiceDeps, 'store' | 'shareViews'>,
  { workspace, actor, viewer }: WorkspaceAccess,
  path: WorkspacePath,
): Promise<SharesOfPath> {
  await deps.shareViews.settle();
  return deps.store.snapshot(async (reader) => {
    const now = await reader.workspaces.find(workspace.id);
    if (now === null) throw new WorkspaceError('workspace_not_found');
    // Rejects a hidden path only after the same queries as for an absent one, so that the time does not distinguish
    // them.
    const hides = await isHidden(reader, now.id, path, viewer);
    const seesSomething = await reader.files.hasVisibleAtOrBelow(workspace.id, path, viewer);
    const shares = (await reader.shares.listAt(workspace.id, path)).filter(
      (share) => seesSomething || reportedAnyway(share, actor),
    );
    if (hides || (!seesSomething && shares.length === 0)) throw new WorkspaceError('file_not_found');
    const inherited: ShareRow[] = [];
    for (const folder of foldersAbove(path)) {
      if (!isVisible(folder, viewer)) continue;
      const found = (await reader.shares.listAt(workspace.id, folder)).filter(
        ({ kind }) => kind === 'folder',
      );
      if (found.length === 0) continue;
      const seesFolder =
        seesSomething || (await reader.files.hasVisibleAtOrBelow(workspace.id, folder, viewer));
      inherited.push(...found.filter((share) => seesFolder || reportedAnyway(share, actor)));
    }
    return { shares, inherited };
  });
}

/**
 * Lists the newest links to paths that the caller sees, by the rule of `listShares` for each. `truncated` is true when
 * there are more.
 */
export async function listAllShares(
  deps: Pick<ServiceDeps, 'store' | 'shareViews'>,
  { workspace, actor, viewer }: WorkspaceAccess,
): Promise<{ readonly shares: readonly ShareRow[]; readonly truncated: boolean }> {
  await deps.shareViews.settle();
  return deps.store.snapshot(async (reader) => {
    const shares: ShareRow[] = [];
    const wanted = sharesListedMax + 1;
    const seen = new Map<WorkspacePath, boolean>();
    const seesWithin = async (folder: WorkspacePath) => {
      const sees = seen.get(folder) ?? (await reader.files.hasVisibleAtOrBelow(workspace.id, folder, viewer));
      seen.set(folder, sees);
      return sees;
    };
    let before: ShareRow | null = null;
    do {
      const query = { workspaceId: workspace.id, viewer, before, limit: wanted };
      const page: readonly ShareRow[] = await reader.shares.page(query);
      for (const share of page) {
        if (shares.length === wanted) break;
        if (reportedAnyway(share, actor) || (await seesWithin(share.path))) shares.push(share);
      }
      before = page.length === wanted ? (page.at(-1) ?? null) : null;
    } while (before !== null && shares.length < wanted);
    return { shares: shares.slice(0, sharesListedMax), truncated: shares.length === wanted };
  });
}

/** A folder whose contents are all private to others counts as missing: only their maker can see its links. */
function reportedAnyway({ kind, createdBy }: ShareRow, { userId }: Pick<Actor, 'userId'>): boolean {
  return kind === 'file' || createdBy === userId;
}
