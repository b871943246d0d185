import { readFile } from 'node:fs/promises';

/** Command that raises the limit of watched folders. */
export const raiseWatches = 'sudo sysctl fs.inotify.max_user_watches=524288';

/** Limit of folders that this user can watch; null if the system has none. */
export async function readWatchesMax(): Promise<number | null> {
  const text = await readFile('/proc/sys/fs/inotify/max_user_watches', 'utf8').catch(() => '');
  return /^\d{1,15}\n?$/.test(text) ? Number(text) : null;
}
