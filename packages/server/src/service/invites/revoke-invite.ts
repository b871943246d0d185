import { WorkspaceError } from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import { defineAuditedScript } from '../auditing/audited-script.ts';
import { requireManager } from '../members/require-manager.ts';
import { authorOf, type ChangeAuthor, openForChange } from '../script-steps.ts';
import type { ServiceDeps } from '../service-deps.ts';

interface RevokeInviteCommand extends ChangeAuthor {
  readonly inviteId: string;
}

/**
 * Deletes an invite: from then on it is unknown.
 * @throws WorkspaceError `forbidden_role`, `invite_not_found`
 */
export async function revokeInvite(
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  access: WorkspaceAccess,
  inviteId: string,
): Promise<void> {
  await deps.store.transact(revokeInviteScript, { ...authorOf(access, deps.clock()), inviteId });
}

export const revokeInviteScript = defineAuditedScript<RevokeInviteCommand, void>(
  'invites.revoke',
  async (tx, command) => {
    requireManager(await openForChange(tx, command, 'workspace'), 'revoke invites');
    const { workspaceId, inviteId, now } = command;
    if (!(await tx.write.deleteInvite(workspaceId, inviteId))) throw new WorkspaceError('invite_not_found');
    tx.noteAudit({ action: 'invite.revoke', at: now, workspaceId, targetId: inviteId });
  },
);
