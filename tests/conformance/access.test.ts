import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRejection } from '../support/error.ts';
import { assertFile, assertStatus } from '../support/expect.ts';
import type { HttpClient } from '../support/http-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { headerOf, integerAt, jsonOf, recordsAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace, workspaceClient } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server, 'Ada');
const eve = await signUp(server, 'Eve');
const robot = await createKey(ada, { name: 'Robot' });
const evesRobot = await createKey(eve, { name: "Eve's robot" });
const home = await createWorkspace(ada, robot.client, 'Home');
const office = await createWorkspace(ada, robot.client, 'Office');
const scoped = await createKey(ada, { workspaceId: home.id });
await home.put('a.md', 'secret plan');

const scopedText = 'Key is not scoped to this workspace';
const memberText = 'Not a workspace member';

/** Every route of a workspace, with a request that an entitled caller could send. */
const routes = [
  ['GET', '', undefined],
  ['PATCH', '', { name: 'Mine' }],
  ['GET', '/usage', undefined],
  ['GET', '/download', undefined],
  ['GET', '/members', undefined],
  ['GET', '/files/a.md', undefined],
  ['PUT', '/files/b.md', undefined],
  ['DELETE', '/files/a.md', undefined],
  ['GET', '/list', undefined],
  ['POST', '/move', { from: 'a.md', to: 'b.md' }],
  ['POST', '/move-folder', { from: 'a', to: 'b' }],
  ['POST', '/resolve-conflict', { copy: 'a', keep: 'merge' }],
  ['GET', '/version?path=a.md&version=1', undefined],
  ['GET', '/versions?path=a.md', undefined],
  ['GET', '/blame?path=a.md', undefined],
  ['POST', '/restore', { path: 'a.md', targetVersion: 1 }],
  ['GET', '/search?q=a', undefined],
  ['GET', '/changes', undefined],
  ['GET', `/icon/${'a'.repeat(64)}`, undefined],
  ['PUT', '/node-icon', { path: 'a.md', icon: 'x' }],
  ['PUT', '/node-private', { path: 'a.md', kind: 'file', private: true }],
  ['PUT', '/node-order', { paths: ['a.md'] }],
] as const;

async function call(client: HttpClient, workspaceId: string, [method, path, json]: (typeof routes)[number]) {
  const body = method === 'PUT' && json === undefined ? { body: 'x' } : {};
  return client.send(method, `/api/workspaces/${workspaceId}${path}`, json === undefined ? body : { json });
}

test(...claims('access.key-header', 'a key opens files and the feed'), async () => {
  await assertFile(home, 'a.md', 'secret plan', 1);
  assertStatus(await home.query('changes'), 200);
});

test(...claims('access.session', 'a signed-in person opens files and the feed'), async () => {
  await assertFile(home.as(ada.session), 'a.md', 'secret plan', 1);
  assertStatus(await home.as(ada.session).query('changes'), 200);
});

for (const route of routes) {
  test(
    ...claims(
      [
        'access.every-route',
        'access.none',
        'access.not-a-member',
        'access.scoped',
        'access.unknown-workspace',
      ],
      `${route[0]} ${route[1] || '/'} is for members with a credential`,
    ),
    async () => {
      assertRejection(await call(server, home.id, route), 401);
      for (const outsider of [evesRobot.client, eve.session]) {
        assertRejection(await call(outsider, home.id, route), 403, { says: memberText });
      }
      assertRejection(await call(scoped.client, office.id, route), 403, { says: scopedText });
      for (const anyone of [robot.client, ada.session, evesRobot.client, scoped.client]) {
        assertRejection(await call(anyone, 'no-such-workspace', route), 404);
      }
    },
  );
}

test(...claims('access.not-a-member', 'calls of outsiders change nothing in the workspace'), async () => {
  await assertFile(home, 'a.md', 'secret plan', 1);
  assert.equal(recordsAt(jsonOf(await home.query('list')), 'entries').length, 1);
  assert.equal(jsonOf(await home.send('GET', '')).name, 'Home');
});

for (const value of [`Bearer ${robot.secret}`, robot.secret, `ApiKey ${robot.secret}`]) {
  test(
    ...claims('access.bearer', `an Authorization header (${value.slice(0, 7)}…) is not a credential`),
    async () => {
      const path = `/api/workspaces/${home.id}/list`;
      assertRejection(await server.send('GET', path, { headers: { authorization: value } }), 401);
      const keyInQuery = await server.send('GET', `${path}?x-api-key=${robot.secret}`);
      assertRejection(keyInQuery, 401);
    },
  );
}

test(...claims('access.bearer-beside', 'a key still works with an Authorization header'), async () => {
  const response = await robot.client.send('GET', `/api/workspaces/${home.id}/list`, {
    headers: { authorization: 'Bearer nonsense' },
  });
  assertStatus(response, 200);
});

test(
  ...claims(['access.invalid-key', 'access.unknown-key'], 'an unknown key is rejected with a reason'),
  async () => {
    for (const secret of [
      'nonsense',
      `${robot.secret}x`,
      robot.secret.slice(0, -1),
      robot.secret.toUpperCase(),
      ' ',
    ]) {
      const response = await server
        .as({ 'x-api-key': secret })
        .send('GET', `/api/workspaces/${home.id}/list`);
      if (secret === ' ') assertRejection(response, 401);
      else assertRejection(response, 401, { data: { error: 'invalid_api_key', reason: 'INVALID_API_KEY' } });
    }
  },
);

