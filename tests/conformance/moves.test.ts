import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFlat, assertRejection } from '../support/error.ts';
import { assertFile, assertJson, assertStatus, feedLines, listedPaths, sha256 } from '../support/expect.ts';
import { createKey, signUp } from '../support/people.ts';
import { jsonOf } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server);
const robot = await createKey(ada);
const emptyWorkspace = () => createWorkspace(ada, robot.client);

test(
  ...claims(['moves.file', 'moves.freed'], 'a moved file is at the new path and starts again at 1'),
  async () => {
    const workspace = await emptyWorkspace();
    await workspace.put('a.md', 'one');
    await workspace.put('a.md', 'two', { ifMatch: 1 });
    assertJson(await workspace.post('move', { from: 'a.md', to: 'x/y/b.md' }), 200, {
      path: 'x/y/b.md',
      version: 1,
    });
    await assertFile(workspace, 'x/y/b.md', 'two', 1);
    assertRejection(await workspace.get('a.md'), 404);
    assertJson(await workspace.put('a.md', 'new'), 201, { path: 'a.md', version: 1 });
  },
);

test(
  ...claims(
    ['moves.base-version', 'moves.stale', 'errors.flat'],
    'a move of a file that has changed since moves nothing',
  ),
  async () => {
    const workspace = await emptyWorkspace();
    await workspace.put('a.md', 'one');
    await workspace.put('a.md', 'two', { ifMatch: 1 });
    for (const baseVersion of [1, 3]) {
      const stale = await workspace.post('move', { from: 'a.md', to: 'b.md', baseVersion });
      assertFlat(stale, 412, { error: 'version_conflict', current_version: 2 });
    }
    assert.deepEqual(await listedPaths(workspace), ['a.md']);
    const moved = await workspace.post('move', { from: 'a.md', to: 'b.md', baseVersion: 2 });
    assertJson(moved, 200, { path: 'b.md', version: 1 });
  },
);

test(...claims('moves.base-content-hash', 'a file recreated at the same version is not moved'), async () => {
  const workspace = await emptyWorkspace();
  await workspace.put('a.md', 'seen');
  await workspace.remove('a.md', 1);
  await workspace.put('a.md', 'never seen');
  const move = { from: 'a.md', to: 'b.md', baseVersion: 1 };
  const stale = await workspace.post('move', { ...move, baseContentHash: sha256('seen') });
  assertFlat(stale, 412, { error: 'version_conflict', current_version: 1 });
  await assertFile(workspace, 'a.md', 'never seen', 1);
  const moved = await workspace.post('move', { ...move, baseContentHash: sha256('never seen') });
  assertJson(moved, 200, { path: 'b.md', version: 1 });
});

test(
  ...claims(['moves.source-missing', 'moves.one-file'], 'a missing file or a folder cannot be moved'),
  async () => {
    const workspace = await emptyWorkspace();
    await workspace.put('folder/a.md', 'x');
    assertRejection(await workspace.post('move', { from: 'none.md', to: 'b.md' }), 404);
    assertRejection(await workspace.post('move', { from: 'folder', to: 'other' }), 404);
    assert.deepEqual(await listedPaths(workspace), ['folder/a.md']);
  },
);

test(...claims(['moves.destination-exists', 'moves.onto-itself'], 'a move overwrites nothing'), async () => {
  const workspace = await emptyWorkspace();
  await workspace.put('a.md', 'a');
  await workspace.put('b.md', 'b');
  assertRejection(await workspace.post('move', { from: 'a.md', to: 'b.md' }), 409);
  assertRejection(await workspace.post('move', { from: 'a.md', to: 'a.md' }), 409);
  assertRejection(await workspace.post('move', { from: 'a.md', to: './a.md', baseVersion: 1 }), 409);
  await assertFile(workspace, 'a.md', 'a', 1);
  await assertFile(workspace, 'b.md', 'b', 1);
  assert.deepEqual(await feedLines(workspace), ['write a.md 1', 'write b.md 1']);
});

