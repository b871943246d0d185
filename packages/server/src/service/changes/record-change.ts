import type { Actor, ChangeOp, ContentHash, Viewer, WorkspacePath } from '@stoa/core';
import type { CallerCredential, WorkspaceAccess } from '../access/workspace-access.ts';
import type { ActorStamp, Audience } from '../ports/changes.ts';
import type { Transaction } from '../ports/transaction.ts';

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
