// docs/decisions/0085-a-thread-copies-the-log-back.md
import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import type { FromCopier, ToCopier } from './copy-log.ts';
import { busyTimeoutMs } from './open-connection.ts';

/** Copies the log back beside the writer. */
export interface LogCopier {
  /** Not called again before it has said how this ended. */
  copy(): void;
  /** Ends the copy that runs, then the thread. */
  close(): Promise<void>;
}

export interface LogCheckpoints {
  /** To be called after each commit. @throws what the database throws */
  afterCommit(): void;
  close(): Promise<void>;
}

/** Longer than a turn of the event loop takes, so that its snapshot ends meanwhile. */
const waitForReadersMs = 20;
/** Up to this share of the pages that make a checkpoint worth it, the writer copies what is left itself. */
const tailShare = 1 / 8;
/** From so many times these pages on the writer copies itself, however much there is. */
const longTimes = 4;

/**
 * Copies the log back into the database when it has grown by `checkpointPages` pages. That takes two fsyncs and a write of
 * each page, so another thread does it while commits go on; what came meanwhile is copied in the same way until little is
 * left. Only that the writer copies itself, since a log begins at its start again only when all of it is copied and no
 * reader needs it: under load the event loop reads from one snapshot after the other, and the writer waits for that, but
 * no longer than shortly. What a longer read keeps from being copied is left until the log has grown as much again.
 *
 * @param db the writer's connection
 * @param startCopier is called when there is something to copy for the first time, with what it has to call when a copy ended.
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
  /** How long the log was when it was last tried. */
  let triedAt = 0;

  const logPages = () => {
    const row = look.get();
    const [log, copied] = [Number(row?.log), Number(row?.checkpointed)];
    // It began at its start again.
    if (log < triedAt) triedAt = 0;
    return { log, copied, open: log - copied };
  };
  const copyBeside = (pages: typeof before) => {
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
    // All of it was copied, and a commit began at the start again.
    if (log < before.log) return;
    if (open <= tailPages || log >= longPages) copyHere(log);
    else if (copied > before.copied) copyBeside({ log, copied });
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
        copyBeside({ log, copied });
      }
    },
    async close() {
      await copier?.close();
    },
  };
}

/**
 * The thread that copies the log of this file. It ends with the thread that started it.
 * @param onEnd is called when a copy ended, also when there was no room for it.
 * @param onFailure is called when the database failed otherwise: the process must stop.
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
