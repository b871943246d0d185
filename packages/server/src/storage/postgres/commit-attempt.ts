// docs/decisions/0027-commits-without-an-answer.md
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
 * What commits a transaction: its mark is written in it, so that a mark that is found proves the commit. No limit
 * for the statement: a commit that waits for a replica must not be cut short and then be taken for replicated.
 */
export function commitText(attemptId: string): string {
  return `set local statement_timeout = 0;
    insert into commit_attempt (id, verdict) values (${escapeLiteral(attemptId)}, 'kept');
    commit`;
}

/**
 * Finds out what became of a commit whose answer was lost. Writing the same mark waits while the lost session still works
 * on it. After that, either the mark of the commit is there, or ours is and the commit can never be made any more.
 * @returns null when the database could not be asked in time.
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
      // No session was to be had, for long enough.
      if (reason instanceof WorkspaceError) return { kind: 'done', result: null };
      throw reason;
    }
  });
  return asked.kind === 'done' ? asked.result : null;
}
