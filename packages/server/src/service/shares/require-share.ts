import { type MemberRole, mayManageShare, type Viewer, WorkspaceError } from '@stoa/core';
import type { ShareRow } from '../ports/shares.ts';
import type { Transaction } from '../ports/transaction.ts';
import { isHidden } from '../privacy/find-owner.ts';

/**
 * Returns a link of the workspace. A link to an item that the actor cannot see counts as missing, as does one of
 * another workspace.
 * @throws WorkspaceError `share_not_found`
 */
export async function requireShare(
  tx: Transaction,
  workspaceId: string,
  viewer: Viewer,
  shareId: string,
): Promise<ShareRow> {
  const share = await tx.shares.find(workspaceId, shareId);
  if (share === null || (await isHidden(tx, workspaceId, share.path, viewer))) {
    throw new WorkspaceError('share_not_found');
  }
  return share;
}

/** @throws WorkspaceError `forbidden_role` unless the actor made the link, or is an owner or admin. */
export function requireManagedShare(
  share: ShareRow,
  { userId, role }: { readonly userId: string; readonly role: MemberRole },
): void {
  if (!mayManageShare({ role, isCreator: share.createdBy === userId })) {
    const text = 'Only the creator of the link, owners and admins can change or revoke it';
    throw new WorkspaceError('forbidden_role', {}, text);
  }
}
