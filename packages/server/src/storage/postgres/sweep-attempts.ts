import type { ConnectionPool } from './connection-pool.ts';

/** Removes old commit marks, a bounded step at a time. */
export interface AttemptSweeper {
  /** Counts a commit, and starts a step after many. */
  committed(): void;
  /** Resolves when no step is running. */
  settle(): Promise<void>;
}

/** Much longer than any node asks for the outcome of a commit. */
const keptMs = 60 * 60_000;
/** A step removes more than the commits between two steps can add. */
const commitsPerStep = 500;
const marksPerStep = 5_000;

export function createAttemptSweeper(
  pool: ConnectionPool,
  reportProblem: (message: string, cause: unknown) => void,
): AttemptSweeper {
  let commits = 0;
  let step: Promise<void> | null = null;
  const sweep = async () => {
    try {
      await pool.with((connection) =>
        connection.once(
          `delete from commit_attempt where id in (
            select id from commit_attempt where made_at < extract(epoch from clock_timestamp()) * 1000 - $1::bigint
            order by made_at limit $2 for update skip locked)`,
          [keptMs, marksPerStep],
        ),
      );
    } catch (error) {
      reportProblem('marks of old commits could not be removed yet', error);
    } finally {
      step = null;
    }
  };
  return {
    committed() {
      commits += 1;
      if (step !== null || commits % commitsPerStep !== 0) return;
      step = sweep();
    },
    async settle() {
      await step;
    },
  };
}
