import { decideRoleChange, type MemberRole, WorkspaceError } from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import { defineAuditedScript } from '../auditing/audited-script.ts';
import type { MemberRow } from '../ports/members.ts';
import { authorOf, type ChangeAuthor, openForChange } from '../script-steps.ts';
import type { ServiceDeps } from '../service-deps.ts';

interface ChangeRoleCommand extends ChangeAuthor {
  readonly userId: string;
  readonly role: MemberRole;
}

/**
 * Changes a member's role; owners only. Deletes the invites of a member who may no longer invite.
 * @returns the member after the change.
 * @throws WorkspaceError `not_a_member`, `forbidden_role`, `member_not_found`, `last_owner`
 */
export async function changeRole(
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  access: WorkspaceAccess,
  wanted: { readonly userId: string; readonly role: MemberRole },
): Promise<MemberRow> {
  return deps.store.transact(changeRoleScript, { ...authorOf(access, deps.clock()), ...wanted });
}

export const changeRoleScript = defineAuditedScript<ChangeRoleCommand, MemberRow>(
  'members.change-role',
  async (tx, command) => {
    const actor = await openForChange(tx, command, 'workspace');
    const { workspaceId, userId, role, now } = command;
    const target = await tx.members.find(workspaceId, userId);
    const decision = decideRoleChange({
      actorRole: actor.role,
      targetRole: target?.role ?? null,
      wantedRole: role,
      owners: await tx.members.countOwners(workspaceId),
    });
    switch (decision.kind) {
      case 'forbidden':
        throw new WorkspaceError('forbidden_role', {}, 'Only owners can change roles');
      case 'no_such_member':
        throw new WorkspaceError('member_not_found');
      case 'last_owner':
        throw new WorkspaceError('last_owner');
      case 'unchanged':
      case 'change':
        if (target === null) throw new Error('the role of a non-member was changed');
        if (decision.kind === 'change') {
          await tx.write.setMemberRole(workspaceId, userId, role);
          const about = { at: now, workspaceId, personId: userId };
          tx.noteAudit({ action: 'member.role', ...about, details: { from: target.role, to: role } });
          if (role === 'member') await tx.write.deleteInvitesBy(workspaceId, userId);
        }
        return { ...target, role };
    }
  },
);
