import { join } from 'node:path';
import { makeBackup } from '../../packages/server/src/backup/make-backup.ts';
import { readManifest } from '../../packages/server/src/backup/manifest.ts';
import { putBack } from '../../packages/server/src/backup/put-back.ts';
import { openDiskBlobStore } from '../../packages/server/src/storage/blobs/disk/open-disk-blob-store.ts';

const quietly = () => {};

const openBlobsOf = (dataDir: string) =>
  openDiskBlobStore({
    directory: join(dataDir, 'blobs'),
    onFatal: (error) => {
      throw error;
    },
  });

/** Adds a backup of a data directory, in this process. @returns its name. */
export async function backUp(dataDir: string, directory: string): Promise<string> {
  const database = {
    kind: 'sqlite',
    file: join(dataDir, 'stoa.db'),
    sessionSecretFile: join(dataDir, 'session-secret'),
  } as const;
  const source = { database, blobs: await openBlobsOf(dataDir) };
  return (await makeBackup(source, directory, { readKept: false }, quietly)).name;
}

export async function restore(directory: string, name: string, dataDir: string): Promise<void> {
  const target = { dataDir, openBlobs: () => openBlobsOf(dataDir) };
  await putBack(directory, await readManifest(directory, name), target, quietly);
}
