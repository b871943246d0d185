import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { WorkspaceError } from '@stoa/core';

// The sign-in library's own format and cost, `<salt hex>:<key hex>`, so that its hashes and ours are the same.
const cost = { N: 16_384, r: 16, p: 1 };
const keyBytes = 64;
/** 32 MiB each, on the thread pool that files are read with too: more at once would starve the files. */
const atOnce = 2;
const waitingMax = 50;

let running = 0;
const waiting: (() => void)[] = [];

/** @throws WorkspaceError `rate_limited` when too many hashes wait already. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16).toString('hex');
  return `${salt}:${(await deriveKey(password, salt)).toString('hex')}`;
}

/** @throws WorkspaceError `rate_limited` when too many hashes wait already. */
export async function verifyPassword(password: string, kept: string): Promise<boolean> {
  const [salt = '', key = ''] = kept.split(':');
  const expected = Buffer.from(key, 'hex');
  if (salt === '' || expected.length !== keyBytes) throw new Error('a kept password hash is malformed');
  return timingSafeEqual(expected, await deriveKey(password, salt));
}

async function deriveKey(password: string, salt: string): Promise<Buffer> {
  await takeTurn();
  try {
    return await scryptKey(password.normalize('NFKC'), salt);
  } finally {
    endTurn();
  }
}

function scryptKey(password: string, salt: string): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const maxmem = 128 * cost.N * cost.r * 2;
  scrypt(password, salt, keyBytes, { ...cost, maxmem }, (error, key) => {
    if (error === null) resolve(key);
    else reject(error);
  });
  return promise;
}

async function takeTurn(): Promise<void> {
  if (running < atOnce) {
    running += 1;
    return;
  }
  if (waiting.length >= waitingMax) {
    throw new WorkspaceError(
      'rate_limited',
      { retryAfterSeconds: 5 },
      'Too many people are signing in; try again',
    );
  }
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting.push(resolve);
  await promise;
}

// A turn that ends is handed on rather than freed, so that nobody can slip in between.
function endTurn(): void {
  const next = waiting.shift();
  if (next === undefined) running -= 1;
  else next();
}
