import type { DatabaseSync } from 'node:sqlite';
import type { Executor } from '../queries/executor.ts';

/** Reads within one tick share a snapshot: a statement alone costs three system calls, one in a transaction none. */
export interface ReadSlot {
  /** The current snapshot; null when the next statement begins one. Numbers are never reused. */
  readonly snapshot: number | null;
  /** Begins a snapshot unless one is open: called before each statement. */
  begin(): number;
  /** From now on, no read returns anything older than this moment. */
  end(): void;
}

export function createReadSlot(db: DatabaseSync): ReadSlot {
  const statements = { begin: db.prepare('begin'), commit: db.prepare('commit') };
  let snapshot: number | null = null;
  let snapshots = 0;
  let endIsPlanned = false;
  const end = () => {
    if (snapshot === null) return;
    snapshot = null;
    // A statement that failed can have ended the transaction already.
    if (db.isTransaction) statements.commit.run();
  };
  return {
    get snapshot() {
      return snapshot;
    },
    begin() {
      if (snapshot !== null) return snapshot;
      statements.begin.run();
      snapshots += 1;
      snapshot = snapshots;
      if (!endIsPlanned) {
        endIsPlanned = true;
        setImmediate(() => {
          endIsPlanned = false;
          end();
        });
      }
      return snapshot;
    },
    end,
  };
}

/** Runs the statements of `executor` in the tick's snapshot. */
export function inOrder(executor: Executor, slot: ReadSlot): Executor {
  return {
    all(sql, values) {
      slot.begin();
      return executor.all(sql, values);
    },
    get(sql, values) {
      slot.begin();
      return executor.get(sql, values);
    },
    run(sql, values) {
      slot.begin();
      return executor.run(sql, values);
    },
    once(sql, values) {
      slot.begin();
      return executor.once(sql, values);
    },
    stepRows: executor.stepRows,
    breathe: () => executor.breathe(),
  };
}
