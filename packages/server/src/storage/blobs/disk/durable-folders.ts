import { mkdir, open } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** Makes names in a folder durable: a rename is on disk only after this. */
export async function syncFolder(folder: string, onFatal: (error: Error) => void): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await syncOrStop(() => handle.sync(), onFatal);
  } finally {
    await handle.close();
  }
}

/**
 * Runs an fsync. After a failed one the system drops the data that it could not write, so that a retry would succeed
 * without it: the caller fails and the process stops.
 */
export async function syncOrStop(sync: () => Promise<void>, onFatal: (error: Error) => void): Promise<void> {
  try {
    await sync();
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error));
    onFatal(failure);
    throw failure;
  }
}

/** Creates a folder and its parents, readable by this user only. Resolves when their names are on disk. */
export async function makeFolders(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  const top = dirname(resolve(first ?? folder));
  let above = resolve(folder);
  do {
    above = dirname(above);
    await syncFolder(above, () => {});
  } while (above !== top && above !== dirname(above));
}

/** Creates a folder, given its path below the store's. Resolves when its name is on disk. */
export type FolderMaker = (folder: string) => Promise<void>;

/**
 * Creates one level at a time: with `recursive`, Node mistakes errors that it has no name for, such as a reached quota,
 * for a missing folder.
 */
async function makeEach(directory: string, folder: string): Promise<void> {
  const above = dirname(folder);
  if (above !== '.') await makeEach(directory, above);
  await mkdir(join(directory, folder)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

/** Maximum number of folders in the cache. Folders beyond it are made durable again. */
const rememberedFoldersMax = 10_000;

/**
 * Makes each folder durable once per process, because another upload may still be making its name durable, or a process
 * may have stopped before that. Concurrent callers wait for the same run.
 */
export function createFolderMaker(directory: string, onFatal: (error: Error) => void): FolderMaker {
  const made = new Map<string, Promise<void>>();
  const make = async (folder: string) => {
    await mkdir(join(directory, folder), { recursive: true }).catch(() => makeEach(directory, folder));
    for (let name = folder; name !== '.'; name = dirname(name)) {
      await syncFolder(join(directory, dirname(name)), onFatal);
    }
  };
  return (folder) => {
    const known = made.get(folder);
    if (known !== undefined) return known;
    if (made.size >= rememberedFoldersMax) made.clear();
    const making = make(folder);
    made.set(folder, making);
    making.catch(() => made.delete(folder));
    return making;
  };
}
