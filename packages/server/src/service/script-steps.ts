// docs/decisions/0014-postgresql-queues.md
// docs/decisions/0019-access-in-the-transaction.md
import {
  type Actor,
  type ChangeOp,
  type ContentHash,
  type MemberRole,
  type Need,
  rejectBeyond,
  type Viewer,
  WorkspaceError,
  type WorkspacePath,
} from '@stoa/core';
import {
  type AccessQuestion,
  type CallerCredential,
  grantOf,
  readAccessStatus,
  rejectEnded,
  type WorkspaceAccess,
} from './access.ts';
import type { ActorStamp, Audience } from './ports/changes.ts';
import type { Transaction } from './ports/transaction.ts';
import type { WorkspaceRow } from './ports/workspaces.ts';

/** A workspace that is locked until the commit, and the author's current role in it. */
export interface OpenedChange {
  readonly workspace: WorkspaceRow;
  readonly role: MemberRole;
}

/**
 * Locks the workspace: the first step of every script that changes it for a member. The request may have started an
 * hour ago, so this checks the credential, the membership and the key's grant again. An upload that ends after its
 * sender was removed is rejected. Both queries go out together. The second runs behind the lock, so it sees the changes
 * that the lock waited for.
 *
 * @param need the kind of change; never `read`.
 * @throws WorkspaceError `invalid_api_key`, `unauthorized`, `workspace_not_found`, `not_a_member`, those of
 * `rejectBeyond`, `overloaded` when the feed is not at the author's `onlyAtSeq`
 */
export async function openForChange(
  tx: Transaction,
  author: ChangeAuthor,
  need: Exclude<Need, 'read'>,
): Promise<OpenedChange> {
  const { workspaceId } = author;
  const [workspace, existing] = await together(
    tx.write.lockWorkspace(workspaceId),
    readAccessStatus(tx, author.credential, workspaceId),
  );
  rejectEnded(existing, author);
  if (workspace === null) throw new WorkspaceError('workspace_not_found');
  if (existing.role === null) throw new WorkspaceError('not_a_member');
  rejectBeyond(grantOf(existing), need);
  if (author.onlyAtSeq !== undefined && author.onlyAtSeq !== workspace.seq)
    throw new WorkspaceError('overloaded');
  return { workspace, role: existing.role };
}

/** As `openForChange`, for a user who need not be a member yet. */
export async function openForNewcomer(
  tx: Transaction,
  newcomer: AccessQuestion & { readonly workspaceId: string },
): Promise<WorkspaceRow> {
  const [workspace, existing] = await together(
    tx.write.lockWorkspace(newcomer.workspaceId),
    readAccessStatus(tx, newcomer.credential, null),
  );
  rejectEnded(existing, newcomer);
  rejectBeyond(grantOf(existing), 'workspace');
  if (workspace === null) throw new WorkspaceError('workspace_not_found');
  return workspace;
}

/** @throws WorkspaceError `workspace_read_only`; reads, moves and deletes do not call this. */
export function rejectReadOnly(workspace: Pick<WorkspaceRow, 'lapsed'>): void {
  if (workspace.lapsed) throw new WorkspaceError('workspace_read_only');
}

/** Workspace, actor and time (milliseconds since the epoch) of a change. */
export interface Authorship {
  readonly workspaceId: string;
  readonly actor: Actor;
  readonly now: number;
}

/** Common fields of commands that change a workspace for one of its members. */
export interface ChangeAuthor extends Authorship {
  readonly viewer: Viewer;
  readonly credential: CallerCredential;
  readonly onlyAtSeq?: number;
}

export function authorOf(access: WorkspaceAccess, now: number): ChangeAuthor {
  const { workspace, actor, viewer, credential, onlyAtSeq } = access;
  const author = { workspaceId: workspace.id, actor, viewer, credential, now };
  return onlyAtSeq === undefined ? author : { ...author, onlyAtSeq };
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

/**
 * The audience of a change at a path with this owner. It is stored with the change, so that later sharing reveals no
 * history.
 */
export function audienceOf(ownerId: string | null): Audience {
  return { onlyUserId: ownerId, exceptUserId: null };
}

/** Writes one feed record at a seq that the transaction has taken. */
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
 * Runs independent statements of a script together. They are sent without waiting in between, which costs one round
 * trip to a database on another machine. The database runs them one after the other, in the order given.
 *
 * Settles when all have ended, even when one fails: a script that continued after its failure would write into the next
 * script's transaction.
 * @throws the error of the first failed statement in that order.
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
