import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listedBodies, startThread } from '../support/comments.ts';
import { assertRejection } from '../support/error.ts';
import { assertFile, assertJson, assertStatus, feedLines, listedPaths } from '../support/expect.ts';
import { joinWorkspace } from '../support/join-workspace.ts';
import { openMcp } from '../support/mcp-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { jsonOf, recordsAt, textAt } from '../support/response.ts';
import { share } from '../support/shares.ts';
import { useTarget } from '../support/target.ts';
import { dataOf } from '../support/tool-result.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server, 'Ada');
const ben = await signUp(server, 'Ben');

/** As many four-byte characters as a segment may have. They hardly repeat, so compression does not help. */
const segment = (number: number, characters = 63) =>
  Array.from({ length: characters }, (_, i) =>
    String.fromCodePoint(0x20000 + (((number * 63 + i) * 7919) % 0x4000)),
  ).join('');
const folder = Array.from({ length: 15 }, (_, i) => segment(i)).join('/');
/** Each has 1024 characters in 4,039 bytes. They differ in the character before the extension. */
const [first, second, third] = ['a', 'b', 'c'].map((last) => `${folder}/${segment(15, 60)}${last}.md`) as [
  string,
  string,
  string,
];

test(...claims('paths.characters', 'files at paths of the greatest length stay distinct'), async () => {
  assert.equal([...first].length, 1024);
  const workspace = await createWorkspace(ada);
  for (const path of [second, third, first]) {
    assertJson(await workspace.put(path, `at ${path}`), 201, { path, version: 1 });
  }
  assert.deepEqual(await listedPaths(workspace), [first, second, third]);
  assert.deepEqual(await listedPaths(workspace, folder), [first, second, third]);
  assertStatus(await workspace.put(second, 'newer', { ifMatch: 1 }), 200);
  await assertFile(workspace, first, `at ${first}`, 1);
  await assertFile(workspace, second, 'newer', 2);
  const earlier = await workspace.query('version', { path: second, version: 1 });
  assert.equal(earlier.bytes.toString(), `at ${second}`);
  assertStatus(await workspace.remove(third, 1), 204);
  assert.deepEqual(await listedPaths(workspace), [first, second]);
});

test(...claims('paths.characters', 'a lost write at the longest path is kept as one copy'), async () => {
  const workspace = await createWorkspace(ada);
  await workspace.put(first, 'one');
  const copies = await Promise.all(
    [1, 2].map(async () => {
      const lost = await workspace.put(first, 'lost', { ifMatch: 9 });
      assertStatus(lost, 412);
      return textAt(jsonOf(lost), 'conflict_copy_path');
    }),
  );
  assert.equal(copies[0], copies[1]);
  await assertFile(workspace, copies[0] ?? '', 'lost', 1);
  await assertFile(workspace, first, 'one', 1);
});

test(...claims('paths.characters', 'a thread and a link follow a file from and to long paths'), async () => {
  const workspace = await createWorkspace(ada);
  await workspace.put(first, 'A passage.');
  await startThread(workspace, { path: first, quote: 'passage' });
  const link = await share(workspace, first);
  const moved = await workspace.post('move', { from: first, to: second });
  assertJson(moved, 200, { path: second, version: 1 });
  assert.deepEqual(await listedBodies(workspace, { path: first }), []);
  assert.deepEqual(await listedBodies(workspace, { path: second }), ['Why?']);
  const shares = async (path: string) =>
    recordsAt(jsonOf(await workspace.query('shares', { path })), 'shares').map((each) => textAt(each, 'id'));
  assert.deepEqual(await shares(second), [link.id]);
  assert.equal((await server.send('GET', `${link.path}/content`)).bytes.toString(), 'A passage.');
  assert.deepEqual((await feedLines(workspace)).slice(1), [`delete ${first} 1`, `move ${second} 1`]);
});

test(...claims('paths.characters', 'long paths are private like any other'), async () => {
  const adas = await createWorkspace(ada);
  const bens = await joinWorkspace(adas, ada, ben);
  for (const path of [first, second]) await adas.put(path, 'text');
  const setPrivate = async (path: string, kind: string, isPrivate: boolean) =>
    assertStatus(await adas.send('PUT', '/node-private', { json: { path, kind, private: isPrivate } }), 200);
  await setPrivate(first, 'file', true);
  assertRejection(await bens.get(first), 404);
  assert.deepEqual([await listedPaths(adas), await listedPaths(bens)], [[first, second], [second]]);
  await setPrivate(folder, 'folder', true);
  assertRejection(await bens.get(second), 404);
  assert.deepEqual(await listedPaths(bens), []);
  for (const [path, kind] of [
    [folder, 'folder'],
    [first, 'file'],
  ] as const) {
    await setPrivate(path, kind, false);
  }
  assert.deepEqual(await listedPaths(bens), [first, second]);
  const icon = await adas.send('PUT', '/node-icon', { json: { path: second, icon: 'star' } });
  assertStatus(icon, 200);
  assert.deepEqual(jsonOf(await bens.query('list')).icons, { [second]: 'star' });
});

test(...claims('paths.characters', 'agents write, read and find them'), async () => {
  const workspace = await createWorkspace(ada);
  const key = await createKey(ada);
  const mcp = openMcp(server, key, { workspaceId: workspace.id });
  assert.deepEqual(await dataOf(mcp, 'write_file', { path: first, content: 'text' }), {
    ok: true,
    version: 1,
  });
  assert.equal((await dataOf(mcp, 'read_file', { path: first })).content, 'text');
  const found = await dataOf(mcp, 'search_files', { query: 'a.md' });
  assert.deepEqual(
    recordsAt(found, 'results').map((result) => textAt(result, 'path')),
    [first],
  );
});
