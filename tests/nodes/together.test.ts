import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { assertStatus } from '../support/expect.ts';
import type { HttpClient } from '../support/http-client.ts';
import { acceptInvite, createInvite } from '../support/invites.ts';
import { useTwoNodes } from '../support/nodes.ts';
import { operator } from '../support/operator.ts';
import { integerAt, jsonOf, recordsAt, textAt } from '../support/response.ts';
import { createWorkspace } from '../support/workspace-client.ts';

/** Changes that two nodes must not both allow, requested from both at the same moment. */
const folder = await mkdtemp(join(tmpdir(), 'stoa-plans-'));
after(() => rm(folder, { recursive: true }));
const plan = {
  id: 'small',
  name: 'Small',
  workspaces: 5,
  files: 10,
  storageBytes: 1_000_000,
  fileBytes: null,
};
const plansFile = join(folder, 'plans.json');
await writeFile(plansFile, JSON.stringify({ default: 'small', plans: [plan] }));
const { here, there } = await useTwoNodes({ STOA_SIGNUP: 'first', STOA_PLANS: plansFile });
const { origin } = new URL(here.client.url);

const signUpAt = (client: HttpClient, email: string, inviteToken?: string) =>
  client.send('POST', '/api/auth/sign-up/email', {
    json: { email, name: 'Ada', password: 'analytical engine', inviteToken },
  });
const onBoth = <Result>(times: number, ask: (client: HttpClient, round: number) => Promise<Result>) =>
  Promise.all(
    Array.from({ length: times }, (_, round) => ask((round % 2 === 0 ? here : there).client, round)),
  );
const countOf = (responses: readonly { readonly status: number }[], status: number) =>
  responses.filter((response) => response.status === status).length;

/** Signs the person in at a node with `person.at`. */
async function personOf(response: Awaited<ReturnType<typeof signUpAt>>) {
  assertStatus(response, 200);
  const cookie = (response.headers.get('set-cookie') ?? []).map((each) => each.split(';', 1)[0]).join('; ');
  const at = (client: HttpClient) => client.as({ cookie, origin });
  const me = jsonOf(await at(here.client).send('GET', '/api/me')).user;
  const id = typeof me === 'object' && me !== null && 'id' in me ? String(me.id) : '';
  return { id, name: 'Ada', session: at(here.client), at };
}

const firsts = await onBoth(4, (client) => signUpAt(client, `${randomUUID()}@example.org`));

const first = firsts.find(({ status }) => status === 200);
assert.ok(first);
const ada = await personOf(first);

test('of people who sign up as the first, only one is', () => {
  assert.deepEqual([countOf(firsts, 200), countOf(firsts, 403)], [1, 3]);
});

test('an address cannot get two accounts at once', async () => {
  const workspace = await createWorkspace(ada);
  const { token } = await createInvite(ada, workspace.id);
  const responses = await onBoth(4, (client) => signUpAt(client, 'twin@example.org', token));
  assert.deepEqual([countOf(responses, 200), countOf(responses, 409)], [1, 3]);
});

test('a plan that allows five workspaces allows five over both nodes', async () => {
  const make = (client: HttpClient) =>
    ada.at(client).send('POST', '/api/workspaces', { json: { name: 'One more' } });
  await onBoth(10, make);
  const mine = jsonOf(await ada.session.send('GET', '/api/workspaces')).workspaces;
  assert.equal(Array.isArray(mine) && mine.length, 5);
  assertStatus(await make(there.client), 402);
});

test('a full workspace is full on both nodes, and never over its limit', async () => {
  const [{ id } = assert.fail()] = recordsAt(
    jsonOf(await ada.session.send('GET', '/api/workspaces')),
    'workspaces',
  );
  const root = `/api/workspaces/${id}`;
  const responses = await onBoth(20, (client, round) =>
    ada.at(client).send('PUT', `${root}/files/${round}.txt`, { body: 'x'.repeat(70_000) }),
  );
  assert.equal(countOf(responses, 201) + countOf(responses, 507), 20);
  const usage = jsonOf(await ada.at(there.client).send('GET', `${root}/usage`));
  assert.deepEqual([integerAt(usage, 'usedFiles'), countOf(responses, 201)], [10, 10]);
});

test('two owners who remove each other at once leave one owner', async () => {
  const [{ id } = assert.fail()] = recordsAt(
    jsonOf(await ada.session.send('GET', '/api/workspaces')),
    'workspaces',
  );
  const invited = await createInvite(ada, String(id));
  const eve = await personOf(await signUpAt(there.client, `${randomUUID()}@example.org`, invited.token));
  assertStatus(await acceptInvite(eve.session, invited.token), 200);
  const member = (person: { readonly id: string }) => `/api/workspaces/${id}/members/${person.id}`;
  assertStatus(await ada.session.send('PATCH', member(eve), { json: { role: 'owner' } }), 200);
  const responses = await Promise.all([
    ada.at(here.client).send('DELETE', member(eve)),
    eve.at(there.client).send('DELETE', member(ada)),
  ]);
  assert.equal(countOf(responses, 204), 1, responses.map(({ status }) => status).join());
});

test('operator commands apply on both nodes', async () => {
  const made = JSON.parse(
    await operator(here.process, 'user', 'create', '--email', 'op@example.org', '--name', 'Op', '--json'),
  );
  for (const { client } of [here, there]) {
    const json = { email: 'op@example.org', password: made.password };
    assertStatus(await client.send('POST', '/api/auth/sign-in/email', { json }), 200);
  }
  const { workspaces } = JSON.parse(await operator(here.process, 'workspace', 'list', '--json'));
  const { id } = workspaces.find((each: { usedFiles: number }) => each.usedFiles === 0);
  await operator(here.process, 'workspace', 'lapse', id);
  for (const { client } of [here, there]) {
    const path = `/api/workspaces/${id}/files/a.txt`;
    assertStatus(await ada.at(client).send('PUT', path, { body: 'x' }), 402);
  }
  const key = jsonOf(await ada.session.send('POST', '/api/keys', { json: {} }));
  await operator(here.process, 'key', 'revoke', textAt(key, 'id'));
  for (const { client } of [here, there]) {
    const asked = await client.as({ 'x-api-key': textAt(key, 'key') }).send('GET', '/api/me');
    assertStatus(asked, 401);
  }
});
