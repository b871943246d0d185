import type { Viewer } from '@stoa/core';
import type { Caller, WorkspaceAccess } from '../access/workspace-access.ts';
import { lockForChange } from '../changes/lock-for-change.ts';
import { defineScript } from '../ports/script.ts';
import type { ShareRow } from '../ports/share-store.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { refuseWish } from './create-share.ts';
import { findShare, requireManagedShare } from './find-managed-share.ts';

interface UpdateShareCommand {
  readonly workspaceId: string;
  readonly actorId: string;
  readonly viewer: Viewer;
  readonly via: Caller['via'];
  readonly shareId: string;
  readonly allowScripts: boolean;
}

/**
 * Turns a link's scripts on or off (interface: shares, Make a link).
 * @throws WorkspaceError `share_not_found`, `invalid_request` (a folder), `share_needs_session`, `forbidden_role`
 */
export async function updateShare(
  deps: Pick<ServiceDeps, 'store'>,
  { caller, access }: { readonly caller: Caller; readonly access: WorkspaceAccess },
  change: { readonly shareId: string; readonly allowScripts: boolean },
): Promise<ShareRow> {
  return deps.store.transact(updateShareScript, {
    workspaceId: access.workspace.id,
    actorId: access.actor.userId,
    viewer: access.viewer,
    via: caller.via,
    ...change,
  });
}

export const updateShareScript = defineScript<UpdateShareCommand, ShareRow>(
  'shares.update',
  async (tx, { workspaceId, actorId, viewer, via, shareId, allowScripts }) => {
    await lockForChange(tx, workspaceId);
    const share = await findShare(tx, workspaceId, viewer, shareId);
    // What the link was made with is not asked for anew: a key may turn scripts off whatever else the link is.
    refuseWish({ kind: share.kind, access: 'member', hasPassword: false, allowScripts, via });
    await requireManagedShare(tx, actorId, share);
    await tx.write.setShareScripts(share.id, allowScripts);
    return { ...share, allowScripts };
  },
);
