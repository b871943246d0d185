import { type CommentOp, commentsPerWorkspaceMax, WorkspaceError } from '@stoa/core';
import type { ThreadHead } from '../ports/comments.ts';
import type { FileRow } from '../ports/files.ts';
import type { Transaction } from '../ports/transaction.ts';
import type { WorkspaceRow } from '../ports/workspaces.ts';
import { audienceOf, type ChangeAuthor, recordChange } from '../script-steps.ts';

/** Records a change of a thread, with the file's current version. @returns the record's seq. */
export async function recordComment(
  tx: Transaction,
  author: ChangeAuthor,
  comment: {
    readonly op: CommentOp;
    readonly path: ThreadHead['path'];
    readonly file: Pick<FileRow, 'version'> | null;
    /** The owner of a private path, or null. */
    readonly ownerId: string | null;
  },
): Promise<number> {
  const { op, path, file, ownerId } = comment;
  const comments = op === 'comment_created' || op === 'comment_replied' ? 1 : 0;
  const seq = await tx.write.takeSeqs(author.workspaceId, 1, { comments });
  const version = file?.version ?? null;
  await recordChange(tx, author, {
    seq,
    path,
    op,
    version,
    contentHash: null,
    audience: audienceOf(ownerId),
  });
  return seq;
}

/** @throws WorkspaceError `too_many_comments` */
export function rejectTooManyComments({ comments }: Pick<WorkspaceRow, 'comments'>): void {
  if (comments >= commentsPerWorkspaceMax) throw new WorkspaceError('too_many_comments');
}
