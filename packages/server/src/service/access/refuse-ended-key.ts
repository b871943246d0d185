import { WorkspaceError } from '@stoa/core';
import type { KeyRow } from '../ports/keys.ts';

/**
 * Whether a key is good now: one answer for the start of a request and for the moment of its change.
 * @param key null for one that nobody was given.
 * @throws WorkspaceError `invalid_api_key` with the `reason`.
 */
export function refuseEndedKey(
  key: Pick<KeyRow, 'deletedAt' | 'disabled' | 'expiresAt'> | null,
  now: number,
): void {
  const reason = endOf(key, now);
  if (reason !== null) throw new WorkspaceError('invalid_api_key', { reason });
}

function endOf(key: Parameters<typeof refuseEndedKey>[0], now: number): string | null {
  if (key === null) return 'INVALID_API_KEY';
  if (key.deletedAt !== null) return 'KEY_NOT_FOUND';
  if (key.disabled) return 'KEY_DISABLED';
  if (key.expiresAt !== null && key.expiresAt <= now) return 'KEY_EXPIRED';
  return null;
}
