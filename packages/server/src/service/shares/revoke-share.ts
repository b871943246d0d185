import type { WorkspaceAccess } from '../access.ts';
import { defineAuditedScript } from '../auditing/audited-script.ts';
import { findOwner } from '../privacy/find-owner.ts';
import { authorOf, type ChangeAuthor, openForChange } from '../script-steps.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { requireManagedShare, requireShare } from './require-share.ts';

interface RevokeShareCommand extends ChangeAuthor {
  readonly shareId: string;
}

/**
 * Deletes a link: from then on it is unknown. Its views still count for the workspace.
 * @throws WorkspaceError `share_not_found`, `forbidden_role`
 */
export async function revokeShare(
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  access: WorkspaceAccess,
  shareId: string,
): Promise<void> {
  await deps.store.transact(revokeShareScript, { ...authorOf(access, deps.clock()), shareId });
}

export const revokeShareScript = defineAuditedScript<RevokeShareCommand, void>(
  'shares.revoke',
  async (tx, command) => {
    const { role } = await openForChange(tx, command, 'write');
    const { workspaceId, actor, viewer, shareId, now } = command;
    const share = await requireShare(tx, workspaceId, viewer, shareId);
    requireManagedShare(share, { userId: actor.userId, role });
    await tx.write.deleteShare(share.id);
    const path = { path: share.path, ownerId: await findOwner(tx, workspaceId, share.path) };
    const personId = share.createdBy;
    tx.noteAudit({ action: 'share.revoke', at: now, workspaceId, personId, targetId: share.id, path });
  },
);
