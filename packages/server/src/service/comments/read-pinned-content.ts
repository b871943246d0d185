import { WorkspaceError } from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import { type ContentRow, type ReadableFile, readableFile } from '../files/read-file.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { requireThread } from './require-thread.ts';

/**
 * Reads the markdown that a thread was written on (interface: comments, Pinned content). It is found by its hash, so a
 * move, a deletion or another file at the path has no effect.
 * @throws WorkspaceError `thread_not_found`; `open` throws `pinned_content_gone`.
 */
export async function readPinnedContent(
  deps: Pick<ServiceDeps, 'store' | 'blobs'>,
  access: WorkspaceAccess,
  threadId: string,
): Promise<ReadableFile<ContentRow>> {
  const { thread } = await requireThread(deps.store.reader, access.workspace.id, threadId, access.viewer);
  const pinned = readableFile(deps, {
    workspaceId: thread.workspaceId,
    path: thread.path,
    version: thread.pinnedVersion,
    sizeBytes: thread.pinnedSizeBytes,
    contentType: 'text/markdown',
    contentHash: thread.pinnedContentHash,
  });
  return {
    file: pinned.file,
    async open(range) {
      try {
        return await pinned.open(range);
      } catch (error) {
        if (error instanceof WorkspaceError && error.code === 'stored_bytes_missing') {
          throw new WorkspaceError('pinned_content_gone');
        }
        throw error;
      }
    },
  };
}
