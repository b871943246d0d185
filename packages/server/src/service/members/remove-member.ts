import { decideRemoval, WorkspaceError } from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import { defineAuditedScript } from '../auditing/audited-script.ts';
import { deleteKeysOf } from '../keys/delete-keys-of.ts';
import { authorOf, type ChangeAuthor, openForChange } from '../script-steps.ts';
import type { ServiceDeps } from '../service-deps.ts';

interface RemoveMemberCommand extends ChangeAuthor {
  readonly userId: string;
}

/**
 * Ends a membership, the caller's own or another's, from the next request on (interface: members, Removal). Deletes the
 * user's keys for this workspace; other keys get `not_a_member` here. Private items stay, invisible to all.
 *
 * A user who is removed by another member loses their invites, and cannot rejoin with an earlier invite.
 *
 * @throws WorkspaceError `not_a_member`, `forbidden_role`, `member_not_found`, `last_owner`
 */
export async function removeMember(
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  access: WorkspaceAccess,
  userId: string,
): Promise<void> {
  await deps.store.transact(removeMemberScript, { ...authorOf(access, deps.clock()), userId });
}

export const removeMemberScript = defineAuditedScript<RemoveMemberCommand, void>(
  'members.remove',
  async (tx, command) => {
    // The lock serialises two owners who leave at once: each would otherwise still count the other.
    const actor = await openForChange(tx, command, 'workspace');
    const { workspaceId, userId, now } = command;
    const target = await tx.members.find(workspaceId, userId);
    const isSelf = command.actor.userId === userId;
    const decision = decideRemoval({
      actorRole: actor.role,
      isSelf,
      targetRole: target?.role ?? null,
      owners: await tx.members.countOwners(workspaceId),
    });
    switch (decision.kind) {
      case 'forbidden':
        throw new WorkspaceError('forbidden_role', {}, errorText(actor.role));
      case 'no_such_member':
        throw new WorkspaceError('member_not_found');
      case 'last_owner':
        throw new WorkspaceError('last_owner');
      case 'remove':
        await tx.write.removeMember(workspaceId, userId);
        tx.noteAudit({
          action: isSelf ? 'member.leave' : 'member.remove',
          at: now,
          workspaceId,
          personId: userId,
          details: { role: target?.role ?? null },
        });
        await deleteKeysOf(tx, { userId, workspaceId }, now);
        if (isSelf) return;
        await tx.write.noteRemoval(workspaceId, userId, now);
        await tx.write.deleteInvitesBy(workspaceId, userId);
        return;
    }
  },
);

function errorText(role: string): string {
  return role === 'admin'
    ? 'Only owners can remove an owner'
    : 'Only owners and admins can remove other members';
}
