import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashPassword as libraryHash, verifyPassword as libraryVerify } from 'better-auth/crypto';
import { hashPassword, inHashQueue, verifyPassword } from '../../src/auth/password-hash.ts';

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
  let rounds = 0;
  // Two hashes, one after the other. The first may be done when the first tick begins, and a tick ends before
  // the second is.
  const hashing = hashPassword('slow')
    .then(() => hashPassword('slow, too'))
    .then(() => 'done');
  while ((await Promise.race([hashing, nextTick()])) !== 'done') rounds += 1;
  assert.ok(rounds > 0);
});

test('a flood of sign-ins is rejected beyond the waiting limit, and the rest is served', async () => {
  const work = Promise.withResolvers<void>();
  const flood = Array.from({ length: 60 }, (_, at) =>
    inHashQueue('sign-in', `192.0.${at}.1`, () => work.promise),
  );
  const share = inHashQueue('share', '192.0.2.1', async () => 'unlocked');
  work.resolve();
  const results = await Promise.allSettled(flood);
  const rejected = results.filter(({ status }) => status === 'rejected');
  assert.equal(rejected.length, 8);
  for (const { reason } of rejected.filter((result) => result.status === 'rejected')) {
    assert.equal(reason.code, 'rate_limited');
  }
  assert.equal(await share, 'unlocked');
});

test('a crowd at one queue delays no other queue, and a network delays no other network', async () => {
  const served: string[] = [];
  const hash = (kind: 'known' | 'sign-in' | 'share', name: string, address: string) =>
    inHashQueue(kind, address, async () => void served.push(name));
  const crowd = Array.from({ length: 40 }, (_, at) => hash('share', 'share', `2001:db8::${at}`));
  const strangers = Array.from({ length: 40 }, (_, at) => hash('sign-in', 'stranger', `2001:db8:0:${at}::1`));
  const neighbour = hash('sign-in', 'neighbour', '192.0.2.1');
  const known = hash('known', 'known', '2001:db8:0:1::1');
  await Promise.all([...crowd, ...strangers, neighbour, known]);
  assert.ok(served.indexOf('known') < 6, served.slice(0, 10).join());
  assert.ok(served.indexOf('neighbour') < 10, served.slice(0, 10).join());
});

function nextTick(): Promise<'turn'> {
  return new Promise((resolve) => setImmediate(() => resolve('turn')));
}
