import { open } from 'node:fs/promises';

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
