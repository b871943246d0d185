// docs/decisions/0014-postgresql-queues.md
import { WorkspaceError } from '@stoa/core';
import type { Script, ScriptContext } from '../../service/ports/script.ts';
import type { Queries } from '../queries/queries.ts';
import { findVerdict, newAttemptId } from './commit-attempt.ts';
import type { Connection } from './connection.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { retryUntil, type Try } from './retry-until.ts';
import { runTransaction } from './run-transaction.ts';
import type { QueuedBatch, QueueName, QueueResult } from './workspace-queues.ts';

/** No attempt begins after the batch's deadline, or waits longer for a lock. */
export type BatchRunner = (queueName: QueueName, batch: QueuedBatch) => Promise<QueueResult>;

/**
 * Runs a batch until its outcome is known. It retries after conflicts and a lost session. After a commit whose response
 * was lost it retries only when the mark says that the commit failed.
 */
export function createBatchRunner(
  pool: ConnectionPool,
  queries: Queries,
  scripts: readonly Script<never, unknown>[],
  context: ScriptContext,
  waitMs: number,
): BatchRunner {
  const byName = new Map(scripts.map((script) => [script.name, script]));
  if (byName.size !== scripts.length) throw new Error('two scripts have the same name');

  return async (queueName, batch) => {
    const tryOnce = async (): Promise<Try<QueueResult>> => {
      const attemptId = newAttemptId();
      const run = (connection: Connection) =>
        runTransaction(connection, { queueName, batch, attemptId }, { queries, byName, context });
      const end = await pool.with(run).catch(endOf);
      switch (end.kind) {
        case 'committed':
          return { kind: 'done', result: end };
        case 'no session':
          return { kind: 'done', result: { kind: 'rolled_back', reason: 'unreachable' } };
        case 'rolled_back':
          return end.reason === 'storage_full'
            ? { kind: 'done', result: { kind: 'rolled_back', reason: 'storage_full' } }
            : { kind: 'again', reason: end.reason };
        case 'unanswered': {
          const verdict = await findVerdict(pool, attemptId, waitMs);
          if (verdict === 'kept') return { kind: 'done', result: { ...end, kind: 'committed' } };
          if (verdict === 'given up') return { kind: 'again', reason: 'unreachable' };
          return { kind: 'done', result: { kind: 'unknown' } };
        }
      }
    };
    const tried = await retryUntil(batch.giveUpAt, tryOnce);
    if (tried.kind === 'done') return tried.result;
    return { kind: 'rolled_back', reason: tried.reason === 'busy' ? 'busy' : 'unreachable' };
  };
}

/** No session was available in time. Rejections of scripts do not get here: they are among the results. */
function endOf(error: unknown): { readonly kind: 'no session' } {
  if (!(error instanceof WorkspaceError)) throw error;
  return { kind: 'no session' };
}
