import type { FromWorker, ToWorker } from './parse-messages.ts';

/** Receives the parts of a text. */
export interface ParseListener {
  heard(message: FromWorker): void;
  /** The text takes too long, or the worker failed: show its source instead. */
  gaveUp(): void;
}

/** Timeout between two parts. Some texts are crafted to be slow; ordinary blocks take far less. */
const silenceMaxMs = 20_000;

interface Running {
  readonly worker: Worker;
  readonly listeners: Map<number, ParseListener>;
  timer: ReturnType<typeof setTimeout> | null;
}

let running: Running | null = null;
let lastId = 0;

/** Parses a Markdown text in the worker. Returns a function that stops it. */
export function parseMarkdown(source: string, listener: ParseListener): () => void {
  const { worker, listeners } = startWorker();
  const id = begin(listener, (id) => ({ kind: 'read', id, source }));
  return () => {
    if (!listeners.delete(id)) return;
    post(worker, { kind: 'stop', id });
    watch();
  };
}

/** Sends the worker a message under a new id, and returns the id. */
export function begin(listener: ParseListener, message: (id: number) => ToWorker): number {
  const { worker, listeners } = startWorker();
  lastId += 1;
  listeners.set(lastId, listener);
  post(worker, message(lastId));
  watch();
  return lastId;
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

/** Restarts the timeout for the next part. */
function watch(): void {
  if (running === null) return;
  if (running.timer !== null) clearTimeout(running.timer);
  running.timer = running.listeners.size === 0 ? null : setTimeout(giveUp, silenceMaxMs);
}

/** A running worker cannot be interrupted: terminate it; the next text starts another. */
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
