import assert from 'node:assert/strict';
import { test } from 'node:test';
import { approveDeviceCode } from '../../src/service/device/approve-device-code.ts';
import { hashDeviceCode } from '../../src/service/device/device-code.ts';
import { pollDeviceCode } from '../../src/service/device/poll-device-code.ts';
import { sweepDeviceCodes } from '../../src/service/device/sweep-device-codes.ts';
import { listKeys } from '../../src/service/keys/list-keys.ts';
import { type AuthUnderTest, ada, startAuth } from '../auth/support/start-auth.ts';
import { newCode, newWorkspace, signedUp } from './support/device-flow.ts';

const lifetimeMs = 600_000;
const dayMs = 24 * 60 * 60 * 1000;

test('a key that was not fetched in time ends with its code, and the next sweep withdraws it', async () => {
  await using server = await startAuth();
  const owner = await signedUp(server, ada);
  const workspaceId = await newWorkspace(server, owner);
  const { deviceCode, userCode } = await newCode(server);
  await approveDeviceCode(server.deps, owner, { userCode, workspaceId });
  server.advance(lifetimeMs - 1);
  assert.deepEqual(await sweepDeviceCodes(server.deps), { withdrawnKeys: 0, removedCodes: 0 });
  const [key] = await listKeys(server.deps, owner);
  assert.equal(key?.expiresAt, server.deps.clock() + 1);
  server.advance(1);
  assert.deepEqual(await sweepDeviceCodes(server.deps), { withdrawnKeys: 1, removedCodes: 0 });
  assert.deepEqual(await listKeys(server.deps, owner), []);
  assert.equal((await keptCode(server, deviceCode))?.sealedSecret, null);
  await assert.rejects(pollDeviceCode(server.deps, deviceCode), { code: 'expired_token' });
  assert.deepEqual(await sweepDeviceCodes(server.deps), { withdrawnKeys: 0, removedCodes: 0 });
});

test('a fetched key is not swept', async () => {
  await using server = await startAuth();
  const owner = await signedUp(server, ada);
  const workspaceId = await newWorkspace(server, owner);
  const { deviceCode, userCode } = await newCode(server);
  await approveDeviceCode(server.deps, owner, { userCode, workspaceId });
  await pollDeviceCode(server.deps, deviceCode);
  server.advance(2 * dayMs);
  assert.deepEqual(await sweepDeviceCodes(server.deps), { withdrawnKeys: 0, removedCodes: 1 });
  const [key] = await listKeys(server.deps, owner);
  assert.equal(key?.expiresAt, null);
});

test('the outcome of a code is stored for a day, then the code is forgotten', async () => {
  await using server = await startAuth();
  const { deviceCode } = await newCode(server);
  server.advance(lifetimeMs + dayMs - 1);
  await sweepDeviceCodes(server.deps);
  await assert.rejects(pollDeviceCode(server.deps, deviceCode), { code: 'expired_token' });
  server.advance(1);
  assert.deepEqual(await sweepDeviceCodes(server.deps), { withdrawnKeys: 0, removedCodes: 1 });
  await assert.rejects(pollDeviceCode(server.deps, deviceCode), { code: 'invalid_grant' });
});

test('a sweep continues until no code is left, step by step', async () => {
  await using server = await startAuth();
  const codes = await Promise.all(Array.from({ length: 250 }, () => newCode(server)));
  server.advance(lifetimeMs);
  await sweepDeviceCodes(server.deps);
  for (const { deviceCode } of codes) assert.equal((await keptCode(server, deviceCode))?.sealedSecret, null);
  server.advance(dayMs);
  assert.deepEqual(await sweepDeviceCodes(server.deps), { withdrawnKeys: 0, removedCodes: 250 });
});

function keptCode(server: AuthUnderTest, deviceCode: string) {
  return server.deps.store.reader.deviceCodes.findByDeviceCode(hashDeviceCode(deviceCode));
}
