import type { DatabaseSync } from 'node:sqlite';
import type { Executor } from '../queries/executor.ts';

/**
 * What is read in one turn of the event loop is read from one snapshot: a statement by itself costs three system calls,
 * one in a transaction none.
 */
export interface ReadTurn {
  /** The snapshot that is read from; null when the next statement begins one. No number comes twice. */
  readonly snapshot: number | null;
  /** Begins the snapshot if there is none: called before each statement. */
  begin(): number;
  /** What is read from here on is no older than this moment. */
  end(): void;
}

export function createReadTurn(db: DatabaseSync): ReadTurn {
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

/** The statements of `executor`, in the turn's snapshot. */
export function inTurn(executor: Executor, turn: ReadTurn): Executor {
  return {
    all(sql, values) {
      turn.begin();
      return executor.all(sql, values);
    },
    get(sql, values) {
      turn.begin();
      return executor.get(sql, values);
    },
    run(sql, values) {
      turn.begin();
      return executor.run(sql, values);
    },
    once(sql, values) {
      turn.begin();
      return executor.once(sql, values);
    },
    breathe: () => executor.breathe(),
  };
}
