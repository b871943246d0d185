import { admits, type MemberRole, WorkspaceError } from '@stoa/core';
import type { Caller } from '../access/workspace-access.ts';
import { lockForChange } from '../changes/lock-for-change.ts';
import { defineScript } from '../ports/script.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { hashInviteToken } from './invite-token.ts';

interface AcceptInviteCommand {
  readonly tokenHash: string;
  readonly userId: string;
  readonly now: number;
}

export interface AcceptedInvite {
  readonly workspaceId: string;
  readonly role: MemberRole;
  /** True: nothing was changed, and no use was taken. */
  readonly alreadyMember: boolean;
}

/**
 * Joins the caller to the workspace that a link leads to. A member who follows it, by repeating an accept whose answer was
 * lost for instance, takes no use of it, and is told so even if it is used up since.
 *
 * @throws WorkspaceError `invite_not_found`, `invite_gone`
 */
export async function acceptInvite(
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  caller: Caller,
  token: string,
): Promise<AcceptedInvite> {
  const tokenHash = hashInviteToken(token);
  if (tokenHash === null) throw new WorkspaceError('invite_not_found');
  const { userId } = caller.actor;
  return deps.store.transact(acceptInviteScript, { tokenHash, userId, now: deps.clock() });
}

export const acceptInviteScript = defineScript<AcceptInviteCommand, AcceptedInvite>(
  'invites.accept',
  async (tx, { tokenHash, userId, now }) => {
    const invite = await tx.invites.findByHash(tokenHash);
    if (invite === null) throw new WorkspaceError('invite_not_found');
    const { id, workspaceId } = invite;
    await lockForChange(tx, workspaceId);
    const member = await tx.members.find(workspaceId, userId);
    if (member !== null) return { workspaceId, role: member.role, alreadyMember: true };
    const removedAt = await tx.members.removedAt(workspaceId, userId);
    if (!admits(invite, removedAt, now)) throw new WorkspaceError('invite_gone');
    if (!(await tx.write.takeInviteUse(id))) throw new WorkspaceError('invite_gone');
    const role = 'member';
    await tx.write.insertMember({ workspaceId, userId, role, createdAt: now });
    return { workspaceId, role, alreadyMember: false };
  },
);
