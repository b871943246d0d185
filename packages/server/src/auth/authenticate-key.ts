import { WorkspaceError } from '@stoa/core';
import { refuseEndedKey } from '../service/access/standing.ts';
import type { Caller } from '../service/access/workspace-access.ts';
import { hashApiKey } from '../service/keys/api-key-secret.ts';
import { touchKeyScript } from '../service/keys/touch-key.ts';
import type { KeyRow } from '../service/ports/keys.ts';
import type { AuthDeps } from './auth-deps.ts';

const touchEveryMilliseconds = 10 * 60_000;

/**
 * Who presents a key. Nothing is remembered between requests, so that a revoked key fails at the next one on every
 * node; the cost is a SHA-256 and one query.
 * @throws WorkspaceError `invalid_api_key` with the `reason` (interface: access, Credentials).
 */
export function keyAuthenticator(
  deps: Pick<AuthDeps, 'store' | 'clock' | 'reportProblem'>,
): (presented: string) => Promise<Caller> {
  const touch = keyToucher(deps);
  return async (presented) => {
    const secretHash = hashApiKey(presented);
    const found = secretHash === null ? null : await deps.store.reader.keys.findByHash(secretHash);
    if (found === null) throw new WorkspaceError('invalid_api_key', { reason: 'INVALID_API_KEY' });
    const { key, userName } = found;
    const now = deps.clock();
    refuseEndedKey(key, now);
    touch(key, now);
    const { id, userId, name, principal, workspaceId } = key;
    return {
      actor: { principal, userId, keyId: id, keyLabel: name, userName },
      credential: { via: 'key', credentialId: id, userId },
      scopedTo: workspaceId,
    };
  };
}

/** Samples the last use without making the request wait. A failure is reported; the next use tries again. */
function keyToucher(deps: Pick<AuthDeps, 'store' | 'reportProblem'>): (key: KeyRow, now: number) => void {
  // One write for a key at a time: a burst of requests would queue one each before the first is kept.
  const beingTouched = new Set<string>();
  return ({ id, lastUsedAt }, now) => {
    if (lastUsedAt !== null && now - lastUsedAt < touchEveryMilliseconds) return;
    if (beingTouched.has(id)) return;
    beingTouched.add(id);
    deps.store
      .transact(touchKeyScript, { keyId: id, usedAt: now })
      .catch((cause: unknown) => deps.reportProblem("a key's last use could not be noted", cause))
      .finally(() => beingTouched.delete(id));
  };
}
