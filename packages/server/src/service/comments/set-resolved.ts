import type { WorkspaceAccess } from '../access.ts';
import type { Resolution } from '../ports/comments.ts';
import { defineScript } from '../ports/script.ts';
import { authorOf, type ChangeAuthor, openForChange } from '../script-steps.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { recordComment } from './record-comment.ts';
import { requireThread } from './require-thread.ts';

/** The thread's current state; `changed` is false when it was already so. */
export interface SetResolvedOutcome {
  readonly changed: boolean;
  /** Null: open. */
  readonly resolution: Resolution | null;
}

interface Wanted {
  readonly threadId: string;
  readonly resolved: boolean;
}

/**
 * Resolves or reopens a thread (interface: comments, Resolve). Works in a read-only workspace.
 * @throws WorkspaceError `thread_not_found`
 */
export async function setResolved(
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  access: WorkspaceAccess,
  wanted: Wanted,
): Promise<SetResolvedOutcome> {
  const author = authorOf(access, deps.clock());
  return deps.store.transact(setResolvedScript, { ...author, ...wanted });
}

export const setResolvedScript = defineScript<ChangeAuthor & Wanted, SetResolvedOutcome>(
  'comments.set-resolved',
  async (tx, command) => {
    const { threadId, resolved, actor, viewer, now } = command;
    const { workspace } = await openForChange(tx, command, 'comment');
    const { thread, ownerId } = await requireThread(tx, workspace.id, threadId, viewer);
    if (resolved === (thread.resolution !== null)) return { changed: false, resolution: thread.resolution };
    const { path, file } = thread;
    const resolution = resolved ? { at: now, atVersion: file?.version ?? null, userId: actor.userId } : null;
    await tx.write.setResolution(threadId, resolution);
    const op = resolved ? 'comment_resolved' : 'comment_reopened';
    await recordComment(tx, command, { op, path, file, ownerId });
    return { changed: true, resolution };
  },
);
