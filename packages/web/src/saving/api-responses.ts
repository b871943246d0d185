import { StoaApiError, StoaConnectionError, type WriteOutcome } from '@stoa/client';
import type { Failure, PutResponse } from './messages.ts';

/** @param hash of the sent bytes */
export function resultOfWrite(outcome: WriteOutcome, hash: string): PutResponse {
  switch (outcome.kind) {
    case 'created':
      return { kind: 'saved', version: outcome.version, hash, isNew: true };
    case 'updated':
    case 'unchanged':
      return { kind: 'saved', version: outcome.version, hash, isNew: false };
    case 'conflict':
      return {
        kind: 'kept_aside',
        currentVersion: outcome.currentVersion,
        copyPath: outcome.conflictCopyPath,
        hash,
      };
    case 'refused':
      return { kind: 'refused', currentVersion: outcome.currentVersion };
    case 'precondition_required':
      return { kind: 'taken' };
    case 'quota_exceeded':
    case 'file_count_exceeded':
    case 'history_exceeded':
      return { kind: 'full' };
  }
}

/** @param pauseMs returns how long to wait, given the time that the server asked for */
export function resultOfFailedWrite(
  error: unknown,
  pauseMs: (retryAfterSeconds: number | null) => number,
): PutResponse {
  if (error instanceof StoaApiError) {
    const { status, data, message, code } = error;
    if (status === 402) return { kind: 'read_only' };
    const limit = data.limit_bytes;
    if (status === 413 && typeof limit === 'number') return { kind: 'too_large', limitBytes: limit };
    // The server's disk is full: nothing was changed, and retrying soon does not help.
    if (code === 'storage_full') return { kind: 'rejected', message };
    const passes = status === 401 || status === 403 || status === 404 || status === 408 || status === 429;
    if (status < 500 && !passes) return { kind: 'rejected', message };
  }
  return failureOf(error, pauseMs);
}

export function failureOf(error: unknown, pauseMs: (retryAfterSeconds: number | null) => number): Failure {
  if (error instanceof StoaApiError) {
    const { status, retryAfterSeconds, code } = error;
    if (status === 401) return { kind: 'signed_out' };
    if (status === 403 || status === 404) return { kind: 'gone' };
    // Only the server itself can say that it did nothing, not a proxy that responds for it.
    const isOwnWord = retryAfterSeconds !== null || code !== null;
    if (isOwnWord && (status === 429 || status === 503))
      return { kind: 'busy', pauseMs: pauseMs(retryAfterSeconds) };
    return { kind: 'lost', pauseMs: pauseMs(retryAfterSeconds) };
  }
  if (error instanceof StoaConnectionError) return { kind: 'lost', pauseMs: pauseMs(null) };
  throw error;
}
