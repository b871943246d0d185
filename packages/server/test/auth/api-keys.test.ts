import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fullGrant, keysPerPersonMax, revokedKeysPerPersonMax, WorkspaceError } from '@stoa/core';
import { type Caller, openWorkspace } from '../../src/service/access.ts';
import { issueApiKeySecret } from '../../src/service/keys/api-key-secret.ts';
import { createKey, insertKeyScript } from '../../src/service/keys/create-key.ts';
import { listKeys } from '../../src/service/keys/list-keys.ts';
import { revokeKey } from '../../src/service/keys/revoke-key.ts';
import type { MetadataStore } from '../../src/service/ports/metadata-store.ts';
import { createWorkspace } from '../../src/service/workspaces/create-workspace.ts';
import { openService } from '../support/open-service.ts';
import { deleteKeysOfScript, disableKeyScript } from '../support/test-scripts.ts';
import { type AuthUnderTest, ada, bob, cookieOf, startAuth, startOfTime } from './support/start-auth.ts';

test('an account-wide key acts as its owner under its own name', async () => {
  await using server = await startAuth();
  const owner = await signedUp(server, ada);
  const { id, secret } = await createKey(server.deps, owner, { name: 'Claude Code', actorType: 'agent' });
  const caller = await withKey(server, secret);
  assert.deepEqual(caller, {
    actor: {
      principal: 'agent',
      userId: owner.actor.userId,
      keyId: id,
      keyLabel: 'Claude Code',
      userName: ada.name,
    },
    credential: { via: 'key', credentialId: id, userId: owner.actor.userId },
    scopedTo: null,
    grant: fullGrant,
  });
});

test('a key without a name or type is a human one called service-key', async () => {
  await using server = await startAuth();
  const owner = await signedUp(server, ada);
  const key = await createKey(server.deps, owner, {});
  assert.deepEqual([key.name, key.principal, key.workspaceId], ['service-key', 'human', null]);
  for (const actorType of ['robot', 'AGENT', 7, null]) {
    assert.equal((await createKey(server.deps, owner, { actorType })).principal, 'human');
  }
});

test('a scoped key is called service-cli and reaches its workspace only', async () => {
  await using server = await startAuth();
  const owner = await signedUp(server, ada);
  const here = await newWorkspace(server, owner);
  const there = await newWorkspace(server, owner);
  const key = await createKey(server.deps, owner, { workspaceId: here });
  assert.deepEqual([key.name, key.workspaceId], ['service-cli', here]);
  const caller = await withKey(server, key.secret);
  assert.equal((await openWorkspace(server.deps, caller, here)).role, 'owner');
  await assert.rejects(openWorkspace(server.deps, caller, there), { code: 'key_not_scoped' });
});

test('a scoped key needs a workspace that exists and that its maker is a member of', async () => {
  await using server = await startAuth({ signup: 'open' });
  const owner = await signedUp(server, ada);
  const stranger = await signedUp(server, bob);
  const workspaceId = await newWorkspace(server, owner);
  await assert.rejects(createKey(server.deps, stranger, { workspaceId }), { code: 'not_a_member' });
  await assert.rejects(createKey(server.deps, owner, { workspaceId: 'ws_none' }), {
    code: 'workspace_not_found',
  });
  assert.deepEqual(await listKeys(server.deps, stranger), []);
});

test('a key name is one visible line of at most 100 characters', async () => {
  await using server = await startAuth();
  const owner = await signedUp(server, ada);
  for (const name of [
    '',
    '  ',
    'a\nb',
    'a\u0000',
    'a\u202eb',
    '\ud800',
    'x'.repeat(101),
    '\u{1f600}'.repeat(101),
  ]) {
    await assert.rejects(
      createKey(server.deps, owner, { name }),
      { code: 'invalid_request' },
      JSON.stringify(name),
    );
  }
  assert.equal((await createKey(server.deps, owner, { name: '\u{1f600}'.repeat(100) })).name.length, 200);
});

test('the list shows how to recognise a key and never its secret', async () => {
  await using server = await startAuth();
  const owner = await signedUp(server, ada);
  const { id, secret } = await createKey(server.deps, owner, { name: 'laptop' });
  const keys = await listKeys(server.deps, owner);
  assert.equal(keys.length, 1);
  assert.equal(keys[0]?.id, id);
  assert.equal(keys[0]?.start, secret.slice(0, 9));
  const shown = JSON.stringify(keys);
  assert.ok(!shown.includes(secret.slice(9)));
  assert.ok(!/[0-9a-f]{64}/.test(shown));
});

