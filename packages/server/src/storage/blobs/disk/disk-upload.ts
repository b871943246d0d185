// docs/decisions/0005-where-bytes-live.md
import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { WorkspaceError } from '@stoa/core';
import type { BlobUpload } from '../../../service/ports/blob-store.ts';
import { isNoSpace } from '../../no-space.ts';
import { blobPath } from './blob-files.ts';
import { type FolderMaker, syncFolder, syncOrStop } from './durable-folders.ts';
import { createGatheredWriter } from './gathered-writer.ts';

/** Enough random bytes that no two uploads ever share a name. */
const generationBytes = 16;

export interface UploadLocation {
  readonly directory: string;
  readonly uploads: string;
  readonly makeFolder: FolderMaker;
  readonly onFatal: (error: Error) => void;
}

/**
 * Writes to a temporary file and renames it when it is complete: write, fsync, check the length, rename, fsync the
 * folder. This order makes it safe against power cuts; the tests of interrupted uploads pin it.
 */
export async function beginDiskUpload(location: UploadLocation, workspaceId: string): Promise<BlobUpload> {
  const { directory, uploads, makeFolder, onFatal } = location;
  const generation = randomBytes(generationBytes).toString('base64url');
  const temporary = join(uploads, generation);
  const handle = await fullDiskRejected(() => open(temporary, 'wx', 0o600));
  const writer = createGatheredWriter(handle);
  let writtenBytes = 0;
  let state: 'open' | 'closed' | 'finished' = 'open';
  const close = async () => {
    if (state !== 'open') return;
    state = 'closed';
    await writer.settled();
    await handle.close();
  };

  return {
    async write(chunk) {
      if (state !== 'open') throw new Error('the upload is over');
      await fullDiskRejected(() => writer.write(chunk));
      writtenBytes += chunk.byteLength;
    },
    async finish({ contentHash, sizeBytes }) {
      if (state !== 'open') throw new Error('the upload is over');
      await fullDiskRejected(() => writer.flush());
      await syncOrStop(() => handle.sync(), onFatal);
      const { size } = await handle.stat();
      await close();
      if (size !== sizeBytes || writtenBytes !== sizeBytes) {
        throw new Error(`an upload of ${sizeBytes} bytes has ${size} on disk`);
      }
      const { folder, name } = blobPath({ workspaceId, contentHash, generation });
      await fullDiskRejected(() => makeFolder(folder));
      await fullDiskRejected(() => rename(temporary, join(directory, folder, name)));
      state = 'finished';
      await syncFolder(join(directory, folder), onFatal);
      return generation;
    },
    async [Symbol.asyncDispose]() {
      await close();
      if (state !== 'finished') await rm(temporary, { force: true });
    },
  };
}

/** @throws WorkspaceError `storage_full` when a disk or quota is full. */
async function fullDiskRejected<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (isNoSpace(error)) throw new WorkspaceError('storage_full');
    throw error;
  }
}
