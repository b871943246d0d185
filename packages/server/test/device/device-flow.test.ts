import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { WorkspaceError } from '@stoa/core';
import { type Caller, openWorkspace } from '../../src/service/access.ts';
import { approveDeviceCode } from '../../src/service/device/approve-device-code.ts';
import { denyDeviceCode } from '../../src/service/device/deny-device-code.ts';
import { hashDeviceCode } from '../../src/service/device/device-code.ts';
import { lookUpDeviceCode } from '../../src/service/device/look-up-device-code.ts';
import { pollDeviceCode } from '../../src/service/device/poll-device-code.ts';
import { createKey } from '../../src/service/keys/create-key.ts';
import { listKeys } from '../../src/service/keys/list-keys.ts';
import { revokeKey } from '../../src/service/keys/revoke-key.ts';
import { type AuthUnderTest, ada, bob, startAuth, startOfTime } from '../auth/support/start-auth.ts';
import { deleteKeysOfScript } from '../support/test-scripts.ts';
import { newCode, newWorkspace, signedUp } from './support/device-flow.ts';

const lifetimeMs = 600_000;

interface Flow extends AsyncDisposable {
  readonly server: AuthUnderTest;
  readonly owner: Caller;
  readonly workspaceId: string;
}

async function startFlow(): Promise<Flow> {
  const server = await startAuth({ signup: 'open' });
  const owner = await signedUp(server, ada);
  const workspaceId = await newWorkspace(server, owner);
  return { server, owner, workspaceId, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

function withKey({ auth }: AuthUnderTest, apiKey: string): Promise<Caller> {
  return auth.authenticate({ apiKey, cookie: null });
}

async function fetchKey(flow: Flow, deviceCode: string) {
  const outcome = await pollDeviceCode(flow.server.deps, deviceCode);
  assert.equal(outcome.kind, 'approved');
  if (outcome.kind !== 'approved') throw new Error('not approved');
  return outcome;
}

test('a device waits, a person approves, and the device gets a key that works for good', async () => {
  await using flow = await startFlow();
  const { server, owner, workspaceId } = flow;
  const { deviceCode, userCode } = await newCode(server);
  assert.deepEqual(await pollDeviceCode(server.deps, deviceCode), { kind: 'pending' });
  const { keyId } = await approveDeviceCode(server.deps, owner, { userCode, workspaceId });
  server.advance(5000);
  const fetched = await fetchKey(flow, deviceCode);
  assert.deepEqual([fetched.keyId, fetched.workspaceId], [keyId, workspaceId]);
  server.advance(10 * lifetimeMs);
  const caller = await withKey(server, fetched.secret);
  assert.equal(caller.scopedTo, workspaceId);
  assert.deepEqual([caller.actor.principal, caller.actor.keyLabel], ['human', 'service-cli']);
  assert.equal(caller.actor.userId, owner.actor.userId);
  await openWorkspace(server.deps, caller, workspaceId);
});

test('the person chooses the name and who uses the key', async () => {
  await using flow = await startFlow();
  const { server, owner, workspaceId } = flow;
  const { deviceCode, userCode } = await newCode(server);
  const choice = { userCode, workspaceId, name: 'Robot', actorType: 'agent' };
  await approveDeviceCode(server.deps, owner, choice);
  const { actor } = await withKey(server, (await fetchKey(flow, deviceCode)).secret);
  assert.deepEqual([actor.principal, actor.keyLabel], ['agent', 'Robot']);
});

test('a device may be given a narrow key, whose days outlast the code', async () => {
  await using flow = await startFlow();
  const { server, owner, workspaceId } = flow;
  const { deviceCode, userCode } = await newCode(server);
  const narrow = { access: 'comment', path: 'notes', expiresInDays: 1 } as const;
  await approveDeviceCode(server.deps, owner, { userCode, workspaceId, ...narrow });
  const { secret } = await fetchKey(flow, deviceCode);
  const caller = await withKey(server, secret);
  assert.deepEqual(caller.grant, { access: 'comment', path: 'notes' });
  server.advance(24 * 3_600_000 - 10_000);
  await withKey(server, secret);
  server.advance(10_000);
  await assert.rejects(withKey(server, secret), { details: { reason: 'KEY_EXPIRED' } });
});

test('of a thousand polls at once exactly one gets the key', async () => {
  await using flow = await startFlow();
  const { server, owner, workspaceId } = flow;
  const { deviceCode, userCode } = await newCode(server);
  await approveDeviceCode(server.deps, owner, { userCode, workspaceId });
  const polls = await Promise.allSettled(
    Array.from({ length: 1000 }, () => pollDeviceCode(server.deps, deviceCode)),
  );
  const responses = polls.map((poll) =>
    poll.status === 'fulfilled' ? poll.value.kind : codeOf(poll.reason),
  );
  const counts = Object.fromEntries(
    [...Map.groupBy(responses, String)].map(([kind, all]) => [kind, all.length]),
  );
  assert.deepEqual(counts, { approved: 1, already_consumed: 999 });
});

test('an early poll gets slow_down, and counts as the poll before the next', async () => {
  await using flow = await startFlow();
  const { server, owner, workspaceId } = flow;
  const { deviceCode, userCode } = await newCode(server);
  const poll = () => pollDeviceCode(server.deps, deviceCode);
  await poll();
  server.advance(4999);
  await assert.rejects(poll(), { code: 'slow_down', details: { retryAfterSeconds: 5 } });
  server.advance(4999);
  await assert.rejects(poll(), { code: 'slow_down' });
  await approveDeviceCode(server.deps, owner, { userCode, workspaceId });
  await assert.rejects(poll(), { code: 'slow_down' });
  server.advance(5000);
  assert.equal((await poll()).kind, 'approved');
  await assert.rejects(poll(), { code: 'already_consumed' });
});

test('the database does not contain the key', async () => {
  await using flow = await startFlow();
  const { server, owner, workspaceId } = flow;
  const { deviceCode, userCode } = await newCode(server);
  await approveDeviceCode(server.deps, owner, { userCode, workspaceId });
  const kept = async () => {
    const files = await Promise.all(
      ['stoa.db', 'stoa.db-wal'].map((name) => readFile(join(server.dataDir, name), 'latin1')),
    );
    return files.join('');
  };
  const before = await kept();
  const { secret } = await fetchKey(flow, deviceCode);
  for (const bytes of [before, await kept()]) {
    assert.ok(bytes.includes(userCode), 'the database was not read');
    assert.ok(!bytes.includes(secret));
    assert.ok(!bytes.includes(deviceCode));
  }
  const code = await server.deps.store.reader.deviceCodes.findByDeviceCode(hashDeviceCode(deviceCode));
  assert.equal(code?.sealedSecret, null);
});

test('a code ends ten minutes after it was made', async () => {
  await using flow = await startFlow();
  const { server, owner, workspaceId } = flow;
  const { deviceCode, userCode } = await newCode(server);
  server.advance(lifetimeMs - 1);
  assert.equal((await pollDeviceCode(server.deps, deviceCode)).kind, 'pending');
  await lookUpDeviceCode(server.deps, owner, userCode);
  server.advance(1);
  const expired = { code: 'expired_token' };
  await assert.rejects(pollDeviceCode(server.deps, deviceCode), expired);
  await assert.rejects(lookUpDeviceCode(server.deps, owner, userCode), expired);
  await assert.rejects(approveDeviceCode(server.deps, owner, { userCode, workspaceId }), expired);
  await assert.rejects(denyDeviceCode(server.deps, owner, userCode), expired);
  assert.deepEqual(await listKeys(server.deps, owner), []);
});

test('a denied device gets access_denied until its code ends', async () => {
  await using flow = await startFlow();
  const { server, owner, workspaceId } = flow;
  const { deviceCode, userCode } = await newCode(server);
  await denyDeviceCode(server.deps, owner, userCode);
  await denyDeviceCode(server.deps, owner, userCode);
  const denied = { code: 'access_denied' };
  await assert.rejects(pollDeviceCode(server.deps, deviceCode), denied);
  await assert.rejects(pollDeviceCode(server.deps, deviceCode), denied);
  await assert.rejects(approveDeviceCode(server.deps, owner, { userCode, workspaceId }), denied);
  server.advance(lifetimeMs);
  await assert.rejects(pollDeviceCode(server.deps, deviceCode), { code: 'expired_token' });
});

test('an approval can be taken back until the key was fetched', async () => {
  await using flow = await startFlow();
  const { server, owner, workspaceId } = flow;
  const { deviceCode, userCode } = await newCode(server);
  await approveDeviceCode(server.deps, owner, { userCode, workspaceId });
  await denyDeviceCode(server.deps, owner, userCode);
  await assert.rejects(pollDeviceCode(server.deps, deviceCode), { code: 'access_denied' });
  assert.deepEqual(await listKeys(server.deps, owner), []);
});

test('a fetched key survives later denials and approvals of its code, and its end', async () => {
  await using flow = await startFlow();
  const { server, owner, workspaceId } = flow;
  const { deviceCode, userCode } = await newCode(server);
  await approveDeviceCode(server.deps, owner, { userCode, workspaceId });
  const { secret } = await fetchKey(flow, deviceCode);
  const consumed = { code: 'already_consumed' };
  await assert.rejects(denyDeviceCode(server.deps, owner, userCode), consumed);
  await assert.rejects(approveDeviceCode(server.deps, owner, { userCode, workspaceId }), consumed);
  server.advance(lifetimeMs);
  await assert.rejects(pollDeviceCode(server.deps, deviceCode), consumed);
  await withKey(server, secret);
});

test('a key that was revoked before it was fetched is not delivered', async () => {
  await using flow = await startFlow();
  const { server, owner, workspaceId } = flow;
  const revoked = await newCode(server);
  const { keyId } = await approveDeviceCode(server.deps, owner, { userCode: revoked.userCode, workspaceId });
  await revokeKey(server.deps, owner, keyId);
  await assert.rejects(pollDeviceCode(server.deps, revoked.deviceCode), { code: 'access_denied' });

  const left = await newCode(server);
  await approveDeviceCode(server.deps, owner, { userCode: left.userCode, workspaceId });
  const { userId } = owner.actor;
  await server.deps.store.transact(deleteKeysOfScript, { userId, workspaceId, deletedAt: startOfTime });
  await assert.rejects(pollDeviceCode(server.deps, left.deviceCode), { code: 'access_denied' });
});

test('a code belongs to the first user who looks it up, approves it or denies it', async () => {
  await using flow = await startFlow();
  const { server, owner, workspaceId } = flow;
  const stranger = await signedUp(server, bob);
  const theirs = await newWorkspace(server, stranger);
  const unknown = { code: 'invalid_grant' };
  const claims = [
    (userCode: string) => lookUpDeviceCode(server.deps, owner, userCode),
    (userCode: string) => approveDeviceCode(server.deps, owner, { userCode, workspaceId }),
    (userCode: string) => denyDeviceCode(server.deps, owner, userCode),
  ];
  for (const claim of claims) {
    const { userCode } = await newCode(server);
    await claim(userCode);
    await assert.rejects(lookUpDeviceCode(server.deps, stranger, userCode), unknown);
    await assert.rejects(
      approveDeviceCode(server.deps, stranger, { userCode, workspaceId: theirs }),
      unknown,
    );
    await assert.rejects(denyDeviceCode(server.deps, stranger, userCode), unknown);
  }
});

test('only one of two concurrent approvals gets the code', async () => {
  await using flow = await startFlow();
  const { server, owner, workspaceId } = flow;
  const stranger = await signedUp(server, bob);
  const theirs = await newWorkspace(server, stranger);
  const { deviceCode, userCode } = await newCode(server);
  const outcomes = await Promise.allSettled([
    approveDeviceCode(server.deps, stranger, { userCode, workspaceId: theirs }),
    approveDeviceCode(server.deps, owner, { userCode, workspaceId }),
  ]);
  const won = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  assert.equal(won.length, 1);
  const fetched = await fetchKey(flow, deviceCode);
  assert.deepEqual([fetched.keyId, fetched.workspaceId], [won[0]?.keyId, won[0]?.workspaceId]);
  assert.equal(
    (await listKeys(server.deps, owner)).length + (await listKeys(server.deps, stranger)).length,
    1,
  );
});

test('a rejected approval leaves the code to others', async () => {
  await using flow = await startFlow();
  const { server, owner, workspaceId } = flow;
  const stranger = await signedUp(server, bob);
  const { userCode } = await newCode(server);
  const into = (location: string) =>
    approveDeviceCode(server.deps, stranger, { userCode, workspaceId: location });
  await assert.rejects(into(workspaceId), { code: 'not_a_member' });
  await assert.rejects(into('ws_none'), { code: 'workspace_not_found' });
  await approveDeviceCode(server.deps, owner, { userCode, workspaceId });
});

test('approving twice is one approval, and approving for another workspace fails', async () => {
  await using flow = await startFlow();
  const { server, owner, workspaceId } = flow;
  const elsewhere = await newWorkspace(server, owner);
  const { userCode } = await newCode(server);
  const first = await approveDeviceCode(server.deps, owner, { userCode, workspaceId });
  assert.deepEqual(await approveDeviceCode(server.deps, owner, { userCode, workspaceId }), first);
  const again = approveDeviceCode(server.deps, owner, { userCode, workspaceId: elsewhere });
  await assert.rejects(again, { code: 'device_code_approved' });
  assert.equal((await listKeys(server.deps, owner)).length, 1);
});

test('the lookup shows what the device sent, cleaned for display', async () => {
  await using flow = await startFlow();
  const { server, owner } = flow;
  const hostile = `stoa\u0000-cli\u202e/1.0 ${'x'.repeat(10_000)}`;
  const { userCode } = await newCode(server, '192.0.2.99', hostile);
  const typed = userCode.toLowerCase().replace('-', ' ');
  assert.deepEqual(await lookUpDeviceCode(server.deps, owner, typed), {
    userCode,
    state: 'pending',
    clientAddress: '192.0.2.99',
    userAgent: `stoa-cli/1.0 ${'x'.repeat(185)}`,
    createdAt: startOfTime,
    expiresAt: startOfTime + lifetimeMs,
    workspaceId: null,
  });
});

test('a key cannot look up, approve or deny a device', async () => {
  await using flow = await startFlow();
  const { server, owner, workspaceId } = flow;
  const { userCode } = await newCode(server);
  const { secret } = await createKey(server.deps, owner, {});
  const caller = await withKey(server, secret);
  const rejected = { code: 'key_management_needs_session' };
  await assert.rejects(lookUpDeviceCode(server.deps, caller, userCode), rejected);
  await assert.rejects(approveDeviceCode(server.deps, caller, { userCode, workspaceId }), rejected);
  await assert.rejects(denyDeviceCode(server.deps, caller, userCode), rejected);
});

function codeOf(reason: unknown): string {
  return reason instanceof WorkspaceError ? reason.code : String(reason);
}