test('a revoked key is rejected at the next request and gone from the list', async () => {
  await using server = await startAuth();
  const owner = await signedUp(server, ada);
  const { id, secret } = await createKey(server.deps, owner, {});
  await withKey(server, secret);
  await revokeKey(server.deps, owner, id);
  await assert.rejects(withKey(server, secret), invalid('KEY_NOT_FOUND'));
  assert.deepEqual(await listKeys(server.deps, owner), []);
  await assert.rejects(revokeKey(server.deps, owner, id), { code: 'key_not_found' });
});

test("another user's key cannot be revoked, and looks like one that never existed", async () => {
  await using server = await startAuth({ signup: 'open' });
  const owner = await signedUp(server, ada);
  const stranger = await signedUp(server, bob);
  const { id, secret } = await createKey(server.deps, owner, {});
  await assert.rejects(revokeKey(server.deps, stranger, id), { code: 'key_not_found' });
  await assert.rejects(revokeKey(server.deps, stranger, 'key_none'), { code: 'key_not_found' });
  await withKey(server, secret);
});

test('a key with a number of days expires after them', async () => {
  await using server = await startAuth();
  const owner = await signedUp(server, ada);
  const { secret } = await createKey(server.deps, owner, { expiresInDays: 2 });
  server.advance(2 * 24 * 3_600_000 - 1);
  await withKey(server, secret);
  server.advance(1);
  await assert.rejects(withKey(server, secret), { details: { reason: 'KEY_EXPIRED' } });
});

test('an expired, a disabled and an unknown key each have their own reason', async () => {
  await using server = await startAuth();
  const owner = await signedUp(server, ada);
  const expiring = issueApiKeySecret();
  await server.deps.store.transact(insertKeyScript, {
    id: 'key_expiring',
    secretHash: expiring.secretHash,
    start: expiring.start,
    maker: { credential: owner.credential, now: startOfTime },
    workspaceId: null,
    name: 'expiring',
    principal: 'human',
    expiresAt: startOfTime + 60_000,
    expiresInDays: null,
    ...fullGrant,
  });
  server.advance(59_999);
  await withKey(server, expiring.secret);
  server.advance(1);
  await assert.rejects(withKey(server, expiring.secret), invalid('KEY_EXPIRED'));

  const disabled = await createKey(server.deps, owner, {});
  await server.deps.store.transact(disableKeyScript, { keyId: disabled.id });
  await assert.rejects(withKey(server, disabled.secret), invalid('KEY_DISABLED'));

  await assert.rejects(withKey(server, issueApiKeySecret().secret), invalid('INVALID_API_KEY'));
  for (const presented of ['', 'nonsense', `${expiring.secret}0`]) {
    await assert.rejects(withKey(server, presented), invalid('INVALID_API_KEY'));
  }
});

test('a key decides who acts even next to a session, and a session does not save a bad key', async () => {
  await using server = await startAuth({ signup: 'open' });
  const cookie = cookieOf(await server.post('sign-up/email', ada));
  const other = await signedUp(server, bob);
  const { id, secret } = await createKey(server.deps, other, {});
  const caller = await server.auth.authenticate({ apiKey: secret, cookie });
  assert.equal(caller.actor.keyId, id);
  assert.equal(caller.actor.userName, bob.name);
  await assert.rejects(server.auth.authenticate({ apiKey: 'bad', cookie }), invalid('INVALID_API_KEY'));
});

test('a key cannot manage keys', async () => {
  await using server = await startAuth();
  const owner = await signedUp(server, ada);
  const { id, secret } = await createKey(server.deps, owner, {});
  const caller = await withKey(server, secret);
  const rejected = { code: 'key_management_needs_session' };
  await assert.rejects(createKey(server.deps, caller, {}), rejected);
  await assert.rejects(listKeys(server.deps, caller), rejected);
  await assert.rejects(revokeKey(server.deps, caller, id), rejected);
});