test(
  ...claims('moves.order-of-refusals', 'the source is checked first, then its version, then the destination'),
  async () => {
    const workspace = await emptyWorkspace();
    await workspace.put('a.md', 'a');
    await workspace.put('b.md', 'b');
    assertRejection(await workspace.post('move', { from: 'none.md', to: 'b.md', baseVersion: 7 }), 404);
    assertStatus(await workspace.post('move', { from: 'a.md', to: 'b.md', baseVersion: 7 }), 412);
    assertRejection(await workspace.post('move', { from: 'a.md', to: 'b.md', baseVersion: 1 }), 409);
    assertStatus(await workspace.post('move', { from: 'a.md', to: 'a.md', baseVersion: 7 }), 412);
  },
);

test(...claims('moves.blocked', 'a move puts no file below a file and none over a folder'), async () => {
  const workspace = await emptyWorkspace();
  await workspace.put('a', 'a');
  await workspace.put('b', 'b');
  await workspace.put('folder/x', 'x');
  assertRejection(await workspace.post('move', { from: 'a', to: 'b/below' }), 409);
  assertRejection(await workspace.post('move', { from: 'a', to: 'folder' }), 409);
  assert.deepEqual(await listedPaths(workspace), ['a', 'b', 'folder/x']);
});

test(...claims(['moves.case', 'paths.case-sensitive'], 'a rename may change only the case'), async () => {
  const workspace = await emptyWorkspace();
  await workspace.put('readme.md', 'x');
  const response = await workspace.post('move', { from: 'readme.md', to: 'README.md' });
  assertJson(response, 200, { path: 'README.md', version: 1 });
  assert.deepEqual(await listedPaths(workspace), ['README.md']);
});

test(...claims('moves.malformed', 'a move names two paths and a version, if any'), async () => {
  const workspace = await emptyWorkspace();
  await workspace.put('a.md', 'a');
  for (const body of [
    {},
    { from: 'a.md' },
    { to: 'b.md' },
    { from: 'a.md', to: 7 },
    { from: 'a.md', to: 'b.md', baseVersion: '1' },
    { from: 'a.md', to: 'b.md', baseVersion: 1.5 },
    { from: 'a.md', to: 'b.md', baseVersion: -1 },
    { from: 'a.md', to: 'b.md', baseContentHash: sha256('a') },
    { from: 'a.md', to: 'b.md', baseVersion: 1, baseContentHash: '' },
    { from: 'a.md', to: 'b.md', baseVersion: 1, baseContentHash: sha256('a').toUpperCase() },
    { from: 'a.md', to: 'b.md', baseVersion: 1, baseContentHash: 7 },
    [],
  ]) {
    assertRejection(await workspace.post('move', body), 400);
  }
  assert.deepEqual(await listedPaths(workspace), ['a.md']);
});

for (const path of [
  '../b.md',
  'x/..',
  'b\\c',
  'b\0c',
  'b\u0007c',
  '',
  '/',
  '\ud800',
  `${'x'.repeat(256)}.md`,
]) {
  test(
    ...claims(
      ['moves.paths', 'paths.in-bodies'],
      `a move to or from ${JSON.stringify(path).slice(0, 20)} is rejected`,
    ),
    async () => {
      const workspace = await emptyWorkspace();
      await workspace.put('a.md', 'a');
      assertRejection(await workspace.post('move', { from: 'a.md', to: path }), 400);
      assertRejection(await workspace.post('move', { from: path, to: 'b.md' }), 400);
    },
  );
}

test(
  ...claims(
    ['moves.paths', 'paths.in-bodies', 'paths.canonical-answer'],
    'a move returns the final form of the path',
  ),
  async () => {
    const workspace = await emptyWorkspace();
    await workspace.put('a.md', 'a');
    const response = await workspace.post('move', { from: './a.md', to: '//e\u0301//./b.md/' });
    assertJson(response, 200, { path: 'é/b.md', version: 1 });
  },
);

