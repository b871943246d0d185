import assert from 'node:assert/strict';
import { test } from 'node:test';
import { approveDeviceCode } from '../../src/service/device/approve-device-code.ts';
import { lookUpDeviceCode } from '../../src/service/device/look-up-device-code.ts';
import { ada, bob, startAuth } from '../auth/support/start-auth.ts';
import { newCode, newWorkspace, signedUp } from './support/device-flow.ts';

const second = 1000;
const minute = 60 * second;

test('an address gets five codes in any ten minutes, and learns when the next one is due', async () => {
  await using server = await startAuth();
  const ask = () => newCode(server, '192.0.2.1');
  for (let i = 0; i < 5; i += 1) {
    await ask();
    server.advance(minute);
  }
  await assert.rejects(ask(), { code: 'rate_limited', details: { retryAfterSeconds: 300 } });
  server.advance(5 * minute - 1);
  await assert.rejects(ask(), { code: 'rate_limited', details: { retryAfterSeconds: 1 } });
  server.advance(1);
  await ask();
  await assert.rejects(ask(), { code: 'rate_limited', details: { retryAfterSeconds: 60 } });
});

test('of many requests at once from one address five get a code', async () => {
  await using server = await startAuth();
  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => newCode(server, '192.0.2.1')));
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 5);
});

test('each address has its own allowance, an IPv6 customer one for all of theirs', async () => {
  await using server = await startAuth();
  for (let i = 0; i < 5; i += 1) await newCode(server, `2001:db8::${i + 1}`);
  await assert.rejects(newCode(server, '2001:db8::ffff'), { code: 'rate_limited' });
  await newCode(server, '2001:db8:0:1::1');
  await newCode(server, '192.0.2.2');
});

test('a person tries ten approvals in any fifteen minutes, right or wrong', async () => {
  await using server = await startAuth({ signup: 'open' });
  const owner = await signedUp(server, ada);
  const workspaceId = await newWorkspace(server, owner);
  const { userCode } = await newCode(server);
  for (let i = 0; i < 9; i += 1) {
    const guess = approveDeviceCode(server.deps, owner, { userCode: 'CCCC-CCCC', workspaceId });
    await assert.rejects(guess, { code: 'invalid_grant' });
  }
  server.advance(minute);
  await approveDeviceCode(server.deps, owner, { userCode, workspaceId });
  const next = () => approveDeviceCode(server.deps, owner, { userCode, workspaceId });
  await assert.rejects(next(), { code: 'rate_limited', details: { retryAfterSeconds: 14 * 60 } });
  server.advance(14 * minute - 1);
  await assert.rejects(next(), { code: 'rate_limited' });
  server.advance(1);
  await assert.rejects(next(), { code: 'expired_token' });

  const other = await signedUp(server, bob);
  const theirs = await newWorkspace(server, other);
  const fresh = await newCode(server);
  await approveDeviceCode(server.deps, other, { userCode: fresh.userCode, workspaceId: theirs });
});

test('codes cannot be found by repeated look-ups', async () => {
  await using server = await startAuth();
  const owner = await signedUp(server, ada);
  const { userCode } = await newCode(server);
  for (let i = 0; i < 60; i += 1) {
    await assert.rejects(lookUpDeviceCode(server.deps, owner, 'no code at all'), { code: 'invalid_grant' });
  }
  await assert.rejects(lookUpDeviceCode(server.deps, owner, userCode), { code: 'rate_limited' });
});
