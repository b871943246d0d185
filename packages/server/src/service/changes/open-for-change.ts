// docs/decisions/0036-access-is-asked-again-in-the-transaction.md
import { type MemberRole, type Need, refuseBeyond, WorkspaceError } from '@stoa/core';
import { grantOf, readStanding, refuseEnded, type StandingQuestion } from '../access/standing.ts';
import type { Transaction } from '../ports/transaction.ts';
import type { WorkspaceRow } from '../ports/workspaces.ts';
import type { ChangeAuthor } from './record-change.ts';
import { together } from './together.ts';

/** A workspace that nobody else changes until the commit, and the author's role in it now. */
export interface OpenedChange {
  readonly workspace: WorkspaceRow;
  readonly role: MemberRole;
}

/**
 * The first step of every script that changes a workspace for a member: from here to the commit no other change of it can
 * come between. What the request began with may be an hour old, so it asks again whether the credential still holds,
 * whether its person is still a member and whether a key may do this: an upload that ends after its sender's removal is refused. Both questions go out
 * together, the second answered behind the lock, so that it sees what the lock waited for.
 *
 * @param need never `read`: what is changed.
 * @throws WorkspaceError `invalid_api_key`, `unauthorized`, `workspace_not_found`, `not_a_member`, those of `refuseBeyond`
 */
export async function openForChange(
  tx: Transaction,
  author: ChangeAuthor,
  need: Exclude<Need, 'read'>,
): Promise<OpenedChange> {
  const { workspaceId } = author;
  const [workspace, standing] = await together(
    tx.write.lockWorkspace(workspaceId),
    readStanding(tx, author.credential, workspaceId),
  );
  refuseEnded(standing, author);
  if (workspace === null) throw new WorkspaceError('workspace_not_found');
  if (standing.role === null) throw new WorkspaceError('not_a_member');
  refuseBeyond(grantOf(standing), need);
  return { workspace, role: standing.role };
}

/** As `openForChange`, for somebody who need not be a member yet. */
export async function openForNewcomer(
  tx: Transaction,
  newcomer: StandingQuestion & { readonly workspaceId: string },
): Promise<WorkspaceRow> {
  const [workspace, standing] = await together(
    tx.write.lockWorkspace(newcomer.workspaceId),
    readStanding(tx, newcomer.credential, null),
  );
  refuseEnded(standing, newcomer);
  refuseBeyond(grantOf(standing), 'workspace');
  if (workspace === null) throw new WorkspaceError('workspace_not_found');
  return workspace;
}

/** @throws WorkspaceError `workspace_read_only`: reads, moves and deletes still work then, writes do not. */
export function refuseReadOnly(workspace: Pick<WorkspaceRow, 'lapsed'>): void {
  if (workspace.lapsed) throw new WorkspaceError('workspace_read_only');
}
