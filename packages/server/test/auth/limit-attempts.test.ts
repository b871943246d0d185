import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ada, startAuth } from './support/start-auth.ts';

const guess = { email: ada.email, password: 'wrong password' };

test('guesses beyond the allowance of a minute are refused, and told when to come back', async () => {
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

test('a limit of 0 is no limit', async () => {
  await using server = await startAuth({ signinLimit: 0 });
  for (let i = 0; i < 25; i += 1) assert.equal((await server.post('sign-in/email', {})).status, 400);
});
