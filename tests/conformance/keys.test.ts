import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRejection } from '../support/error.ts';
import { assertJson, assertStatus } from '../support/expect.ts';
import { createKey, signUp } from '../support/people.ts';
import { type JsonRecord, jsonOf, recordOf, recordsAt, textAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server, 'Ada');
const eve = await signUp(server, 'Eve');
const home = await createWorkspace(ada);

const managementText = 'Key management requires a logged-in session, not an API key';

async function made(body: unknown): Promise<JsonRecord> {
  const response = await ada.session.send('POST', '/api/keys', { json: body });
  assertStatus(response, 200);
  return jsonOf(response);
}

async function listed(): Promise<readonly JsonRecord[]> {
  const response = await ada.session.send('GET', '/api/keys');
  assertStatus(response, 200);
  return recordsAt(jsonOf(response), 'keys');
}

test(...claims(['keys.create', 'keys.actor-type'], 'a new key says all that its maker needs'), async () => {
  for (const actorType of ['agent', 'human']) {
    const { id, key, ...rest } = await made({ name: 'Robot', actorType });
    assert.deepEqual(rest, { name: 'Robot', actorType });
    assert.equal(typeof id, 'string');
    assert.ok(textAt({ key }, 'key').length >= 22, 'the secret is short');
    assert.notEqual(id, key);
  }
});

test(...claims('keys.create-scoped', 'a scoped key says its workspace'), async () => {
  const {
    id: _id,
    key: _key,
    ...rest
  } = await made({ name: 'Desk', actorType: 'human', workspaceId: home.id });
  assert.deepEqual(rest, { name: 'Desk', actorType: 'human', workspaceId: home.id });
});

test(
  ...claims(['keys.default-name', 'keys.default-name-scoped'], 'a key without a name gets one'),
  async () => {
    assert.equal((await made({})).name, 'service-key');
    assert.equal((await made({ workspaceId: home.id })).name, 'service-cli');
  },
);

for (const actorType of ['robot', '', 'AGENT', undefined]) {
  test(
    ...claims('keys.actor-type-other', `an actor type of ${JSON.stringify(actorType)} means human`),
    async () => {
      assert.equal((await made({ actorType })).actorType, 'human');
    },
  );
}

test(...claims('keys.scope-membership', 'a key cannot be made for a workspace of others'), async () => {
  const forOthers = await eve.session.send('POST', '/api/keys', { json: { workspaceId: home.id } });
  assertRejection(forOthers, 403, { says: 'Not a workspace member' });
  assertRejection(await eve.session.send('POST', '/api/keys', { json: { workspaceId: 'none' } }), 404);
});

test(
  ...claims(['keys.list', 'keys.list-scope', 'keys.secret-once'], 'keys are listed without their secrets'),
  async () => {
    const wide = await createKey(ada, { name: 'Wide', actorType: 'agent' });
    const scoped = await createKey(ada, { name: 'Narrow', actorType: 'human', workspaceId: home.id });
    const response = await ada.session.send('GET', '/api/keys');
    for (const { secret } of [wide, scoped]) assert.ok(!response.bytes.toString().includes(secret));
    const byId = new Map((await listed()).map((key) => [key.id, key]));
    assert.equal(byId.get(wide.id)?.name, 'Wide');
    assert.deepEqual(recordOf(byId.get(wide.id)?.metadata), { actorType: 'agent' });
    assert.deepEqual(recordOf(byId.get(scoped.id)?.metadata), { actorType: 'human', workspaceId: home.id });
    for (const key of byId.values()) assert.ok(!('key' in key));
  },
);

test(...claims('keys.own', "another person's keys are out of reach"), async () => {
  const key = await createKey(ada);
  const others = recordsAt(jsonOf(await eve.session.send('GET', '/api/keys')), 'keys');
  assert.ok(!others.some(({ id }) => id === key.id));
  assertRejection(await eve.session.send('DELETE', `/api/keys/${key.id}`), 404);
  assertStatus(await key.client.send('GET', `${home.root}/list`), 200);
});

test(...claims('keys.revoke', 'a revoked key stops at once'), async () => {
  const key = await createKey(ada);
  assertStatus(await key.client.send('GET', `${home.root}/list`), 200);
  assertJson(await ada.session.send('DELETE', `/api/keys/${key.id}`), 200, { ok: true });
  assertRejection(await key.client.send('GET', `${home.root}/list`), 401);
  assert.ok(!(await listed()).some(({ id }) => id === key.id));
});

test(...claims('keys.revoke-unknown', 'a key that is not there cannot be revoked'), async () => {
  assertRejection(await ada.session.send('DELETE', '/api/keys/none'), 404);
  const key = await createKey(ada);
  await ada.session.send('DELETE', `/api/keys/${key.id}`);
  assertRejection(await ada.session.send('DELETE', `/api/keys/${key.id}`), 404);
});

for (const [method, path] of [
  ['POST', '/api/keys'],
  ['GET', '/api/keys'],
  ['DELETE', '/api/keys/some'],
] as const) {
  test(
    ...claims(['keys.session-only', 'keys.no-credential'], `${method} ${path} needs a session, not a key`),
    async () => {
      const key = await createKey(ada);
      const request = method === 'POST' ? { json: {} } : {};
      const cookie = { cookie: ada.session.credentials.cookie ?? '', origin: new URL(server.url).origin };
      for (const credentials of [
        { 'x-api-key': key.secret },
        { 'x-api-key': 'nonsense' },
        { ...cookie, 'x-api-key': key.secret },
        { ...cookie, 'x-api-key': 'nonsense' },
      ]) {
        assertRejection(await server.as(credentials).send(method, path, request), 403, {
          says: managementText,
        });
      }
      assertRejection(await server.send(method, path, request), 401);
    },
  );
}

test(...claims('keys.unlimited-rate', 'a key has no rate limit'), async () => {
  const key = await createKey(ada);
  const responses = await Promise.all(
    Array.from({ length: 500 }, () => key.client.send('GET', `${home.root}/changes?limit=0`)),
  );
  assert.ok(responses.every(({ status }) => status === 200));
});