test('the last use is recorded at most once in ten minutes', async () => {
  await using server = await startAuth();
  const owner = await signedUp(server, ada);
  const { id, secret } = await createKey(server.deps, owner, {});
  const lastUse = async () => {
    // This write waits for earlier ones in the writer's queue.
    await server.deps.store.transact(deleteKeysOfScript, {
      userId: 'nobody',
      workspaceId: 'none',
      deletedAt: 0,
    });
    return (await server.deps.store.reader.keys.find(id))?.lastUsedAt;
  };
  assert.equal(await lastUse(), null);
  await Promise.all(Array.from({ length: 20 }, () => withKey(server, secret)));
  assert.equal(await lastUse(), startOfTime);
  server.advance(9 * 60_000);
  await withKey(server, secret);
  assert.equal(await lastUse(), startOfTime);
  server.advance(60_000);
  await withKey(server, secret);
  assert.equal(await lastUse(), startOfTime + 600_000);
  assert.deepEqual(server.problems, []);
});

test('a key in steady use does not queue a write per request', async () => {
  await using service = await openService();
  const scripts: string[] = [];
  const store: MetadataStore = {
    ...service.deps.store,
    transact(script, command) {
      scripts.push(script.name);
      return service.deps.store.transact(script, command);
    },
  };
  await using server = await startAuth({ store });
  const owner = await signedUp(server, ada);
  const { secret } = await createKey(server.deps, owner, {});
  for (let use = 0; use < 50; use += 1) await withKey(server, secret);
  server.advance(600_000);
  for (let use = 0; use < 50; use += 1) await withKey(server, secret);
  assert.equal(scripts.filter((name) => name === 'keys.touch').length, 2);
});

test("a member's keys for one workspace can be revoked together, others stay", async () => {
  await using server = await startAuth();
  const owner = await signedUp(server, ada);
  const workspaceId = await newWorkspace(server, owner);
  const scoped = await createKey(server.deps, owner, { workspaceId });
  const wide = await createKey(server.deps, owner, {});
  const command = { userId: owner.actor.userId, workspaceId, deletedAt: startOfTime };
  assert.equal(await server.deps.store.transact(deleteKeysOfScript, command), 1);
  await assert.rejects(withKey(server, scoped.secret), invalid('KEY_NOT_FOUND'));
  await withKey(server, wide.secret);
});

test('a person keeps a bounded number of keys, and of the revoked ones the newest', async () => {
  await using server = await startAuth();
  const owner = await signedUp(server, ada);
  const create = () => createKey(server.deps, owner, {});
  const first = await create();
  server.advance(1);
  const [second] = await Promise.all(Array.from({ length: keysPerPersonMax - 1 }, create));
  assert.ok(second);
  await assert.rejects(create(), { code: 'too_many_keys' });
  await revokeKey(server.deps, owner, first.id);
  const third = await create();
  await assert.rejects(create(), { code: 'too_many_keys' });
  // As many again are revoked. The first revoked one is then forgotten, and still gives no access.
  for (const { id } of await server.deps.store.reader.keys.listOf(owner.actor.userId)) {
    await revokeKey(server.deps, owner, id);
  }
  await create();
  const [{ kept } = {}] = await server.deps.store.reader.library.select(
    'select count(*) as kept from api_key where deleted_at is not null',
    [],
  );
  assert.equal(kept, revokedKeysPerPersonMax);
  await assert.rejects(withKey(server, first.secret), invalid('INVALID_API_KEY'));
  await assert.rejects(withKey(server, third.secret), invalid('KEY_NOT_FOUND'));
});

async function signedUp(server: AuthUnderTest, person: typeof ada): Promise<Caller> {
  const cookie = cookieOf(await server.post('sign-up/email', person));
  return await server.auth.authenticate({ apiKey: null, cookie });
}

async function newWorkspace(server: AuthUnderTest, owner: Caller): Promise<string> {
  const fields = { name: 'Notes', icon: null, color: null };
  return (await createWorkspace({ ...server.deps, seedWorkspaces: false }, owner, fields)).id;
}

function withKey(server: AuthUnderTest, apiKey: string): Promise<Caller> {
  return server.auth.authenticate({ apiKey, cookie: null });
}

function invalid(reason: string): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof WorkspaceError);
    assert.deepEqual([error.code, error.details], ['invalid_api_key', { reason }]);
    return true;
  };
}
