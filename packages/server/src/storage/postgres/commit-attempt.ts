// docs/decisions/0015-commit-marks.md
import { randomUUID } from 'node:crypto';
import { WorkspaceError } from '@stoa/core';
import { escapeLiteral } from 'pg';
import type { ConnectionPool } from './connection-pool.ts';
import { PostgresError } from './postgres-error.ts';
import { retryUntil } from './retry-until.ts';

export type Verdict = 'kept' | 'given up';

export function newAttemptId(): string {
  return randomUUID();
}

/**
 * SQL that commits a transaction: it writes a mark, so that an existing mark proves the commit. It removes the
 * statement timeout: otherwise a commit that waits for a replica could be cut short and count as replicated.
 */
export function commitText(attemptId: string): string {
  return `set local statement_timeout = 0;
    insert into commit_attempt (id, verdict) values (${escapeLiteral(attemptId)}, 'kept');
    commit`;
}

/**
 * Determines the outcome of a commit whose response was lost. Writing the same mark waits while the lost session is
 * still active. After that, either the commit's mark exists, or this one does and the commit can never succeed.
 * @returns null when the database could not be reached in time.
 */
export async function findVerdict(
  pool: ConnectionPool,
  attemptId: string,
  waitMs: number,
): Promise<Verdict | null> {
  const asked = await retryUntil<Verdict | null>(performance.now() + waitMs, async () => {
    try {
      return await pool.with(async (connection) => {
        await connection.once(
          `insert into commit_attempt (id, verdict) values ($1, 'given up') on conflict (id) do nothing`,
          [attemptId],
        );
        const { rows } = await connection.once('select verdict from commit_attempt where id = $1', [
          attemptId,
        ]);
        const verdict = rows[0]?.verdict;
        if (verdict !== 'kept' && verdict !== 'given up')
          throw new Error('a commit left no mark that can be read');
        return { kind: 'done', result: verdict };
      });
    } catch (reason) {
      if (reason instanceof PostgresError) return { kind: 'again', reason };
      // No session was available in time.
      if (reason instanceof WorkspaceError) return { kind: 'done', result: null };
      throw reason;
    }
  });
  return asked.kind === 'done' ? asked.result : null;
}
