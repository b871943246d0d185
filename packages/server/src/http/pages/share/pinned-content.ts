import { effectiveContentType, WorkspaceError } from '@stoa/core';
import { type ReadableFile, readableFile } from '../../../service/files/read-file.ts';
import type { FileRow } from '../../../service/ports/files.ts';
import type { ShareRow } from '../../../service/ports/shares.ts';
import type { ServiceDeps } from '../../../service/service-deps.ts';

/** The file behind a link, with the content type under which it is shown. */
export function sharedContent(
  deps: Pick<ServiceDeps, 'store' | 'blobs'>,
  { pinned }: Pick<ShareRow, 'pinned'>,
  file: FileRow,
): ReadableFile {
  const contentType = effectiveContentType(file.path, file.contentType);
  const readable = readableFile(deps, { ...file, contentType });
  return pinned === null ? readable : pinnedContent(readable);
}

/** A pinned version's bytes. The link has no other version to show when they are gone. */
function pinnedContent(readable: ReadableFile): ReadableFile {
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

/** Opens the file to check that its bytes exist, for a response without them. @throws WorkspaceError those of `open` */
export async function requireKept(readable: ReadableFile): Promise<void> {
  const opened = await readable.open();
  if (!(opened instanceof Uint8Array)) await opened.cancel();
}
