import { parseWorkspacePath, type Viewer, WorkspaceError } from '@stoa/core';
import type { ThreadWithFile } from '../ports/comments.ts';
import type { Reader } from '../ports/reader.ts';
import { rejectHidden } from '../privacy/find-owner.ts';

const pathOfNone = parseWorkspacePath('folder/file.md');

/**
 * Returns a thread that the viewer may see, and the owner of its path if that is private. A thread on another member's
 * private file is reported as missing.
 * @throws WorkspaceError `thread_not_found`
 */
export async function requireThread(
  reader: Pick<Reader, 'comments' | 'nodes'>,
  workspaceId: string,
  threadId: string,
  viewer: Viewer,
): Promise<{ readonly thread: ThreadWithFile; readonly ownerId: string | null }> {
  const thread = await reader.comments.find(workspaceId, threadId);
  try {
    // Also for a missing thread, which must take as long as a hidden one.
    const ownerId = await rejectHidden(reader, workspaceId, thread?.path ?? pathOfNone, viewer);
    if (thread === null) throw new WorkspaceError('thread_not_found');
    return { thread, ownerId };
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'file_not_found') {
      throw new WorkspaceError('thread_not_found');
    }
    throw error;
  }
}
