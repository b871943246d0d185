import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRejection } from '../support/error.ts';
import { assertJson, assertStatus, iso8601 } from '../support/expect.ts';
import { createKey, signUp } from '../support/people.ts';
import { jsonOf, recordOf, recordsAt, textAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();

test(...claims('account.health', 'anyone can read the health of the service'), async () => {
  const response = await server.send('GET', '/api/health');
  assertStatus(response, 200);
  const body = jsonOf(response);
  assert.deepEqual(Object.keys(body).sort(), ['status', 'timestamp']);
  assert.equal(body.status, 'ok');
  assert.match(textAt(body, 'timestamp'), iso8601);
});

test(...claims('account.plans', 'plans are public and billing is off'), async () => {
  const response = await server.send('GET', '/api/plans');
  assertStatus(response, 200);
  assert.equal(jsonOf(response).available, false);
  recordsAt(jsonOf(response), 'plans');
});

test(...claims('account.me', 'a caller can ask who it is'), async () => {
  const ada = await signUp(server, 'Ada Lovelace');
  const robot = await createKey(ada);
  for (const client of [ada.session, robot.client]) {
    const response = await client.send('GET', '/api/me');
    assertStatus(response, 200);
    const user = recordOf(jsonOf(response).user);
    assert.equal(user.id, ada.id);
    assert.equal(user.name, 'Ada Lovelace');
  }
  assertRejection(await server.send('GET', '/api/me'), 401);
});

test(
  ...claims(['account.workspace', 'account.workspace-oldest'], 'a caller can ask for its workspace'),
  async () => {
    const ada = await signUp(server);
    const first = await createWorkspace(ada, ada.session, 'First');
    const second = await createWorkspace(ada, ada.session, 'Second');
    const wide = await createKey(ada);
    const scoped = await createKey(ada, { workspaceId: second.id });
    for (const client of [ada.session, wide.client]) {
      assertJson(await client.send('GET', '/api/workspace'), 200, { id: first.id, name: 'First' });
    }
    assertJson(await scoped.client.send('GET', '/api/workspace'), 200, { id: second.id, name: 'Second' });
    assertRejection(await server.send('GET', '/api/workspace'), 401);
  },
);

test(...claims('account.workspace-none', 'a caller without a workspace gets 404'), async () => {
  const eve = await signUp(server);
  assertRejection(await eve.session.send('GET', '/api/workspace'), 404);
});
