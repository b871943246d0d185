import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashPassword as libraryHash, verifyPassword as libraryVerify } from 'better-auth/crypto';
import { hashPassword, verifyPassword } from '../../src/auth/password-hash.ts';

test('a password verifies against its own hash and no other', async () => {
  const kept = await hashPassword('analytical engine');
  assert.equal(await verifyPassword('analytical engine', kept), true);
  assert.equal(await verifyPassword('analytical engines', kept), false);
});

test('the same password hashes differently each time', async () => {
  assert.notEqual(await hashPassword('same'), await hashPassword('same'));
});

test("hashes are interchangeable with the sign-in library's", async () => {
  assert.equal(await verifyPassword('päss', await libraryHash('päss')), true);
  assert.equal(await libraryVerify({ password: 'päss', hash: await hashPassword('päss') }), true);
});

test('a composed and a decomposed accent are the same password', async () => {
  assert.equal(await verifyPassword('pa\u0308ss', await hashPassword('p\u00e4ss')), true);
});

test('hashing leaves the event loop free', async () => {
  let turns = 0;
  const hashing = hashPassword('slow').then(() => 'done');
  while ((await Promise.race([hashing, nextTurn()])) !== 'done') turns += 1;
  assert.ok(turns > 0);
});

test('a flood of sign-ins is refused beyond what may wait, and the rest is served', async () => {
  const results = await Promise.allSettled(Array.from({ length: 55 }, () => hashPassword('flood')));
  const refused = results.filter(({ status }) => status === 'rejected');
  assert.equal(refused.length, 3);
  for (const { reason } of refused.filter((result) => result.status === 'rejected')) {
    assert.equal(reason.code, 'rate_limited');
  }
});

function nextTurn(): Promise<'turn'> {
  return new Promise((resolve) => setImmediate(() => resolve('turn')));
}
