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
 * Runs an fsync. After a failed one the system forgets what it could not write, so that trying again would succeed
 * without the bytes: the caller fails and the process stops.
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

/** Makes a folder and those above it, for nobody else to read. Resolves when their names are on disk. */
export async function makeFolders(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  const top = dirname(resolve(first ?? folder));
  let above = resolve(folder);
  do {
    above = dirname(above);
    await syncFolder(above, () => {});
  } while (above !== top && above !== dirname(above));
}

/** Makes a folder below the store's, given its path from there. Resolves when its name is on disk. */
export type FolderMaker = (folder: string) => Promise<void>;

/** Asked for all at once, Node takes what it has no name for, as a reached quota, for a folder that is missing. */
async function makeEach(directory: string, folder: string): Promise<void> {
  const above = dirname(folder);
  if (above !== '.') await makeEach(directory, above);
  await mkdir(join(directory, folder)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

/** How many folders are remembered as made. Beyond that each is only made durable again. */
const rememberedFoldersMax = 10_000;

/**
 * A folder that exists may have been made by an upload that is still making its name durable, or by a process that was
 * stopped before it did. So each is made durable once in this process, and others that need it meanwhile wait for that.
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
