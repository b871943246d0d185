import { readFile } from 'node:fs/promises';

/** What raises how many folders the system watches. */
export const raiseWatches = 'sudo sysctl fs.inotify.max_user_watches=524288';

/** How many folders this user may watch; null where the system has no such limit. */
export async function readWatchesMax(): Promise<number | null> {
  const text = await readFile('/proc/sys/fs/inotify/max_user_watches', 'utf8').catch(() => '');
  return /^\d{1,15}\n?$/.test(text) ? Number(text) : null;
}
