import { WorkspaceError } from '@stoa/core';
import type { ReadableFile } from '../../../service/files/read-file.ts';

/** A pinned version's bytes: when they are gone the link has nothing else to show. */
export function pinnedContent(readable: ReadableFile): ReadableFile {
  return {
    file: readable.file,
    async open(range) {
      try {
        return await readable.open(range);
      } catch (error) {
        const isGone = error instanceof WorkspaceError && error.code === 'stored_bytes_missing';
        throw isGone ? new WorkspaceError('pinned_content_gone') : error;
      }
    },
  };
}

/** @throws WorkspaceError what opening it throws, for an answer that does not send the bytes itself. */
export async function requireKept(readable: ReadableFile): Promise<void> {
  const opened = await readable.open();
  if (!(opened instanceof Uint8Array)) await opened.cancel();
}
