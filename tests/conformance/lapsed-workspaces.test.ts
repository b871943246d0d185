import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postReply, postThread, putResolved, readThread, startThread } from '../support/comments.ts';
import { assertFlat, assertRejection } from '../support/error.ts';
import { assertFile, assertStatus, feedLines } from '../support/expect.ts';
import { operator } from '../support/operator.ts';
import { createKey, signUp } from '../support/people.ts';
import { jsonOf, recordOf } from '../support/response.ts';
import { useOwnService } from '../support/target.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const { service, client: server } = await useOwnService({ STOA_MAX_FILE_BYTES: '1000' });
const ada = await signUp(server);
const robot = await createKey(ada);

async function lapsedWorkspace(): Promise<WorkspaceClient> {
  const workspace = await createWorkspace(ada, robot.client);
  await workspace.put('a.md', 'one');
  await workspace.put('a.md', 'two', { ifMatch: 1 });
  await workspace.put('b.md', 'b');
  await operator(service, 'workspace', 'lapse', workspace.id);
  return workspace;
}

const readOnly = { error: 'workspace_read_only' };

test(
  ...claims(['workspaces.lapsed-writes', 'errors.flat'], 'a lapsed workspace takes no writes'),
  async () => {
    const workspace = await lapsedWorkspace();
    assertFlat(await workspace.put('new.md', 'x'), 402, readOnly);
    assertFlat(await workspace.put('a.md', 'three', { ifMatch: 2 }), 402, readOnly);
    assertFlat(await workspace.put('a.md', 'three', { ifMatch: 1 }), 402, readOnly);
    assertFlat(await workspace.put('a.md', 'three', { ifNoneMatch: '*' }), 402, readOnly);
    assertFlat(await workspace.post('restore', { path: 'a.md', targetVersion: 1 }), 402, readOnly);
    assert.equal((await feedLines(workspace)).length, 3);
  },
);

test(...claims('workspaces.lapsed-rest', 'a lapsed workspace can be read and tidied up'), async () => {
  const workspace = await lapsedWorkspace();
  await assertFile(workspace, 'a.md', 'two', 2);
  assertStatus(await workspace.query('version', { path: 'a.md', version: 1 }), 200);
  assertStatus(await workspace.query('list'), 200);
  assertStatus(await workspace.query('search', { q: 'a' }), 200);
  assertStatus(await workspace.post('move', { from: 'a.md', to: 'c.md' }), 200);
  assertStatus(await workspace.remove('b.md', 1), 204);
  assert.deepEqual((await feedLines(workspace)).slice(3), ['delete a.md 2', 'move c.md 1', 'delete b.md 1']);
});

test(
  ...claims('comments.read-only', 'in a lapsed workspace comments are read and resolved, not written'),
  async () => {
    const workspace = await createWorkspace(ada, robot.client);
    await workspace.put('a.md', 'one');
    await workspace.put('a.txt', 'one');
    const thread = await startThread(workspace, { path: 'a.md', quote: 'one' });
    await operator(service, 'workspace', 'lapse', workspace.id);
    assertFlat(await postThread(workspace, { path: 'a.md', quote: 'one' }), 402, readOnly);
    assertFlat(await postThread(workspace, { path: 'a.txt', quote: 'one' }), 402, readOnly);
    assertRejection(await postThread(workspace, { path: 'none.md', quote: 'one' }), 404);
    assertFlat(await postReply(workspace, thread, { body: 'x' }), 402, readOnly);
    assertStatus(await putResolved(workspace, thread, true), 200);
    assert.equal((await readThread(workspace, thread)).status, 'resolved');
  },
);

test(...claims('workspaces.lapsed-usage', 'usage says that a workspace has lapsed'), async () => {
  const workspace = await createWorkspace(ada, robot.client);
  const status = async () => recordOf(jsonOf(await workspace.query('usage')).billing).status;
  assert.equal(await status(), 'active');
  await operator(service, 'workspace', 'lapse', workspace.id);
  assert.equal(await status(), 'lapsed');
});

test(...claims('workspaces.renewed', 'a renewed workspace is as before'), async () => {
  const workspace = await lapsedWorkspace();
  await operator(service, 'workspace', 'renew', workspace.id);
  assertStatus(await workspace.put('a.md', 'three', { ifMatch: 2 }), 200);
});

test(...claims('limits.order', 'the lapse is checked first, then the size, then the rest'), async () => {
  const lapsed = await lapsedWorkspace();
  const tooLarge = Buffer.alloc(1001, 1);
  assertFlat(await lapsed.put('a.md', tooLarge, { ifMatch: 2 }), 402, readOnly);
  assertFlat(await lapsed.put('a.md', 'x'), 402, readOnly);
  assertFlat(await lapsed.put('a.md', '', { ifMatch: 'not a version' }), 402, readOnly);
  assertRejection(await lapsed.put('../a.md', tooLarge), 400);
  assertRejection(await lapsed.post('restore', { path: 'none.md', targetVersion: 1 }), 404);
  const active = await createWorkspace(ada, robot.client);
  await active.put('a.md', 'x');
  assertRejection(await active.put('a.md', tooLarge), 413);
  assertRejection(await active.put('a.md', tooLarge, { ifMatch: 9 }), 413);
});
