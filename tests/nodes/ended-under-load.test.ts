import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRejection } from '../support/error.ts';
import { assertStatus } from '../support/expect.ts';
import { type HammerRequest, type HammerResponse, hammer } from '../support/hammer.ts';
import type { HttpClient } from '../support/http-client.ts';
import { join } from '../support/invites.ts';
import { headersOf, mcpPath, messageOf } from '../support/mcp-client.ts';
import { useTwoNodes } from '../support/nodes.ts';
import { operator } from '../support/operator.ts';
import { createKey, type SignedUpPerson, signUp } from '../support/people.ts';
import { jsonOf } from '../support/response.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';

/**
 * Ends access while 32 connections use it, some of them with several requests in one chunk. Once the end is
 * acknowledged, no later request passes, whichever user ended it and in whichever way.
 */
const { here, there } = await useTwoNodes();
const ada = await signUp(here.client, 'Ada');
const { origin } = new URL(here.client.url);

/** Reads of a caller with these headers in a workspace with `a.md`, by REST and by a tool. */
function readings(workspace: WorkspaceClient, headers: Readonly<Record<string, string>>) {
  const file = { target: `${workspace.root}/files/a.md`, headers };
  const poll = { target: `${workspace.root}/changes?sinceSeq=1000000`, headers };
  const list = { target: `${workspace.root}/list`, headers };
  return [[file], [poll, poll, poll], [file, list], [poll]];
}

