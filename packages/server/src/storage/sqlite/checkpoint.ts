import type { DatabaseSync } from 'node:sqlite';

/** Pages in the log beyond those already copied back that make a checkpoint worth its two fsyncs. */
const checkpointPages = 8000;

/**
 * Copies the log back into the database when it has grown enough, never waiting for readers.
 * @returns a function to call after each commit. It throws what the database throws.
 */
export function createCheckpointer(db: DatabaseSync): () => void {
  const look = db.prepare('pragma wal_checkpoint(noop)');
  const copy = db.prepare('pragma wal_checkpoint(passive)');
  return () => {
    const { log, checkpointed } = pages(look.get());
    if (log - checkpointed >= checkpointPages) copy.get();
  };
}

function pages(row: Record<string, unknown> | undefined): {
  readonly log: number;
  readonly checkpointed: number;
} {
  return { log: Number(row?.log), checkpointed: Number(row?.checkpointed) };
}