test(...claims('moves.icon', "a file's icon goes with it"), async () => {
  const workspace = await emptyWorkspace();
  await workspace.put('a.md', 'a');
  assertStatus(await workspace.send('PUT', '/node-icon', { json: { path: 'a.md', icon: '🦉' } }), 200);
  await workspace.post('move', { from: 'a.md', to: 'b.md' });
  assert.deepEqual(jsonOf(await workspace.query('list')).icons, { 'b.md': '🦉' });
});

test(
  ...claims(
    ['moves.folder.answer', 'moves.folder.no-files', 'moves.folder.nothing'],
    'a folder move alone moves no file',
  ),
  async () => {
    const workspace = await emptyWorkspace();
    await workspace.put('old/a.md', 'a');
    const response = await workspace.post('move-folder', { from: 'old', to: 'new' });
    assertJson(response, 200, { ok: true, from: 'old', to: 'new' });
    assert.deepEqual(await listedPaths(workspace), ['old/a.md']);
    assert.deepEqual(await feedLines(workspace), ['write old/a.md 1']);
    assertJson(await workspace.post('move-folder', { from: 'none', to: 'some' }), 200, {
      ok: true,
      from: 'none',
      to: 'some',
    });
  },
);

test(...claims('moves.folder.nodes', 'a moved folder keeps its icons and order'), async () => {
  const workspace = await emptyWorkspace();
  await workspace.put('old/sub/a.md', 'a');
  await workspace.put('older.md', 'a');
  for (const [path, icon] of Object.entries({ old: '🦉', 'old/sub': 'rocket', 'older.md': '🐢' })) {
    assertStatus(await workspace.send('PUT', '/node-icon', { json: { path, icon } }), 200);
  }
  assertStatus(await workspace.send('PUT', '/node-order', { json: { paths: ['older.md', 'old'] } }), 200);
  const before = jsonOf(await workspace.query('list'));
  await workspace.post('move', { from: 'old/sub/a.md', to: 'new/sub/a.md' });
  assertStatus(await workspace.post('move-folder', { from: 'old', to: 'new' }), 200);
  const after = jsonOf(await workspace.query('list'));
  assert.deepEqual(after.icons, { new: '🦉', 'new/sub': 'rocket', 'older.md': '🐢' });
  assert.deepEqual(Object.keys(Object(after.orders)).sort(), ['new', 'older.md']);
  assert.equal(Object(after.orders).new, Object(before.orders).old);
});

test(
  ...claims('moves.folder.source-wins', 'the icon of a moved folder replaces the icon at the destination'),
  async () => {
    const workspace = await emptyWorkspace();
    await workspace.put('from/a.md', 'a');
    await workspace.put('to/b.md', 'b');
    await workspace.send('PUT', '/node-icon', { json: { path: 'from', icon: '🦉' } });
    await workspace.send('PUT', '/node-icon', { json: { path: 'to', icon: '🐢' } });
    assertStatus(await workspace.post('move-folder', { from: 'from', to: 'to' }), 200);
    assert.deepEqual(jsonOf(await workspace.query('list')).icons, { to: '🦉' });
  },
);

test(
  ...claims(['moves.folder.into-itself', 'moves.folder.malformed'], 'an invalid folder move is rejected'),
  async () => {
    const workspace = await emptyWorkspace();
    await workspace.put('f/a.md', 'a');
    assertRejection(await workspace.post('move-folder', { from: 'f', to: 'f/g' }), 400);
    for (const body of [{}, { from: 'f' }, { to: 'g' }, { from: '', to: 'g' }, { from: 'f', to: '../g' }]) {
      assertRejection(await workspace.post('move-folder', body), 400);
    }
    assertStatus(await workspace.post('move-folder', { from: 'f', to: 'ff' }), 200);
  },
);
