import { admits, type MemberRole, WorkspaceError } from '@stoa/core';
import type { AccessQuestion, Caller } from '../access.ts';
import { defineAuditedScript } from '../auditing/audited-script.ts';
import { openForNewcomer } from '../script-steps.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { hashInviteToken } from './invite-token.ts';

interface AcceptInviteCommand extends AccessQuestion {
  readonly tokenHash: string;
}

export interface AcceptedInvite {
  readonly workspaceId: string;
  readonly role: MemberRole;
  /** True: nothing was changed, and no use was taken. */
  readonly alreadyMember: boolean;
}

/**
 * Adds the caller to the workspace of a link. When the caller is already a member, for example on a retry after a lost
 * response, it takes no use, even if the link is used up since.
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
  return deps.store.transact(acceptInviteScript, {
    tokenHash,
    credential: caller.credential,
    now: deps.clock(),
  });
}

export const acceptInviteScript = defineAuditedScript<AcceptInviteCommand, AcceptedInvite>(
  'invites.accept',
  async (tx, { tokenHash, ...newcomer }) => {
    const invite = await tx.invites.findByHash(tokenHash);
    if (invite === null) throw new WorkspaceError('invite_not_found');
    const { id, workspaceId } = invite;
    await openForNewcomer(tx, { ...newcomer, workspaceId });
    const { now } = newcomer;
    const { userId } = newcomer.credential;
    const member = await tx.members.find(workspaceId, userId);
    if (member !== null) return { workspaceId, role: member.role, alreadyMember: true };
    const removedAt = await tx.members.removedAt(workspaceId, userId);
    if (!admits(invite, removedAt, now)) throw new WorkspaceError('invite_gone');
    if (!(await tx.write.takeInviteUse(id))) throw new WorkspaceError('invite_gone');
    const role = 'member';
    await tx.write.insertMember({ workspaceId, userId, role, createdAt: now });
    const about = { at: now, workspaceId, personId: userId };
    tx.noteAudit({ action: 'invite.use', ...about, targetId: id });
    tx.noteAudit({ action: 'member.join', ...about, details: { role } });
    return { workspaceId, role, alreadyMember: false };
  },
);
