import { WorkspaceError } from '@stoa/core';
import { addressBucket } from '../service/people/address-bucket.ts';
import { countAttemptScript } from '../service/people/count-attempt.ts';
import type { AuthDeps } from './auth-deps.ts';

const windowMilliseconds = 60_000;

/**
 * Counts one guess at a password from this address. The count is in the database, so that all nodes share it.
 * @throws WorkspaceError `rate_limited` with `retryAfterSeconds` once the minute's allowance is used up.
 */
export async function limitAttempts(
  deps: Pick<AuthDeps, 'store' | 'clock' | 'signinLimit'>,
  clientAddress: string,
): Promise<void> {
  if (deps.signinLimit === 0) return;
  const now = deps.clock();
  const windowStart = now - (now % windowMilliseconds);
  const windowEnd = windowStart + windowMilliseconds;
  const bucket = `signin:${addressBucket(clientAddress)}`;
  const attempts = await deps.store.transact(countAttemptScript, { bucket, windowStart, windowEnd });
  if (attempts <= deps.signinLimit) return;
  const retryAfterSeconds = Math.ceil((windowEnd - now) / 1000);
  throw new WorkspaceError('rate_limited', { retryAfterSeconds });
}
