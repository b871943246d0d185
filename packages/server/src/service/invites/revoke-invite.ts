import { WorkspaceError } from '@stoa/core';
import type { WorkspaceAccess } from '../access/workspace-access.ts';
import { lockForChange } from '../changes/lock-for-change.ts';
import { findActor, requireManager } from '../members/find-actor.ts';
import { defineScript } from '../ports/script.ts';
import type { ServiceDeps } from '../service-deps.ts';

interface RevokeInviteCommand {
  readonly workspaceId: string;
  readonly actorId: string;
  readonly inviteId: string;
}

/**
 * Ends a link: from then on it is unknown.
 * @throws WorkspaceError `forbidden_role`, `invite_not_found`
 */
export async function revokeInvite(
  deps: Pick<ServiceDeps, 'store'>,
  access: WorkspaceAccess,
  inviteId: string,
): Promise<void> {
  const workspaceId = access.workspace.id;
  await deps.store.transact(revokeInviteScript, { workspaceId, actorId: access.actor.userId, inviteId });
}

export const revokeInviteScript = defineScript<RevokeInviteCommand, void>(
  'invites.revoke',
  async (tx, { workspaceId, actorId, inviteId }) => {
    await lockForChange(tx, workspaceId);
    requireManager(await findActor(tx, workspaceId, actorId), 'end invites');
    if (!(await tx.write.deleteInvite(workspaceId, inviteId))) throw new WorkspaceError('invite_not_found');
  },
);
