import { inviteDaysDefault, invitesPerWorkspaceMax, WorkspaceError } from '@stoa/core';
import { type Caller, openWorkspace } from '../access.ts';
import { defineAuditedScript } from '../auditing/audited-script.ts';
import { requireManager } from '../members/require-manager.ts';
import type { InviteRow } from '../ports/invites.ts';
import { authorOf, type ChangeAuthor, openForChange } from '../script-steps.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { issueInviteToken } from './invite-token.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** How long a link that no longer works is told apart from one that never was. */
const expiredKeptMs = 90 * dayMs;

export interface CreateInviteInput {
  readonly workspaceId: string;
  /** 1 to `inviteDaysMax`; 7 when left out. */
  readonly expiresInDays?: number | undefined;
  /** How many people it lets in; as many as come when left out. */
  readonly maxUses?: number | undefined;
}

/** The only answer with the token. */
export interface CreatedInvite {
  readonly invite: InviteRow;
  readonly token: string;
}

/**
 * Makes a link by which people join as members (interface: members, Invites).
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
