import type { AttemptLimit } from '@stoa/core';
import { addressBucket } from '../people/address-bucket.ts';
import { admitAttemptScript } from '../people/admit-attempt.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { findShared } from './find-shared.ts';
import { findViewer, type ShareOpening, type ShareVisit } from './open-share.ts';

/** Passwords tried on one link from one address: enough for typing errors, too few for guessing. */
const triesPerAddress: AttemptLimit = { max: 10, windowSeconds: 10 * 60 };
/** From all addresses together: limits guessing from many addresses. */
const triesPerShare: AttemptLimit = { max: 300, windowSeconds: 60 * 60 };

const unlockedForMs = 12 * 60 * 60 * 1000;

export type ShareUnlock =
  | { readonly kind: 'unlocked'; readonly proof: string; readonly unlockedForSeconds: number }
  | { readonly kind: 'wrong_password' }
  /** Also for a link without a password. */
  | Extract<ShareOpening, { kind: 'unknown' | 'sign_in' }>;

/**
 * Tries a link's password.
 * @throws WorkspaceError `rate_limited`, `invalid_api_key`
 */
export async function unlockShare(
  deps: Pick<ServiceDeps, 'store' | 'clock' | 'shareKeys'>,
  visit: Pick<ShareVisit, 'token' | 'findCaller'> & {
    readonly password: string;
    readonly clientAddress: string;
  },
  verifyPassword: (password: string, kept: string) => Promise<boolean>,
): Promise<ShareUnlock> {
  const found = await findShared(deps, visit.token, '');
  if (found === null || found.share.passwordHash === null) return { kind: 'unknown' };
  const { share } = found;
  const viewer = await findViewer(deps, share, visit);
  if (viewer.kind !== 'viewer') return viewer;
  const now = deps.clock();
  const admit = (bucket: string, limit: AttemptLimit) =>
    deps.store.transact(admitAttemptScript, { bucket, limit, now });
  await admit(`share:${share.id}:${addressBucket(visit.clientAddress)}`, triesPerAddress);
  await admit(`share:${share.id}`, triesPerShare);
  if (!(await verifyPassword(visit.password, found.share.passwordHash))) return { kind: 'wrong_password' };
  const proof = deps.shareKeys.proveUnlocked(share, now + unlockedForMs);
  return { kind: 'unlocked', proof, unlockedForSeconds: unlockedForMs / 1000 };
}
