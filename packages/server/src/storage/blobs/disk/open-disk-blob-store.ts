import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BlobKey, BlobStore } from '../../../service/ports/blob-store.ts';
import { blobPath, listBlobFiles, removeAbandonedUploads } from './blob-files.ts';
import { beginDiskUpload } from './disk-upload.ts';
import { createFolderMaker, syncFolder } from './durable-folders.ts';
import { keepLocationId, readLocationId } from './location-id.ts';
import { readBlobFile } from './read-blob-file.ts';

export interface DiskBlobStoreOptions {
  /**
   * Created when absent. Contains a folder for each workspace, and one for uploads so that they are on the same file
   * system.
   */
  readonly directory: string;
  /** Called when an fsync failed: its data may be lost although a retry would succeed. The process must stop. */
  readonly onFatal: (error: Error) => void;
}

/** Large contents as files. An object appears under its name only when all its bytes are on disk. */
export async function openDiskBlobStore(options: DiskBlobStoreOptions): Promise<BlobStore> {
  const { directory, onFatal } = options;
  // Workspace ids contain no dot.
  const uploads = join(directory, '.uploads');
  await mkdir(uploads, { recursive: true });
  await syncFolder(directory, onFatal);
  await syncFolder(dirname(directory), onFatal);
  const makeFolder = createFolderMaker(directory, onFatal);
  const fileOf = (key: BlobKey) => {
    const { folder, name } = blobPath(key);
    return join(directory, folder, name);
  };
  return {
    beginUpload: (workspaceId) => beginDiskUpload({ directory, uploads, makeFolder, onFatal }, workspaceId),
    open: async (key, range) => readBlobFile(fileOf(key), range, key.contentHash),
    readPlaceId: () => readLocationId(directory),
    keepPlaceId: (id) => keepLocationId({ directory, uploads, onFatal }, id),
    remove: async (key) => rm(fileOf(key), { force: true }),
    list: (olderThan, workspaceId) => listBlobFiles(directory, olderThan, workspaceId),
    removeAbandonedUploads: (olderThan) => removeAbandonedUploads(uploads, olderThan),
  };
}
