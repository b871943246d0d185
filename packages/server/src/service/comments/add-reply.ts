import { repliesPerThreadMax, WorkspaceError } from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import type { EntryRow } from '../ports/comments.ts';
import { defineScript } from '../ports/script.ts';
import { authorOf, type ChangeAuthor, openForChange, rejectReadOnly, stampOf } from '../script-steps.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { recordComment, rejectTooManyComments } from './record-comment.ts';
import { requireThread } from './require-thread.ts';

/** `deduped`: the reply already existed, as it is in `entry`. */
export interface ReplyOutcome {
  readonly entry: EntryRow;
  readonly deduped: boolean;
}

interface NewReply {
  readonly threadId: string;
  readonly body: string;
  /** The same key by the same user in the same thread identifies the same reply. */
  readonly dedupeKey: string | null;
}

interface AddReplyCommand extends ChangeAuthor, NewReply {
  readonly id: string;
}

/**
 * Adds a reply to a thread (interface: comments, Reply), even to a resolved one or while its file is deleted.
 * @throws WorkspaceError `thread_not_found`, `workspace_read_only`, `too_many_comments`, `too_many_replies`
 */
export async function addReply(
  deps: Pick<ServiceDeps, 'store' | 'clock' | 'ids'>,
  access: WorkspaceAccess,
  reply: NewReply,
): Promise<ReplyOutcome> {
  return deps.store.transact(addReplyScript, {
    ...authorOf(access, deps.clock()),
    id: deps.ids('entry'),
    ...reply,
  });
}

export const addReplyScript = defineScript<AddReplyCommand, ReplyOutcome>(
  'comments.add-reply',
  async (tx, command) => {
    const { id, threadId, body, dedupeKey, actor, viewer } = command;
    const { workspace } = await openForChange(tx, command, 'comment');
    const { thread, ownerId } = await requireThread(tx, workspace.id, threadId, viewer);
    rejectReadOnly(workspace);
    if (dedupeKey !== null) {
      const entry = await tx.comments.findEntry(threadId, actor.userId, dedupeKey);
      if (entry !== null) return { entry, deduped: true };
    }
    rejectTooManyComments(workspace);
    if ((await tx.comments.countEntries(threadId)) >= repliesPerThreadMax) {
      throw new WorkspaceError('too_many_replies');
    }
    const { path, file } = thread;
    const seq = await recordComment(tx, command, { op: 'comment_replied', path, file, ownerId });
    const { workspaceId, now: createdAt } = command;
    const entry = { id, workspaceId, threadId, seq, body, createdAt, ...stampOf(actor) };
    await tx.write.insertEntry({ ...entry, dedupeKey });
    return { entry, deduped: false };
  },
);
