import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRejection } from '../support/error.ts';
import { assertStatus, listedPaths } from '../support/expect.ts';
import type { HttpClient } from '../support/http-client.ts';
import { join } from '../support/invites.ts';
import { mcpPath } from '../support/mcp-client.ts';
import { createKey, type Person, signUp } from '../support/people.ts';
import { jsonOf, recordOf, recordsAt, textAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

/** A request fails when its access ends before the request does. */

const server = await useTarget();
const ada = await signUp(server, 'Ada');
const revoked = { data: { error: 'invalid_api_key', reason: 'KEY_NOT_FOUND' } };

/** More than the socket buffers take: once all of it is sent, the server has admitted the sender and reads. */
const chunk = new Uint8Array(65_536).fill(0x78);
const chunks = 320;

/** The given text, with a long body in the middle. `end` runs after that body. */
async function* interrupted(before: string, after: string, end: () => Promise<void>) {
  yield new TextEncoder().encode(before);
  for (let n = 0; n < chunks; n += 1) yield chunk;
  await end();
  yield new TextEncoder().encode(after);
}

async function teamOf(person: Person): Promise<WorkspaceClient> {
  const workspace = await createWorkspace(ada, ada.session);
  await join(ada, person, workspace.id);
  return workspace;
}

const uploadWhile = (workspace: WorkspaceClient, sender: HttpClient, end: () => Promise<void>) =>
  workspace.as(sender).send('PUT', '/files/late.bin', { body: interrupted('<', '>', end) });

/** Asserts that the upload left no file and no change, and used no quota. */
async function assertNothingLeft(workspace: WorkspaceClient): Promise<void> {
  assert.deepEqual(await listedPaths(workspace), []);
  assert.deepEqual(await workspace.changes(), []);
  const usage = jsonOf(await workspace.query('usage'));
  assert.deepEqual([usage.usedBytes, usage.usedFiles], [0, 0]);
}

const removal = (workspace: WorkspaceClient, person: Person) => async () => {
  assertStatus(await ada.session.send('DELETE', `${workspace.root}/members/${person.id}`), 204);
};

const revocation = (person: Person, keyId: string) => async () => {
  assertStatus(await person.session.send('DELETE', `/api/keys/${keyId}`), 200);
};

const signOut = (person: Person) => async () => {
  assertStatus(await person.session.send('POST', '/api/auth/sign-out', { json: {} }), 200);
};

test(
  ...claims('members.remove-upload', 'an upload is rejected if its sender is removed during it'),
  async () => {
    const bob = await signUp(server, 'Bob');
    const { client } = await createKey(bob);
    for (const sender of [bob.session, client]) {
      const workspace = await teamOf(bob);
      const response = await uploadWhile(workspace, sender, removal(workspace, bob));
      assertRejection(response, 403, { says: 'Not a workspace member' });
      await assertNothingLeft(workspace);
    }
  },
);

test(
  ...claims(
    'members.remove-upload',
    'the key of a removed member ends with the membership, even during an upload',
  ),
  async () => {
    const bob = await signUp(server, 'Bob');
    const workspace = await teamOf(bob);
    const scoped = await createKey(bob, { workspaceId: workspace.id });
    const end = removal(workspace, bob);
    const response = await uploadWhile(workspace, scoped.client, end);
    assertRejection(response, 401, revoked);
    await assertNothingLeft(workspace);
  },
);

test(...claims('access.ended-key', 'an upload is rejected if its key is revoked during it'), async () => {
  const workspace = await createWorkspace(ada);
  const { id, client } = await createKey(ada);
  assertRejection(await uploadWhile(workspace, client, revocation(ada, id)), 401, revoked);
  await assertNothingLeft(workspace);
});

test(
  ...claims('access.ended-session', 'an upload is rejected if its session signs out during it'),
  async () => {
    const bob = await signUp(server, 'Bob');
    const workspace = await teamOf(bob);
    assertRejection(await uploadWhile(workspace, bob.session, signOut(bob)), 401);
    await assertNothingLeft(workspace);
  },
);

test(
  ...claims('mcp.sets.ended-key', 'a tool keeps no file when its key is revoked during the call'),
  async () => {
    const workspace = await createWorkspace(ada);
    const { id, client } = await createKey(ada);
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
    const given = { workspaceId: workspace.id, path: 'late.md', content: '@' };
    const [before = '', after = ''] = JSON.stringify({
      ...call,
      params: { name: 'write_file', arguments: given },
    }).split('@');
    const response = await client.send('POST', mcpPath, {
      body: interrupted(before, after, revocation(ada, id)),
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
      },
    });
    const result = recordOf(jsonOf(response).result);
    assert.equal(result.isError, true, response.bytes.toString('utf8'));
    const [block] = recordsAt(result, 'content');
    assert.ok(block);
    assert.match(textAt(block, 'text'), /key/i);
    await assertNothingLeft(workspace);
  },
);

test(...claims('access.ended-held-feed', 'a waiting feed request ends with its key or session'), async () => {
  const bob = await signUp(server, 'Bob');
  const { id, client } = await createKey(bob);
  const workspace = await teamOf(bob);
  const endings = [
    { holder: client, end: revocation(bob, id), refusal: revoked },
    { holder: bob.session, end: signOut(bob), refusal: {} },
  ];
  for (const [n, { holder, end, refusal: error }] of endings.entries()) {
    const head = Number(jsonOf(await workspace.query('changes', { limit: 0 })).head);
    const held = workspace.as(holder).query('changes', { sinceSeq: head, wait: 20 });
    await end();
    assertStatus(await workspace.put(`after ${n}.md`, 'secret'), 201);
    assertRejection(await held, 401, error);
  }
});
