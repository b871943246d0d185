import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from './sync-folder.ts';

/** Makes a folder below the store's, given its path from there. Resolves when its name is on disk. */
export type FolderMaker = (folder: string) => Promise<void>;

/** How many folders are remembered as made: beyond that they are only made sure of again. */
const rememberedFoldersMax = 10_000;

/**
 * A folder that exists may have been made by an upload that is still making its name durable, or by a process that was
 * stopped before it did. So each is made sure of once in this process, and whoever needs it meanwhile waits for that.
 */
export function createFolderMaker(directory: string, onFatal: (error: Error) => void): FolderMaker {
  const made = new Map<string, Promise<void>>();
  const make = async (folder: string) => {
    await mkdir(join(directory, folder), { recursive: true });
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
