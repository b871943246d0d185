import { inviteDaysDefault, invitesPerWorkspaceMax, WorkspaceError } from '@stoa/core';
import { type Caller, openWorkspace } from '../access.ts';
import { defineAuditedScript } from '../auditing/audited-script.ts';
import { requireManager } from '../members/require-manager.ts';
import type { InviteRow } from '../ports/invites.ts';
import { authorOf, type ChangeAuthor, openForChange } from '../script-steps.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { issueInviteToken } from './invite-token.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** Time during which an expired link is still distinguished from one that never existed. */
const expiredKeptMs = 90 * dayMs;

export interface CreateInviteInput {
  readonly workspaceId: string;
  /** 1 to `inviteDaysMax`; default 7. */
  readonly expiresInDays?: number | undefined;
  /** Maximum number of uses; unlimited by default. */
  readonly maxUses?: number | undefined;
}

/** The only response that contains the token. */
export interface CreatedInvite {
  readonly invite: InviteRow;
  readonly token: string;
}

/**
 * Creates a link by which people join as members (interface: members, Invites).
 * @throws WorkspaceError `workspace_not_found`, `not_a_member`, `forbidden_role`, `too_many_invites`
 */
export async function createInvite(
  deps: Pick<ServiceDeps, 'store' | 'clock' | 'ids'>,
  caller: Caller,
  { workspaceId, expiresInDays = inviteDaysDefault, maxUses }: CreateInviteInput,
): Promise<CreatedInvite> {
  const access = await openWorkspace(deps, caller, workspaceId, 'workspace');
  const { token, tokenHash } = issueInviteToken();
  const createdAt = deps.clock();
  const invite: InviteRow = {
    id: deps.ids('invite'),
    workspaceId,
    createdBy: caller.actor.userId,
    createdAt,
    expiresAt: createdAt + expiresInDays * dayMs,
    maxUses: maxUses ?? null,
    usesLeft: maxUses ?? null,
  };
  const author = authorOf(access, createdAt);
  await deps.store.transact(createInviteScript, { ...author, invite: { ...invite, tokenHash } });
  return { invite, token };
}

interface CreateInviteCommand extends ChangeAuthor {
  readonly invite: InviteRow & { readonly tokenHash: string };
}

export const createInviteScript = defineAuditedScript<CreateInviteCommand, void>(
  'invites.create',
  async (tx, command) => {
    requireManager(await openForChange(tx, command, 'workspace'), 'invite people');
    const { workspaceId, now, invite } = command;
    await tx.write.clearExpiredInvites(workspaceId, now - expiredKeptMs);
    if ((await tx.invites.countOf(workspaceId)) >= invitesPerWorkspaceMax) {
      throw new WorkspaceError('too_many_invites');
    }
    await tx.write.insertInvite(invite);
    const { id, maxUses, expiresAt } = invite;
    const details = { maxUses, expiresInDays: Math.round((expiresAt - now) / dayMs) };
    tx.noteAudit({ action: 'invite.make', at: now, workspaceId, targetId: id, details });
  },
);
