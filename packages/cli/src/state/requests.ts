import { randomUUID } from 'node:crypto';
import { existsSync, type FSWatcher, watch } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RequestBox, SyncRequest } from '../engine/ports/request-box.ts';
import { onDiskLater } from './disk-troubles.ts';

const folderName = 'requests';
const waitingMax = 100;
const requestBytesMax = 64 * 1024;
const responseBytesMax = 16 * 1024 * 1024;
const sweptAfterMs = 3600_000;
/** Polling interval in addition to file system events, which a disk may not have. */
const lookEveryMs = 1000;
const requestName = /^[0-9a-f-]{36}\.json$/;

/** Opens the requests of other processes to this one, which holds the folder's lock. */
export async function openRequestBox(hiddenFolder: string): Promise<RequestBox> {
  const folder = join(hiddenFolder, folderName);
  await onDiskLater(hiddenFolder, async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await sweep(folder);
  });
  return {
    async watch(onRequest) {
      const seen = new Set<string>();
      let sweptAt = performance.now();
      const look = async () => {
        if (performance.now() - sweptAt > sweptAfterMs) {
          await sweep(folder);
          sweptAt = performance.now();
        }
        const names = new Set((await readdir(folder)).filter((name) => requestName.test(name)));
        for (const name of seen) if (!names.has(name)) seen.delete(name);
        for (const name of [...names].filter((one) => !seen.has(one)).slice(0, waitingMax)) {
          seen.add(name);
          const id = name.slice(0, -'.json'.length);
          if (existsSync(join(folder, `${id}.done`))) continue;
          const request = await readRequest(join(folder, name));
          if (request === null)
            await writeOutcome(folder, id, { ok: false, error: { code: 'unknown_request' } });
          else onRequest(id, request);
        }
      };
      return lookAtEachChange(folder, look);
    },
    answer: (id, outcome) => writeOutcome(folder, id, outcome),
  };
}

/**
 * Sends a request to the process that works on the folder and waits for the response.
 * @returns null after the timeout or an abort; the request is withdrawn then
 */
export async function askWorkingProcess(
  hiddenFolder: string,
  request: SyncRequest,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal },
): Promise<unknown> {
  const folder = join(hiddenFolder, folderName);
  const id = randomUUID();
  const asked = join(folder, `${id}.json`);
  const responded = join(folder, `${id}.done`);
  await onDiskLater(hiddenFolder, async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeWhole(asked, JSON.stringify(request));
  });
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const looking = lookAtEachChange(folder, async () => {
    const text = await readBounded(responded, responseBytesMax);
    if (text !== null) resolve(JSON.parse(text));
  });
  const giveUp = () => resolve(null);
  const timer = setTimeout(giveUp, timeoutMs);
  signal?.addEventListener('abort', giveUp);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
    looking.close();
    await Promise.all([asked, responded].map((file) => rm(file, { force: true })));
  }
}

/** Calls `look` at once, at each event and at intervals, never concurrently. */
function lookAtEachChange(folder: string, look: () => Promise<void>): { close(): void } {
  let isClosed = false;
  let isLooking = false;
  let isDue = false;
  const run = async () => {
    if (isClosed) return;
    isDue = true;
    if (isLooking) return;
    isLooking = true;
    while (isDue && !isClosed) {
      isDue = false;
      // A missing folder has no requests. The engine detects it.
      await look().catch(() => {});
    }
    isLooking = false;
  };
  let watcher: FSWatcher | null = null;
  try {
    watcher = watch(folder, run);
    watcher.on('error', () => watcher?.close());
  } catch {
    // Without watches, the timer is enough.
  }
  const timer = setInterval(run, lookEveryMs);
  void run();
  return {
    close() {
      isClosed = true;
      watcher?.close();
      clearInterval(timer);
    },
  };
}

async function writeOutcome(folder: string, id: string, outcome: unknown): Promise<void> {
  await writeWhole(join(folder, `${id}.done`), JSON.stringify(outcome));
}

async function writeWhole(file: string, text: string): Promise<void> {
  const part = `${file}.part`;
  await writeFile(part, text, { mode: 0o600 });
  await rename(part, file);
}

async function readBounded(file: string, maxBytes: number): Promise<string | null> {
  const found = await stat(file).catch(() => null);
  if (found === null || !found.isFile() || found.size > maxBytes) return null;
  return readFile(file, 'utf8');
}

async function readRequest(file: string): Promise<SyncRequest | null> {
  const text = await readBounded(file, requestBytesMax);
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return isRequest(value) ? value : null;
  } catch {
    return null;
  }
}

function isRequest(value: unknown): value is SyncRequest {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false;
  const facts = value as Readonly<Record<string, unknown>>;
  switch (facts.kind) {
    case 'sync': {
      const { confirm, undoHeld, isDryRun, maxChanges: max } = facts;
      const isCount = max === null || (Number.isSafeInteger(max) && Number(max) >= 0);
      return [confirm, undoHeld, isDryRun].every((flag) => typeof flag === 'boolean') && isCount;
    }
    case 'accept_ignore':
    case 'resync':
      return true;
    case 'empty_trash':
      return typeof facts.olderThanDays === 'number' && facts.olderThanDays >= 0;
    case 'restore_trash':
      return typeof facts.id === 'string';
    default:
      return false;
  }
}

/** Removes requests and responses that no process collected. */
async function sweep(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    const found = await stat(file).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > sweptAfterMs) await rm(file, { force: true });
  }
}
