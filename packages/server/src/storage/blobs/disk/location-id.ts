import { randomBytes } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder, syncOrStop } from './durable-folders.ts';

/** Workspace ids contain no dot. */
const fileName = '.place-id';

/** @returns null when none is stored. */
export async function readLocationId(directory: string): Promise<string | null> {
  try {
    return await readFile(join(directory, fileName), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** @param uploads a folder on the same file system, for incomplete files */
export async function keepLocationId(
  location: {
    readonly directory: string;
    readonly uploads: string;
    readonly onFatal: (error: Error) => void;
  },
  id: string,
): Promise<void> {
  const { directory, uploads, onFatal } = location;
  const draft = join(uploads, randomBytes(8).toString('hex'));
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(id);
    await syncOrStop(() => handle.sync(), onFatal);
  } finally {
    await handle.close();
  }
  await rename(draft, join(directory, fileName));
  await syncFolder(directory, onFatal);
}
