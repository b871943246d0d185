import { parentPort, workerData } from 'node:worker_threads';
import { failureAt } from './full-disk.ts';
import { openConnection } from './open-connection.ts';

export type ToCopier = 'copy' | 'close';
export type FromCopier = 'ended';

/**
 * The thread that checkpoints the log of a database, as far as no reader needs it, without blocking writers. A failed
 * fsync ends it with an uncaught error, and the process with it.
 */
const port = parentPort;
if (port === null) throw new Error('the log is copied in a worker thread');
const db = openConnection(String(workerData), 'read');
const copy = db.prepare('pragma wal_checkpoint(passive)');
port.on('message', (message: ToCopier) => {
  if (message === 'close') {
    db.close();
    port.close();
    return;
  }
  copyUnlessFull();
  const ended: FromCopier = 'ended';
  port.postMessage(ended);
});

function copyUnlessFull(): void {
  try {
    copy.get();
  } catch (error) {
    // The log keeps the pages that could not be copied.
    const failure = failureAt(String(workerData), error);
    if (failure?.kind !== 'storage_full' && failure?.kind !== 'busy') throw error;
  }
}
