import { type AttemptLimit, decideAttempt, WorkspaceError } from '@stoa/core';
import { defineScript } from '../ports/script.ts';
import type { Transaction } from '../ports/transaction.ts';

interface AdmitAttempt {
  readonly bucket: string;
  readonly limit: AttemptLimit;
  readonly now: number;
}

/**
 * Counts one attempt, inside the transaction of the attempted action. The database stores the counts, so that all nodes
 * share them.
 * @throws WorkspaceError `rate_limited` with `retryAfterSeconds`
 */
export async function admitAttempt(tx: Transaction, { bucket, limit, now }: AdmitAttempt): Promise<void> {
  const decision = decideAttempt(await tx.write.lockAttempts(bucket), now, limit);
  switch (decision.kind) {
    case 'refused':
      throw new WorkspaceError('rate_limited', { retryAfterSeconds: decision.retryAfterSeconds });
    case 'allowed':
      await tx.write.keepAttempts(bucket, decision.attempts, now + limit.windowSeconds * 1000);
      return;
  }
}

/** Counts one attempt in a separate transaction, so that it stays counted when the action is rejected. */
export const admitAttemptScript = defineScript<AdmitAttempt, void>('people.admitAttempt', admitAttempt);
