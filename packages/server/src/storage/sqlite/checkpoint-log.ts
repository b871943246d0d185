// docs/speed.md
import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import type { FromCopier, ToCopier } from './copy-log.ts';
import { busyTimeoutMs } from './open-connection.ts';

/** Checkpoints the log in another thread, while the writer continues. */
export interface LogCopier {
  /** Must not be called again before the copy has ended. */
  copy(): void;
  /** Waits for the running copy, then ends the thread. */
  close(): Promise<void>;
}

export interface LogCheckpoints {
  /** Must be called after each commit. @throws database errors */
  afterCommit(): void;
  close(): Promise<void>;
}

/** Longer than a tick of the event loop, so that its snapshot ends within this time. */
const waitForReadersMs = 20;
/** Up to this share of the pages of a checkpoint, the writer copies the rest itself. */
const tailShare = 1 / 8;
/** From this multiple of the checkpoint's pages on, the writer copies any amount itself. */
const longTimes = 4;

/**
 * Checkpoints the log when it has grown by `checkpointPages` pages. That takes two fsyncs and a write of each page, so
 * another thread does it while commits continue. It repeats for pages that arrive in the meantime until few are left.
 * The writer copies only this rest itself, because a log restarts only when all of it is copied and no reader needs it.
 * Under load the event loop reads from one snapshot after the other, and the writer waits for that, but only briefly.
 * Pages that a longer read still needs stay until the log has grown as much again.
 *
 * @param db the writer's connection
 * @param startCopier called for the first copy, with the function to call when a copy has ended.
 */
export function createLogCheckpoints(
  db: DatabaseSync,
  checkpointPages: number,
  startCopier: (onEnd: () => void) => LogCopier,
): LogCheckpoints {
  const look = db.prepare('pragma wal_checkpoint(noop)');
  const copyAndStartOver = db.prepare('pragma wal_checkpoint(restart)');
  const tailPages = checkpointPages * tailShare;
  const longPages = checkpointPages * longTimes;
  let copier: LogCopier | null = null;
  let isCopying = false;
  let before = { log: 0, copied: 0 };
  /** Length of the log at the last attempt. */
  let triedAt = 0;

  const logPages = () => {
    const row = look.get();
    const [log, copied] = [Number(row?.log), Number(row?.checkpointed)];
    // The log has restarted.
    if (log < triedAt) triedAt = 0;
    return { log, copied, open: log - copied };
  };
  const copyPath = (pages: typeof before) => {
    copier ??= startCopier(onEnd);
    isCopying = true;
    before = pages;
    copier.copy();
  };
  const copyHere = (log: number) => {
    triedAt = log;
    db.exec(`pragma busy_timeout = ${waitForReadersMs}`);
    try {
      copyAndStartOver.get();
    } finally {
      db.exec(`pragma busy_timeout = ${busyTimeoutMs}`);
    }
  };
  const onEnd = () => {
    isCopying = false;
    const { log, copied, open } = logPages();
    // All of it was copied, and a commit has restarted the log.
    if (log < before.log) return;
    if (open <= tailPages || log >= longPages) copyHere(log);
    else if (copied > before.copied) copyPath({ log, copied });
    // A reader needs the rest, or there is no room.
    else triedAt = log;
  };

  return {
    afterCommit() {
      const { log, copied, open } = logPages();
      const grown = log - triedAt;
      if (log >= longPages) {
        if (grown >= tailPages) copyHere(log);
      } else if (!isCopying && open >= checkpointPages && grown >= checkpointPages) {
        copyPath({ log, copied });
      }
    },
    async close() {
      await copier?.close();
    },
  };
}

/**
 * Starts the thread that checkpoints the log of this file. It ends with the thread that started it.
 * @param onEnd called when a copy ended, even when there was no room for it.
 * @param onFailure called when the database failed otherwise: the process must stop.
 */
export function startLogCopier(
  file: string,
  onEnd: () => void,
  onFailure: (error: unknown) => void,
): LogCopier {
  const worker = new Worker(new URL('./copy-log.ts', import.meta.url), { workerData: file, name: 'log' });
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const post = (message: ToCopier) => worker.postMessage(message);
  worker.on('message', (_ended: FromCopier) => onEnd());
  worker.on('error', onFailure);
  worker.unref();
  return {
    copy: () => post('copy'),
    async close() {
      post('close');
      await exited;
    },
  };
}
