import type { ChangeOp, ContentHash, WorkspacePath } from '@stoa/core';
import type { Audience } from '../ports/changes.ts';
import type { Transaction } from '../ports/transaction.ts';
import { type Authorship, stampOf } from './change-author.ts';

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
    ...change.audience,
    ...stampOf(author.actor),
  });
}
