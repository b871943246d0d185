import type { FromWorker, ToWorker } from './parse-messages.ts';

/** Told of what a text turns out to be, part by part. */
export interface ParseListener {
  heard(message: FromWorker): void;
  /** The text takes too long, or the worker broke: it can only be shown as its source. */
  gaveUp(): void;
}

/** Between two parts. Some texts are made to be slow; the largest block of an ordinary one is far below it. */
const silenceMaxMs = 20_000;

interface Running {
  readonly worker: Worker;
  readonly listeners: Map<number, ParseListener>;
  timer: ReturnType<typeof setTimeout> | null;
}

let running: Running | null = null;
let lastId = 0;

/** Has a markdown text parsed in the worker. What it returns ends that. */
export function parseMarkdown(source: string, listener: ParseListener): () => void {
  const { worker, listeners } = startWorker();
  lastId += 1;
  const id = lastId;
  listeners.set(id, listener);
  post(worker, { kind: 'read', id, source });
  watch();
  return () => {
    if (!listeners.delete(id)) return;
    post(worker, { kind: 'stop', id });
    watch();
  };
}

function startWorker(): Running {
  if (running !== null) return running;
  const worker = new Worker(new URL('./parse.worker.ts', import.meta.url), { type: 'module' });
  running = { worker, listeners: new Map(), timer: null };
  const { listeners } = running;
  worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
    const listener = listeners.get(data.id);
    if (data.kind === 'done') listeners.delete(data.id);
    watch();
    listener?.heard(data);
  });
  worker.addEventListener('error', giveUp);
  return running;
}

/** Waits for the next part of those that are being read. */
function watch(): void {
  if (running === null) return;
  if (running.timer !== null) clearTimeout(running.timer);
  running.timer = running.listeners.size === 0 ? null : setTimeout(giveUp, silenceMaxMs);
}

/** A worker cannot be interrupted: it is ended, and the next text starts another. */
function giveUp(): void {
  const ended = running;
  if (ended === null) return;
  running = null;
  if (ended.timer !== null) clearTimeout(ended.timer);
  ended.worker.terminate();
  for (const listener of ended.listeners.values()) listener.gaveUp();
}

function post(worker: Worker, message: ToWorker): void {
  worker.postMessage(message);
}