test(...claims('access.deleted-key', 'a deleted key is rejected with its own reason'), async () => {
  const gone = await createKey(ada);
  assertStatus(await ada.session.send('DELETE', `/api/keys/${gone.id}`), 200);
  const response = await gone.client.send('GET', `/api/workspaces/${home.id}/list`);
  assertRejection(response, 401, { data: { error: 'invalid_api_key', reason: 'KEY_NOT_FOUND' } });
});

test(...claims('access.key-decides', 'a request with key and cookie acts as the key'), async () => {
  const both = ada.session.as({ ...cookieOf(ada.session), 'x-api-key': robot.secret });
  const own = workspaceClient(both, home.id, 0);
  assertStatus(await own.put('by-both.md', 'x'), 201);
  assert.equal((await own.changes()).at(-1)?.actorKeyId, robot.id);
  const evesCookie = eve.session.as({ ...cookieOf(eve.session), 'x-api-key': robot.secret });
  assertStatus(await evesCookie.send('GET', `/api/workspaces/${home.id}/list`), 200);
  const evesKey = ada.session.as({ ...cookieOf(ada.session), 'x-api-key': evesRobot.secret });
  assertRejection(await evesKey.send('GET', `/api/workspaces/${home.id}/list`), 403, { says: memberText });
});

test(...claims('access.bad-key-beside-cookie', 'a bad key is rejected even with a good cookie'), async () => {
  const both = ada.session.as({ ...cookieOf(ada.session), 'x-api-key': 'nonsense' });
  const response = await both.send('GET', `/api/workspaces/${home.id}/list`);
  assertRejection(response, 401, { data: { error: 'invalid_api_key', reason: 'INVALID_API_KEY' } });
});

test(...claims(['access.account-wide', 'access.scoped'], 'a key reaches only its workspaces'), async () => {
  for (const workspace of [home, office]) {
    assertStatus(await robot.client.send('GET', `${workspace.root}/list`), 200);
  }
  assertStatus(await scoped.client.send('GET', `${home.root}/list`), 200);
  assertRejection(await scoped.client.send('GET', `${office.root}/list`), 403, { says: scopedText });
  const later = await createWorkspace(ada, robot.client);
  assertStatus(await later.put('a.md', 'x'), 201);
});

test(...claims('access.order', 'the error names the first failed check'), async () => {
  const badPath = (id: string) => `/api/workspaces/${id}/files/..%2fa`;
  assertRejection(await server.send('GET', badPath('no-such-workspace')), 401);
  assertRejection(await evesRobot.client.send('GET', badPath('no-such-workspace')), 404);
  assertRejection(await evesRobot.client.send('GET', badPath(home.id)), 403);
  assertRejection(await robot.client.send('GET', badPath(home.id)), 400);
  assertRejection(await evesRobot.client.send('POST', `${home.root}/move`, { json: {} }), 403);
  assertRejection(await robot.client.send('PUT', badPath(home.id), { body: '' }), 400);
});

test(...claims('access.unknown-workspace', 'a workspace id is not a path'), async () => {
  for (const id of ['..', '%2e%2e', '%00', 'a%2Fb', "'", '%ff', 'x'.repeat(300)]) {
    const response = await robot.client.send('GET', `/api/workspaces/${id}/list`);
    assert.ok(response.status === 404 || response.status === 400, `${id}: ${response.status}`);
    assert.equal(integerAt(jsonOf(response), 'statusCode'), response.status);
  }
});

for (const headers of [
  { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  { 'sec-fetch-site': 'same-site', origin: 'https://evil.example' },
  { origin: 'https://evil.example' },
  { origin: 'null' },
]) {
  test(
    ...claims('access.cross-site', `another site cannot write with the cookie (${JSON.stringify(headers)})`),
    async () => {
      const browser = ada.session.as(cookieOf(ada.session));
      const put = await browser.send('PUT', `${home.root}/files/forged.md`, { body: 'x', headers });
      assertRejection(put, 403);
      const made = await browser.send('POST', '/api/keys', { json: {}, headers });
      assertRejection(made, 403);
      assertRejection(await home.get('forged.md'), 404);
      const key = await robot.client.send(
        'PUT',
        `${home.root}/files/${encodeURIComponent(JSON.stringify(headers))}`,
        {
          body: 'x',
          headers,
        },
      );
      assertStatus(key, 201);
    },
  );
}

for (const [method, path] of [
  ['GET', '/api/workspaces'],
  ['POST', '/api/workspaces'],
] as const) {
  test(
    ...claims(['access.session-only', 'workspaces.create-session-only'], `${method} ${path} needs a session`),
    async () => {
      const request = method === 'POST' ? { json: { name: 'Another' } } : {};
      assertRejection(await server.send(method, path, request), 401);
      assertRejection(await robot.client.send(method, path, request), 403);
      assertRejection(await scoped.client.send(method, path, request), 403);
      assertRejection(await server.as({ 'x-api-key': 'nonsense' }).send(method, path, request), 401);
      assertStatus(await ada.session.send(method, path, request), 200);
    },
  );
}

test(...claims('errors.no-leaks', 'an outsider learns nothing from an error'), async () => {
  const there = await evesRobot.client.send('GET', `${home.root}/files/a.md`);
  const absent = await evesRobot.client.send('GET', `${home.root}/files/none.md`);
  assert.deepEqual(jsonOf(there), jsonOf(absent));
  assert.equal(headerOf(there, 'x-service-version'), null);
});

/** The cookie alone, without the origin that a page of the app would send. */
function cookieOf(session: HttpClient): Readonly<Record<string, string>> {
  return { cookie: session.credentials.cookie ?? '' };
}
