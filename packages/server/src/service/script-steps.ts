// docs/decisions/0026-postgresql-by-lanes.md
// docs/decisions/0036-access-is-asked-again-in-the-transaction.md
import {
  type Actor,
  type ChangeOp,
  type ContentHash,
  type MemberRole,
  type Need,
  refuseBeyond,
  type Viewer,
  WorkspaceError,
  type WorkspacePath,
} from '@stoa/core';
import {
  type CallerCredential,
  grantOf,
  readStanding,
  refuseEnded,
  type StandingQuestion,
  type WorkspaceAccess,
} from './access.ts';
import type { ActorStamp, Audience } from './ports/changes.ts';
import type { Transaction } from './ports/transaction.ts';
import type { WorkspaceRow } from './ports/workspaces.ts';

/** A workspace that nobody else changes until the commit, and the author's role in it now. */
export interface OpenedChange {
  readonly workspace: WorkspaceRow;
  readonly role: MemberRole;
}

/**
 * The first step of every script that changes a workspace for a member: from here to the commit no other change of it can
 * come between. What the request began with may be an hour old, so it asks again whether the credential still holds,
 * whether its person is still a member and whether a key may do this: an upload that ends after its sender's
 * removal is refused. Both questions go out together, the second answered behind the lock, so that it sees what the lock
 * waited for.
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

/** What a change is recorded under: where, who, and when (milliseconds since the epoch). */
export interface Authorship {
  readonly workspaceId: string;
  readonly actor: Actor;
  readonly now: number;
}

/** What every command carries that changes a workspace for one of its members. */
export interface ChangeAuthor extends Authorship {
  readonly viewer: Viewer;
  readonly credential: CallerCredential;
}

export function authorOf(access: WorkspaceAccess, now: number): ChangeAuthor {
  const { workspace, actor, viewer, credential } = access;
  return { workspaceId: workspace.id, actor, viewer, credential, now };
}

export function stampOf(actor: Actor): ActorStamp {
  return {
    principal: actor.principal,
    actorId: actor.userId,
    actorKeyId: actor.keyId,
    actorLabel: actor.keyLabel,
  };
}

export const everyone: Audience = { onlyUserId: null, exceptUserId: null };

/** The audience of a change at a path with this owner: kept with the change, so that later sharing reveals no history. */
export function audienceOf(ownerId: string | null): Audience {
  return { onlyUserId: ownerId, exceptUserId: null };
}

/** Writes one feed record at a seq that the transaction took. */
export async function recordChange(
  tx: Transaction,
  author: Authorship,
  change: {
    readonly seq: number;
    readonly path: WorkspacePath;
    readonly op: ChangeOp;
    readonly version: number | null;
    readonly contentHash: ContentHash | null;
    readonly audience: Audience;
    readonly movedFrom?: WorkspacePath;
    readonly conflictOf?: WorkspacePath;
    readonly conflictBase?: number | null;
  },
): Promise<void> {
  await tx.write.insertChange({
    workspaceId: author.workspaceId,
    seq: change.seq,
    path: change.path,
    op: change.op,
    version: change.version,
    contentHash: change.contentHash,
    createdAt: author.now,
    movedFrom: change.movedFrom ?? null,
    conflictOf: change.conflictOf ?? null,
    conflictBase: change.conflictBase ?? null,
    ...change.audience,
    ...stampOf(author.actor),
  });
}

/**
 * Statements of a script that need nothing of each other's answers. They are sent without waiting in between, so that a
 * database on another machine is asked once; it carries them out one after the other, in the order given.
 *
 * Settles when all have ended, also where one fails: a script that went on after its failure would write into its
 * neighbours' transaction.
 * @throws the failure of the first in order that failed.
 */
export async function together<const Steps extends readonly Promise<unknown>[]>(
  ...steps: Steps
): Promise<{ -readonly [At in keyof Steps]: Awaited<Steps[At]> }> {
  try {
    return await Promise.all(steps);
  } catch {
    await Promise.allSettled(steps);
    return await Promise.all(steps);
  }
}
