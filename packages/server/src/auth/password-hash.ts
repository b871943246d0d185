import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { WorkspaceError } from '@stoa/core';
import { createSemaphore, type SemaphoreBounds } from '../concurrency/semaphore.ts';
import { addressNetworks } from '../service/people/address-bucket.ts';

// The sign-in library's own format and cost, `<salt hex>:<key hex>`, so that its hashes and ours are interchangeable.
const cost = { N: 16_384, r: 16, p: 1 };
const keyBytes = 64;
/** Each hash takes 32 MiB and a thread of the pool that also reads files. More at once would starve file reads. */
const atOnce = 2;
const bounds: SemaphoreBounds = {
  waitingMax: 150,
  waitingOfOneMax: 50,
  waitMs: 20_000,
  overloadError: rejection,
};
const queue = createSemaphore(atOnce, bounds);

/** The kind of password hash. Each kind has its own queue, and the queues are served fairly. */
export type HashQueue =
  /** A user who signed in from this browser before. */
  | 'known'
  | 'sign-in'
  /** The passwords of share links, which anyone may try. */
  | 'share';

/**
 * Runs password hashing from a queue. Within a kind the queue is fair among networks, and among the addresses of a
 * network.
 * @throws WorkspaceError `rate_limited` if too many wait, or one waited too long
 */
export function inHashQueue<Result>(
  kind: HashQueue,
  clientAddress: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const networks = addressNetworks(clientAddress).map(({ name }) => name);
  return queue.run(work, kind, ...networks.reverse());
}

function rejection(): WorkspaceError {
  const text = 'Too many passwords are being checked; try again shortly';
  return new WorkspaceError('rate_limited', { retryAfterSeconds: 5 }, text);
}

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16).toString('hex');
  return `${salt}:${(await deriveKey(password, salt)).toString('hex')}`;
}

export async function verifyPassword(password: string, kept: string): Promise<boolean> {
  const [salt = '', key = ''] = kept.split(':');
  const expected = Buffer.from(key, 'hex');
  if (salt === '' || expected.length !== keyBytes) throw new Error('a kept password hash is malformed');
  return timingSafeEqual(expected, await deriveKey(password, salt));
}

function deriveKey(password: string, salt: string): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const maxmem = 128 * cost.N * cost.r * 2;
  scrypt(password.normalize('NFKC'), salt, keyBytes, { ...cost, maxmem }, (error, key) => {
    if (error === null) resolve(key);
    else reject(error);
  });
  return promise;
}
