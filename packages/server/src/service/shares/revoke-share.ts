import type { Viewer } from '@stoa/core';
import type { WorkspaceAccess } from '../access/workspace-access.ts';
import { lockForChange } from '../changes/lock-for-change.ts';
import { defineScript } from '../ports/script.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { findShare, requireManagedShare } from './find-managed-share.ts';

interface RevokeShareCommand {
  readonly workspaceId: string;
  readonly actorId: string;
  readonly viewer: Viewer;
  readonly shareId: string;
}

/**
 * Ends a link: from then on it is unknown. Its views still count for the workspace.
 * @throws WorkspaceError `share_not_found`, `forbidden_role`
 */
export async function revokeShare(
  deps: Pick<ServiceDeps, 'store'>,
  access: WorkspaceAccess,
  shareId: string,
): Promise<void> {
  const { viewer } = access;
  const workspaceId = access.workspace.id;
  await deps.store.transact(revokeShareScript, {
    workspaceId,
    actorId: access.actor.userId,
    viewer,
    shareId,
  });
}

export const revokeShareScript = defineScript<RevokeShareCommand, void>(
  'shares.revoke',
  async (tx, { workspaceId, actorId, viewer, shareId }) => {
    await lockForChange(tx, workspaceId);
    const share = await findShare(tx, workspaceId, viewer, shareId);
    await requireManagedShare(tx, actorId, share);
    await tx.write.deleteShare(share.id);
  },
);