function toolReading(workspace: WorkspaceClient, headers: Readonly<Record<string, string>>): HammerRequest[] {
  const params = { name: 'read_file', arguments: { workspaceId: workspace.id, path: 'a.md' } };
  return [
    {
      method: 'POST',
      target: mcpPath,
      headers: {
        ...headers,
        ...headersOf('legacy', 'tools/call', params),
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify(messageOf('legacy', 1, 'tools/call', params)),
    },
  ];
}

async function teamWith(role: 'member' | 'admin') {
  const bob = await signUp(here.client, 'Bob');
  const workspace = await createWorkspace(ada);
  assertStatus(await workspace.put('a.md', 'secret'), 201);
  await join(ada, bob, workspace.id, role);
  const key = await createKey(bob);
  const headers = { 'x-api-key': key.secret };
  return { bob, workspace, key, headers };
}

const isRejection = ({ target, status, body }: HammerResponse, error: number) =>
  target === mcpPath ? status === 401 || body.includes('"isError":true') : status === error;

function assertEnded(responses: readonly HammerResponse[], error: number): void {
  const [before, after] = [
    responses.filter(({ isAfter }) => !isAfter),
    responses.filter(({ isAfter }) => isAfter),
  ];
  assert.ok(before.some((response) => response.status === 200 && !isRejection(response, error)));
  assert.ok(after.length > 0);
  for (const response of after) assert.ok(isRejection(response, error), JSON.stringify(response));
  // Requests that were rejected before the acknowledgement had the same reason.
  for (const response of before)
    assert.ok(response.status === 200 || isRejection(response, error), JSON.stringify(response));
}

const revoke = (session: HttpClient, keyId: string) => async () =>
  assertStatus(await session.send('DELETE', `/api/keys/${keyId}`), 200);

const waysOfRevoking: Readonly<Record<string, (bob: SignedUpPerson, keyId: string) => () => Promise<void>>> =
  {
    'by its owner on another connection': (bob, keyId) => revoke(bob.session, keyId),
    'by its owner on another node': (bob, keyId) =>
      revoke(there.client.as({ ...bob.session.credentials, origin }), keyId),
    'from the command line': (_, keyId) => async () => {
      await operator(here.process, 'key', 'revoke', keyId);
    },
  };

for (const [way, revoking] of Object.entries(waysOfRevoking)) {
  test(`no request passes with a key that was revoked ${way}`, async () => {
    const { bob, workspace, key, headers } = await teamWith('member');
    const lists = [...readings(workspace, headers), toolReading(workspace, headers)];
    assertEnded(await hammer(here.client.url, lists, revoking(bob, key.id)), 401);
  });
}

test('no request of a removed member passes, whichever node removed them', async () => {
  for (const node of [here, there]) {
    const { bob, workspace, headers } = await teamWith('member');
    const remover = node.client.as({ ...ada.session.credentials, origin });
    const lists = [...readings(workspace, headers), toolReading(workspace, headers)];
    const remove = async () =>
      assertStatus(await remover.send('DELETE', `${workspace.root}/members/${bob.id}`), 204);
    assertEnded(await hammer(here.client.url, lists, remove), 403);
  }
});

test('no request of a disabled person passes, by key or session, on any node', async () => {
  const { bob, workspace, headers } = await teamWith('member');
  const session = { ...bob.session.credentials, origin };
  const lists = [
    ...readings(workspace, headers),
    toolReading(workspace, headers),
    ...readings(workspace, session),
  ];
  const disable = async () => void (await operator(there.process, 'user', 'disable', bob.id));
  assertEnded(await hammer(here.client.url, lists, disable), 401);
});

test('an upload and waiting feed requests of a disabled person end, on both nodes', async () => {
  const { bob, workspace, headers } = await teamWith('member');
  const [hereAsBob, thereAsBob] = [here, there].map(({ client }) => workspace.as(client.as(headers)));
  assert.ok(hereAsBob && thereAsBob);
  const head = Number(jsonOf(await workspace.query('changes', { limit: 0 })).head);
  const held = [hereAsBob, thereAsBob].map((each) => each.query('changes', { sinceSeq: head, wait: 20 }));
  const chunk = new TextEncoder().encode('x'.repeat(65_536));
  // More than the socket buffers take: once all of it is sent, the server has admitted the sender and reads.
  const chunks = 320;
  async function* interrupted() {
    for (let n = 0; n < chunks; n += 1) yield chunk;
    await operator(here.process, 'user', 'disable', bob.id);
    yield chunk;
  }
  const reason = { data: { error: 'invalid_api_key', reason: 'KEY_DISABLED' } };
  assertRejection(await thereAsBob.send('PUT', '/files/late.bin', { body: interrupted() }), 401, reason);
  assertStatus(await workspace.put('after.md', 'secret'), 201);
  for (const response of await Promise.all(held)) assertRejection(response, 401, reason);
  await operator(there.process, 'user', 'enable', bob.id);
  assertStatus(await hereAsBob.get('a.md'), 200);
});

test('permissions of a role end with it', async () => {
  const { bob, workspace } = await teamWith('admin');
  const invites = { target: `${workspace.root}/invites`, headers: bob.session.credentials };
  const demote = async () => {
    const path = `${workspace.root}/members/${bob.id}`;
    assertStatus(await ada.session.send('PATCH', path, { json: { role: 'member' } }), 200);
  };
  assertEnded(await hammer(here.client.url, [[invites], [invites, invites]], demote), 403);
});

test('sessions end with a new password', async () => {
  const { bob, workspace } = await teamWith('member');
  const signedIn = await here.client.send('POST', '/api/auth/sign-in/email', {
    json: { email: bob.email, password: bob.password },
  });
  assertStatus(signedIn, 200);
  const cookie = (signedIn.headers.get('set-cookie') ?? []).map((line) => line.split(';', 1)[0]).join('; ');
  const change = async () => {
    const json = { currentPassword: bob.password, newPassword: 'another horse', revokeOtherSessions: true };
    assertStatus(await bob.session.send('POST', '/api/auth/change-password', { json }), 200);
  };
  assertEnded(await hammer(here.client.url, readings(workspace, { cookie, origin }), change), 401);
});

test('a lapsed workspace is not reported as active', async () => {
  const { workspace, headers } = await teamWith('member');
  const usage = { target: `${workspace.root}/usage`, headers };
  const lapse = async () => void (await operator(here.process, 'workspace', 'lapse', workspace.id));
  const responses = await hammer(here.client.url, [[usage], [usage, usage]], lapse);
  for (const { isAfter, status, body } of responses) {
    assert.equal(status, 200, body);
    if (isAfter) assert.doesNotMatch(body, /"status":"active"/);
  }
  assert.match(responses[0]?.body ?? '', /"status":"active"/);
});
