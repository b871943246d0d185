import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRejection } from '../support/error.ts';
import { assertStatus, iso8601, sha256 } from '../support/expect.ts';
import { joinWorkspace } from '../support/join-workspace.ts';
import { openMcp } from '../support/mcp-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { jsonOf, recordsAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server, 'Ada Lovelace');
const robot = await createKey(ada, { name: 'Robot', actorType: 'agent' });
const emptyWorkspace = () => createWorkspace(ada, robot.client);

/** `1-2 v1 Robot` for each range, followed by the earlier path of moved lines. */
async function blamed(workspace: WorkspaceClient, path: string): Promise<readonly string[]> {
  const response = await workspace.query('blame', { path });
  assertStatus(response, 200);
  return recordsAt(jsonOf(response), 'lines').map(({ from, to, version, actorLabel, movedFrom, orEarlier }) =>
    [
      `${from}-${to} v${version}`,
      actorLabel ?? 'Ada',
      ...(movedFrom === undefined ? [] : [movedFrom]),
      ...(orEarlier === true ? ['or earlier'] : []),
    ].join(' '),
  );
}

test(...claims('history.blame', 'each line names its last writer'), async () => {
  const workspace = await emptyWorkspace();
  await workspace.put('a.md', 'one\ntwo\nthree\n');
  await workspace.as(ada.session).put('a.md', 'one\n2\nthree\n', { ifMatch: 1 });
  await workspace.put('a.md', 'zero\none\n2\nthree\nfour\n', { ifMatch: 2 });
  const response = jsonOf(await workspace.query('blame', { path: 'a.md' }));
  const { lines, ...facts } = response;
  assert.deepEqual(facts, {
    path: 'a.md',
    version: 3,
    contentHash: sha256('zero\none\n2\nthree\nfour\n'),
  });
  const [, , third] = recordsAt({ lines }, 'lines');
  assert.match(String(third?.createdAt), iso8601);
  assert.deepEqual(
    { ...third, createdAt: null },
    {
      from: 3,
      to: 3,
      version: 2,
      createdAt: null,
      principal: 'human',
      actorId: ada.id,
      actorKeyId: null,
      actorLabel: null,
    },
  );
  const expected = ['1-1 v3 Robot', '2-2 v1 Robot', '3-3 v2 Ada', '4-4 v1 Robot', '5-5 v3 Robot'];
  assert.deepEqual(await blamed(workspace, 'a.md'), expected);
  // The second response comes from the cache.
  assert.deepEqual(await blamed(workspace, 'a.md'), expected);
  await workspace.put('empty.md', 'x');
  assert.deepEqual(await blamed(workspace, 'empty.md'), ['1-1 v1 Robot']);
});

test(...claims('history.blame.restores', 'lines that a restore brings back keep their writer'), async () => {
  const workspace = await emptyWorkspace();
  await workspace.put('a.md', 'one\ntwo\n');
  await workspace.as(ada.session).put('a.md', 'rewritten\n', { ifMatch: 1 });
  await workspace.as(ada.session).post('restore', { path: 'a.md', targetVersion: 1 });
  assert.deepEqual(await blamed(workspace, 'a.md'), ['1-2 v1 Robot']);
  await workspace.remove('a.md', 3);
  await workspace.as(ada.session).post('restore', { path: 'a.md', targetVersion: 3 });
  assert.deepEqual(await blamed(workspace, 'a.md'), ['1-2 v1 Robot']);
});

test(...claims('history.blame.moves', 'a move leaves the lines to their writers'), async () => {
  const workspace = await emptyWorkspace();
  await workspace.put('a.md', 'one\ntwo\n');
  await workspace.as(ada.session).post('move', { from: 'a.md', to: 'b.md' });
  await workspace.as(ada.session).put('b.md', 'one\n2\n', { ifMatch: 1 });
  assert.deepEqual(await blamed(workspace, 'b.md'), ['1-1 v1 Robot a.md', '2-2 v2 Ada']);
});

test(...claims('history.blame.moves', 'blame hides history from paths the caller cannot see'), async () => {
  const workspace = await emptyWorkspace();
  const ben = await signUp(server, 'Ben');
  const bens = await joinWorkspace(workspace, ada, ben);
  const folder = { path: 'own', kind: 'folder', private: true };
  assertStatus(await workspace.send('PUT', '/node-private', { json: folder }), 200);
  await workspace.put('own/a.md', 'one\ntwo\n');
  await workspace.put('own/a.md', 'one\n2\n', { ifMatch: 1 });
  await workspace.post('move', { from: 'own/a.md', to: 'b.md' });
  const shared = { path: 'b.md', kind: 'file', private: false };
  assertStatus(await workspace.send('PUT', '/node-private', { json: shared }), 200);
  assert.deepEqual(await blamed(workspace, 'b.md'), ['1-1 v1 Robot own/a.md', '2-2 v2 Robot own/a.md']);
  assert.deepEqual(await blamed(bens, 'b.md'), ['1-2 v1 Robot or earlier']);
});

test(...claims('history.blame.unavailable', 'blame rejects missing, binary and large files'), async () => {
  const workspace = await emptyWorkspace();
  await workspace.put('a.bin', new Uint8Array([1, 0xff]));
  await workspace.put('big.md', 'x'.repeat(1024 * 1024 + 1));
  assertRejection(await workspace.query('blame', { path: 'none.md' }), 404);
  assertRejection(await workspace.query('blame', { path: 'a.bin' }), 400, { says: /a\.bin is not text/ });
  assertRejection(await workspace.query('blame', { path: 'big.md' }), 400, { says: /1 MiB/ });
  assertRejection(await workspace.query('blame', {}), 400);
});

test(...claims('mcp.read-lines.blame', 'an agent reads lines with their writers'), async () => {
  const workspace = await emptyWorkspace();
  const mcp = openMcp(server, await createKey(ada, { workspaceId: workspace.id }), { toolSet: 'extended' });
  await workspace.put('a.md', 'one\ntwo\nthree\n');
  await workspace.as(ada.session).put('a.md', 'one\n2\nthree\n', { ifMatch: 1 });
  const { text } = await mcp.call('read_lines', { path: 'a.md', from: 2, blame: true });
  const times = text.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, '<time>');
  assert.equal(
    times,
    'a.md v2, lines 2-3 of 3.\n2-2 Ada Lovelace v2 <time>\n3-3 Robot v1 <time>\n\n2\nthree\n',
  );
});
