import type { MessagePort } from 'node:worker_threads';
import type { BatchResult, QueuedScript } from '../batches.ts';

/** Messages to the writer. Results come in the order of the batches. */
export type ToWriter =
  | { readonly kind: 'batch'; readonly scripts: readonly QueuedScript[] }
  /** The last message: all batches have their results. */
  | { readonly kind: 'close' };

export type FromWriter =
  | { readonly kind: 'ready' }
  | { readonly kind: 'batch'; readonly result: BatchResult };

export interface WriterLoop {
  run(scripts: readonly QueuedScript[]): Promise<BatchResult>;
  /** Called after the results of each commit were sent. */
  committed(): void;
  close(): Promise<void>;
}

/** Receives batches, and makes one commit of each, one after the other. */
export function serveBatches(port: MessagePort, loop: WriterLoop): void {
  const say = (message: FromWriter) => port.postMessage(message);
  let hasFailed = false;
  let worked = Promise.resolve();

  async function commit(scripts: readonly QueuedScript[]): Promise<void> {
    if (hasFailed) return;
    const result = await loop.run(scripts);
    say({ kind: 'batch', result });
    if (result.kind === 'fatal') {
      hasFailed = true;
      port.close();
    }
    if (result.kind === 'committed') loop.committed();
  }

  async function close(): Promise<void> {
    await loop.close();
    port.close();
  }

  port.on('message', (message: ToWriter) => {
    // An error ends the thread, which the store treats as fatal.
    worked = worked.then(() => (message.kind === 'batch' ? commit(message.scripts) : close()));
  });
  say({ kind: 'ready' });
}
