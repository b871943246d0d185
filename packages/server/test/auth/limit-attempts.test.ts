import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKnownDevices } from '../../src/auth/known-device.ts';
import { ada, bob, cookieOf, startAuth } from './support/start-auth.ts';

const guess = { email: ada.email, password: 'cheap to hash wrong' };

test('guesses beyond the limit of a minute are rejected, with the time to retry', async () => {
  await using server = await startAuth({ signinLimit: 3 });
  server.advance(15_000);
  for (let i = 0; i < 3; i += 1) assert.equal((await server.post('sign-in/email', guess)).status, 401);
  await assert.rejects(server.post('sign-in/email', guess), {
    code: 'rate_limited',
    details: { retryAfterSeconds: 45 },
  });
  server.advance(45_000);
  assert.equal((await server.post('sign-in/email', guess)).status, 401);
});

test('sign-ups and sign-ins share the allowance, other requests do not use it up', async () => {
  await using server = await startAuth({ signinLimit: 2, signup: 'closed' });
  await assert.rejects(server.post('sign-up/email', ada), { code: 'registration_closed' });
  for (let i = 0; i < 5; i += 1) await server.get('get-session');
  assert.equal((await server.post('sign-in/email', guess)).status, 401);
  await assert.rejects(server.post('sign-in/email', guess), { code: 'rate_limited' });
});

test('each address has its own allowance, an IPv6 customer one for all of theirs', async () => {
  await using server = await startAuth({ signinLimit: 1 });
  const from = (clientAddress: string) => server.post('sign-in/email', guess, { clientAddress });
  assert.equal((await from('192.0.2.1')).status, 401);
  assert.equal((await from('192.0.2.2')).status, 401);
  assert.equal((await from('2001:db8::1')).status, 401);
  await assert.rejects(from('2001:db8::2'), { code: 'rate_limited' });
  await assert.rejects(from('::ffff:192.0.2.1'), { code: 'rate_limited' });
});

test('a limit of 0 means no limit', async () => {
  await using server = await startAuth({ signinLimit: 0 });
  for (let i = 0; i < 25; i += 1) assert.equal((await server.post('sign-in/email', {})).status, 400);
});

test('the networks that an address is part of have an allowance together', async () => {
  await using server = await startAuth({ signinLimit: 1 });
  const from = (clientAddress: string, email: string) =>
    server.post('sign-in/email', { ...guess, email }, { clientAddress });
  const statusesOf = async (addresses: readonly string[]) => {
    const statuses: (number | string)[] = [];
    for (const [at, address] of addresses.entries()) {
      const response = await from(address, `p${at}@example.com`).catch((error) => error);
      statuses.push(response instanceof Response ? response.status : response.code);
    }
    return statuses;
  };
  const seven = (address: (at: number) => string) => Array.from({ length: 7 }, (_, at) => address(at));
  const fiveOfSeven = [...Array(5).fill(401), 'rate_limited', 'rate_limited'];
  assert.deepEqual(await statusesOf(seven((at) => `2001:db8:0:${at}::1`)), fiveOfSeven);
  assert.deepEqual(await statusesOf(seven((at) => `192.0.2.${at}`)), fiveOfSeven);
  assert.equal((await from('2001:db8:0:100::1', 'b@example.com')).status, 401, 'a neighbour is kept out');
  assert.equal((await from('192.0.3.1', 'c@example.com')).status, 401);
});

test('a flood of guesses from one network provider does not block sign-in from others', async () => {
  await using server = await startAuth({ signinLimit: 1 });
  await server.post('sign-up/email', ada, { clientAddress: '198.51.100.1' });
  server.advance(60_000);
  const flood = Array.from({ length: 120 }, (_, at) =>
    server
      .post(
        'sign-in/email',
        { ...guess, email: `p${at}@example.com` },
        { clientAddress: `2001:db8:${at}::1` },
      )
      .then(
        ({ status }) => status,
        (error) => error.code,
      ),
  );
  const victim = await server.post('sign-in/email', ada, { clientAddress: '203.0.113.9' });
  assert.equal(victim.status, 200);
  const outcomes = await Promise.all(flood);
  assert.ok(outcomes.filter((outcome) => outcome === 401).length <= 50);
});

test('a user with a known browser is not blocked by a crowd', async () => {
  await using server = await startAuth({ signinLimit: 1 });
  const cookie = cookieOf(await server.post('sign-up/email', ada, { clientAddress: '192.0.2.1' }));
  server.advance(60_000);
  for (let at = 10; at < 15; at += 1) {
    await server.post('sign-in/email', { ...guess, email: bob.email }, { clientAddress: `192.0.2.${at}` });
  }
  const signIn = (clientAddress: string, facts: { cookie?: string }) =>
    server.post('sign-in/email', ada, { clientAddress, ...facts });
  await assert.rejects(signIn('192.0.2.20', {}), { code: 'rate_limited' });
  assert.equal((await signIn('192.0.2.21', { cookie })).status, 200);
  await assert.rejects(
    signIn('192.0.2.22', { cookie }),
    { code: 'rate_limited' },
    'a cookie is worth one address',
  );
  server.advance(60_000);
  for (let at = 10; at < 15; at += 1) {
    await server.post('sign-in/email', { ...guess, email: bob.email }, { clientAddress: `192.0.2.${at}` });
  }
  const asBob = { ...guess, email: bob.email };
  await assert.rejects(server.post('sign-in/email', asBob, { clientAddress: '192.0.2.30', cookie }), {
    code: 'rate_limited',
  });
});

test('many guesses at an account slow its sign-in, and never lock it', async () => {
  await using server = await startAuth({ signinLimit: 2 });
  const cookie = cookieOf(await server.post('sign-up/email', ada, { clientAddress: '192.0.2.1' }));
  let network = 0;
  const from = (body: unknown, facts = {}) => {
    network += 1;
    return server.post('sign-in/email', body, { clientAddress: `10.${network}.0.1`, ...facts });
  };
  while (server.pauses.length === 0) {
    assert.ok(network < 30, 'guesses at one account are never slowed');
    assert.equal((await from(guess)).status, 401);
  }
  assert.ok(network >= 20, 'slips are slowed');
  assert.equal((await from({ ...guess, email: bob.email })).status, 401);
  const before = server.pauses.length;
  assert.equal((await from(ada, { cookie })).status, 200);
  assert.equal(server.pauses.length, before, 'the owner was held up in a browser that they use');
  assert.equal((await from(ada)).status, 200, 'the owner was locked out');
  assert.equal(server.pauses.length, before + 1);
});

test('the cookie of a known browser names no user, and is valid for its account and its time', async () => {
  await using server = await startAuth();
  const response = await server.post('sign-up/email', ada);
  const line = response.headers.getSetCookie().find((each) => each.includes('_known=')) ?? '';
  assert.match(
    line,
    /^stoa-[0-9a-f]{8}_known=\d+\.[A-Za-z0-9_-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/,
  );
  const devices = createKnownDevices(server.deps);
  const cookie = `a=b; ${line.split(';', 1)[0]}`;
  assert.equal(devices.isKnown(cookie, ada.email.toUpperCase()), true);
  assert.equal(devices.isKnown(cookie, bob.email), false);
  assert.equal(devices.isKnown(cookie.replace(/\d{5}\./, '99999.'), ada.email), false);
  assert.equal(devices.isKnown(null, ada.email), false);
  server.advance(91 * 24 * 60 * 60_000);
  assert.equal(devices.isKnown(cookie, ada.email), false);
});
