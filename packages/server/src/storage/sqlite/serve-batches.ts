// docs/speed.md
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { BatchResult, QueuedScript } from '../batches.ts';

/** Messages to the writer. Each thread gets results in the order of its batches. */
export type ToWriter =
  | { readonly kind: 'batch'; readonly scripts: readonly QueuedScript[] }
  /** The last `changed` was read: another may be sent. */
  | { readonly kind: 'heard' }
  /** Another thread that writes, by its port. Only sent by the thread that started the writer. */
  | { readonly kind: 'join'; readonly port: MessagePort }
  /** Sent by the thread that started the writer, after all others have ended. */
  | { readonly kind: 'close' };

export type FromWriter =
  | { readonly kind: 'ready' }
  | { readonly kind: 'batch'; readonly result: BatchResult }
  /** Feeds that batches of other threads have extended. */
  | { readonly kind: 'changed'; readonly workspaceIds: readonly string[] };

interface Sender {
  readonly port: MessagePort;
  /** Batches that were sent and did not run yet: its queue limits their number. */
  readonly batches: (readonly QueuedScript[])[];
  /** Workspaces to notify it about, in one message once it has processed the previous one. */
  readonly unconfirmed: Set<string>;
  isHearing: boolean;
}

export interface WriterLoop {
  run(scripts: readonly QueuedScript[]): Promise<BatchResult>;
  /** Called after the results of each commit were sent. */
  committed(): void;
  close(): Promise<void>;
}

/**
 * Receives batches from the thread that started the writer, and from those that join. One commit takes a batch of each
 * thread that has one, so that threads share fsyncs as the scripts of one thread do.
 */
export function serveBatches(starter: MessagePort, loop: WriterLoop): void {
  const senders = new Set<Sender>();
  let isWorking = false;
  let worked = Promise.resolve();

  function join(port: MessagePort): void {
    const sender: Sender = { port, batches: [], unconfirmed: new Set(), isHearing: false };
    senders.add(sender);
    port.on('message', (message: ToWriter) => take(sender, message));
    port.once('close', () => senders.delete(sender));
  }

  function take(sender: Sender, message: ToWriter): void {
    switch (message.kind) {
      case 'batch':
        sender.batches.push(message.scripts);
        // An error ends the thread, which the store treats as fatal.
        if (!isWorking) worked = work();
        return;
      case 'heard':
        sender.isHearing = false;
        report(sender);
        return;
      case 'join':
        join(message.port);
        return;
      case 'close':
        void end();
        return;
    }
  }

  /** A thread that was terminated can have left a batch running. */
  async function end(): Promise<void> {
    await worked;
    await loop.close();
    starter.close();
  }

  async function work(): Promise<void> {
    isWorking = true;
    for (;;) {
      for (const sender of senders) lookFor(sender);
      const asking = [...senders].filter(({ batches }) => batches.length > 0);
      if (asking.length === 0) break;
      if (!(await commit(asking))) return;
    }
    isWorking = false;
  }

  /** Takes messages from a thread that have arrived but were not delivered yet, up to one batch. */
  function lookFor(sender: Sender): void {
    while (senders.size > 1 && sender.batches.length === 0) {
      const received = receiveMessageOnPort(sender.port);
      if (received === undefined) return;
      take(sender, received.message);
    }
  }

  /** @returns false when nothing more can be written. */
  async function commit(asking: readonly Sender[]): Promise<boolean> {
    const batches = asking.map((sender) => ({ sender, scripts: sender.batches.shift() ?? [] }));
    const result = await loop.run(batches.flatMap(({ scripts }) => scripts));
    let from = 0;
    for (const { sender, scripts } of batches) {
      sendResult(sender, partOf(result, from, from + scripts.length));
      from += scripts.length;
    }
    if (result.kind === 'fatal') {
      for (const { port } of senders) port.close();
      return false;
    }
    if (result.kind === 'committed') {
      for (const sender of senders) {
        if (asking.includes(sender)) continue;
        for (const workspaceId of result.changedWorkspaces) sender.unconfirmed.add(workspaceId);
        report(sender);
      }
      loop.committed();
    }
    return true;
  }

  join(starter);
  starter.postMessage({ kind: 'ready' } satisfies FromWriter);
}

function sendResult({ port }: Sender, result: BatchResult): void {
  port.postMessage({ kind: 'batch', result } satisfies FromWriter);
}

function report(sender: Sender): void {
  if (sender.isHearing || sender.unconfirmed.size === 0) return;
  sender.isHearing = true;
  sender.port.postMessage({ kind: 'changed', workspaceIds: [...sender.unconfirmed] } satisfies FromWriter);
  sender.unconfirmed.clear();
}

/** Returns the result for the thread that sent scripts `from` to `to`. Every thread learns which feeds have grown. */
function partOf(result: BatchResult, from: number, to: number): BatchResult {
  if (result.kind !== 'committed' || (from === 0 && to === result.results.length)) return result;
  return { ...result, results: result.results.slice(from, to) };
}
