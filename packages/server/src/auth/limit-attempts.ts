import { WorkspaceError } from '@stoa/core';
import { createSemaphore, type SemaphoreBounds } from '../concurrency/semaphore.ts';
import { addressNetworks } from '../service/people/address-bucket.ts';
import { type AttemptCount, countAttemptsScript } from '../service/people/count-attempts.ts';
import type { AuthDeps } from './auth-deps.ts';
import type { AuthRequest } from './auth-request.ts';
import { createKnownDevices } from './known-device.ts';
import { inHashQueue } from './password-hash.ts';

/** Limits guesses at passwords by address, by its networks and by account. */
export interface AttemptLimiter {
  /**
   * Runs one guess. Counts are in the database, so that all nodes share them.
   * @param email of the account; null if the request does not name one
   * @throws WorkspaceError `rate_limited` with `retryAfterSeconds`
   */
  run(
    request: Pick<AuthRequest, 'clientAddress' | 'cookie'>,
    email: string | null,
    guess: () => Promise<Response>,
  ): Promise<Response>;
  /**
   * Counts an attempt without password hashing, separately from the others.
   * @throws WorkspaceError `rate_limited` with `retryAfterSeconds`
   */
  admit(request: Pick<AuthRequest, 'clientAddress'>, what: 'provider' | 'provider-return'): Promise<void>;
}

const windowMs = 60_000;
const accountWindowMs = 10 * 60_000;
/** Guesses at one account within its window that are not delayed. */
const accountFreeGuesses = 20;
/** Further guesses run one at a time, each after a pause: this slows attackers without locking out the owner. */
const accountPauseMs = 1000;
const accountBounds: SemaphoreBounds = {
  atOnceOfOne: 1,
  waitingMax: 200,
  waitingOfOneMax: 10,
  waitMs: 20_000,
  overloadError: tooManyAttempts,
};
const accountsAtOnce = 100;

export function createAttemptLimiter(
  deps: Pick<AuthDeps, 'store' | 'clock' | 'signinLimit' | 'baseUrl' | 'secret' | 'pause'>,
): AttemptLimiter {
  const devices = createKnownDevices(deps);
  const slowAccounts = createSemaphore(accountsAtOnce, accountBounds);
  const { signinLimit } = deps;

  /** @returns whether all counts are within their limits */
  async function count(counts: readonly AttemptCount[], lengthMs: number): Promise<boolean> {
    const now = deps.clock();
    const windowStart = now - (now % lengthMs);
    return deps.store.transact(countAttemptsScript, {
      counts,
      windowStart,
      windowEnd: windowStart + lengthMs,
    });
  }

  async function requireWithin(counts: readonly AttemptCount[]): Promise<void> {
    if (await count(counts, windowMs)) return;
    const now = deps.clock();
    const retryAfterSeconds = Math.ceil((windowMs - (now % windowMs)) / 1000);
    throw new WorkspaceError('rate_limited', { retryAfterSeconds });
  }

  async function guessAsStranger(address: string, email: string | null, guess: () => Promise<Response>) {
    const [, ...networks] = addressNetworks(address);
    await requireWithin(
      networks.map(({ name, share }) => ({ bucket: `signin:${name}`, max: signinLimit * share })),
    );
    const queued = () => inHashQueue('sign-in', address, guess);
    if (email === null) return queued();
    const account = devices.tagOf(email);
    const wanted = { bucket: `signin-account:${account}`, max: accountFreeGuesses };
    if (await count([wanted], accountWindowMs)) return queued();
    return slowAccounts.run(async () => {
      await deps.pause(accountPauseMs);
      return queued();
    }, account);
  }

  async function isAdmittedAsKnown(cookie: string | null, email: string | null): Promise<boolean> {
    if (email === null || !devices.isKnown(cookie, email)) return false;
    // A cookie that is passed around counts as one address.
    return count([{ bucket: `signin-known:${devices.tagOf(email)}`, max: signinLimit }], windowMs);
  }

  return {
    async run({ clientAddress, cookie }, email, guess) {
      const unlimited = signinLimit === 0;
      const [own] = addressNetworks(clientAddress);
      if (!unlimited) await requireWithin([{ bucket: `signin:${own.name}`, max: signinLimit }]);
      const isKnown = unlimited || (await isAdmittedAsKnown(cookie, email));
      const response = isKnown
        ? await inHashQueue(unlimited ? 'sign-in' : 'known', clientAddress, guess)
        : await guessAsStranger(clientAddress, email, guess);
      if (email !== null && response.ok) response.headers.append('set-cookie', devices.remember(email));
      return response;
    },
    async admit({ clientAddress }, what) {
      if (signinLimit === 0) return;
      const counts = addressNetworks(clientAddress).map(({ name, share }) => ({
        bucket: `${what}:${name}`,
        max: signinLimit * share,
      }));
      await requireWithin(counts);
    },
  };
}

function tooManyAttempts(): WorkspaceError {
  const text = 'Too many sign-ins to this account right now; try again shortly';
  return new WorkspaceError('rate_limited', { retryAfterSeconds: 10 }, text);
}
