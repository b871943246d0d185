import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFile, feedLines, listedPaths, sha256 } from '../support/expect.ts';
import type { McpClient } from '../support/mcp-client.ts';
import { recordOf, recordsAt, textAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { toolArguments } from '../support/tool-arguments.ts';
import { assertHardError, dataOf, textOf } from '../support/tool-result.ts';
import { signUpTwo } from '../support/two-people.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const { openWorkspace, openShared } = await signUpTwo(server);

const threadsOn = async (mcp: McpClient, path: string) =>
  recordsAt(await dataOf(mcp, 'list_comments', { path }), 'threads');

test(
  ...claims('mcp.move-file', 'a moved file has its bytes at the new path and starts again at 1'),
  async () => {
    const { workspace, mcp } = await openWorkspace();
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    await workspace.put('a.bin', 'one');
    await workspace.put('a.bin', bytes, { ifMatch: 1 });
    const text = await textOf(mcp, 'move_file', { from: 'a.bin', to: 'x/y/b.bin' });
    for (const fact of [/\ba\.bin\b/, /\bx\/y\/b\.bin\b/, /\bversion 1\b/]) assert.match(text, fact);
    await assertFile(workspace, 'x/y/b.bin', bytes, 1);
    assert.deepEqual(await listedPaths(workspace), ['x/y/b.bin']);
    await assertHardError(mcp, 'read_file', { path: 'a.bin' }, /^File not found/);
    const again = await dataOf(mcp, 'write_file', { path: 'a.bin', content: 'new' });
    assert.deepEqual(again, { ok: true, version: 1 });
    const next = { path: 'x/y/b.bin', content: 'next', baseVersion: 1 };
    assert.deepEqual(await dataOf(mcp, 'write_file', next), { ok: true, version: 2 });
  },
);

test(...claims('mcp.move-file.exists', 'a move overwrites nothing'), async () => {
  const { workspace, mcp } = await openWorkspace();
  await workspace.put('a.md', 'a');
  await workspace.put('b.md', 'b');
  await workspace.put('same.md', 'a');
  await workspace.put('folder/c.md', 'c');
  const lines = await feedLines(workspace);
  for (const to of ['b.md', 'same.md', 'a.md', './a.md', 'folder', 'b.md/below.md']) {
    await assertHardError(mcp, 'move_file', { from: 'a.md', to }, /destination|"[^"]+" is a (file|folder)/);
  }
  await assertFile(workspace, 'a.md', 'a', 1);
  await assertFile(workspace, 'b.md', 'b', 1);
  await assertFile(workspace, 'same.md', 'a', 1);
  assert.deepEqual(await listedPaths(workspace), ['a.md', 'b.md', 'folder/c.md', 'same.md']);
  assert.deepEqual(await feedLines(workspace), lines);
});

test(...claims('mcp.move-file.missing', 'a hidden file cannot be moved, like a missing one'), async () => {
  const { adas, adasMcp, bens, bensMcp } = await openShared();
  await bens.put('bens.md', 'b');
  await bens.put('folder/c.md', 'c');
  await bens.put('gone.md', 'g');
  await bens.remove('gone.md', 1);
  await textOf(adasMcp, 'set_private', { path: 'mine' });
  await adas.put('mine/a.md', 'a');
  const lines = await feedLines(adas);
  const says = await assertHardError(
    bensMcp,
    'move_file',
    { from: 'none.md', to: 'x.md' },
    /^File not found/,
  );
  for (const given of [
    { from: 'mine/a.md', to: 'x.md' },
    { from: 'mine/none.md', to: 'x.md' },
    { from: 'mine/a.md', to: 'bens.md' },
    { from: 'none.md', to: 'bens.md' },
    { from: 'mine', to: 'x.md' },
    { from: 'bens.md', to: 'mine/a.md' },
    { from: 'bens.md', to: 'mine/new.md' },
    { from: 'bens.md', to: 'mine' },
    { from: 'bens.md', to: 'mine/a.md/below.md' },
  ]) {
    assert.equal(await assertHardError(bensMcp, 'move_file', given, /./), says, JSON.stringify(given));
  }
  const isFolder = /^"folder" is a folder of 1 file\. Next: move its files one by one\.$/;
  await assertHardError(bensMcp, 'move_file', { from: 'folder', to: 'other' }, isFolder);
  await assertFile(adas, 'mine/a.md', 'a', 1);
  await assertFile(adas, 'bens.md', 'b', 1);
  assert.deepEqual(await feedLines(adas), lines);
});

test(...claims('mcp.move-file.no-base', 'a move names two paths and takes the current version'), async () => {
  const { workspace, mcp } = await openWorkspace();
  assert.deepEqual(await toolArguments(mcp, 'move_file'), {
    all: ['from', 'to'],
    required: ['from', 'to'],
  });
  await workspace.put('a.md', 'one');
  await workspace.put('a.md', 'two', { ifMatch: 1 });
  await workspace.put('a.md', 'three', { ifMatch: 2 });
  await textOf(mcp, 'move_file', { from: 'a.md', to: 'b.md' });
  await assertFile(workspace, 'b.md', 'three', 1);
});

test(...claims('mcp.move-file.threads', 'threads move with the file and stay open'), async () => {
  const { workspace, mcp } = await openWorkspace();
  await workspace.put('a.md', 'We ship on Monday, not on Friday.');
  await workspace.put('b.md', 'Another.');
  const start = async (path: string, quote: string) => {
    const { thread } = await dataOf(mcp, 'add_comment', { path, body: `${quote}?`, quote });
    return textAt(recordOf(thread), 'id');
  };
  const open = await start('a.md', 'Monday');
  await dataOf(mcp, 'reply_comment', { threadId: open, body: 'So.' });
  const resolved = await start('a.md', 'Friday');
  await dataOf(mcp, 'resolve_comment', { threadId: resolved, resolved: true });
  await start('b.md', 'Another');
  const before = await threadsOn(mcp, 'a.md');
  assert.equal(before.length, 2);
  const elsewhere = await threadsOn(mcp, 'b.md');

  await textOf(mcp, 'move_file', { from: 'a.md', to: 'docs/c.md' });
  const after = await threadsOn(mcp, 'docs/c.md');
  assert.deepEqual(
    after.map(({ pinnedVersion: _, ...thread }) => thread),
    before.map(({ pinnedVersion: _, ...thread }) => ({ ...thread, path: 'docs/c.md' })),
  );
  assert.deepEqual(await threadsOn(mcp, 'b.md'), elsewhere);
  await dataOf(mcp, 'reply_comment', { threadId: open, body: 'Still so.' });
  const [thread] = recordsAt(await dataOf(mcp, 'list_comments', { threadId: open }), 'threads');
  assert.deepEqual([thread?.path, thread?.entryCount], ['docs/c.md', 2]);

  await workspace.put('a.md', 'We ship on Monday, not on Friday.');
  assert.deepEqual(await threadsOn(mcp, 'a.md'), []);
});

test(...claims('mcp.move-file.feed', 'a move is a delete and, right after it, a move'), async () => {
  const { workspace, mcp } = await openWorkspace();
  await workspace.put('a.md', 'one');
  await workspace.put('a.md', 'two', { ifMatch: 1 });
  await textOf(mcp, 'move_file', { from: 'a.md', to: 'b.md' });
  const made = (await workspace.changes()).slice(2);
  assert.deepEqual(
    made.map(({ op, path, version, contentHash, movedFrom }) => [op, path, version, contentHash, movedFrom]),
    [
      ['delete', 'a.md', 2, null, undefined],
      ['move', 'b.md', 1, sha256('two'), 'a.md'],
    ],
  );
});

test(...claims('mcp.delete-file', 'a file is deleted at the version that was read'), async () => {
  const { workspace, mcp } = await openWorkspace();
  await workspace.put('a.md', 'one');
  await workspace.put('a.md', 'two', { ifMatch: 1 });
  await workspace.put('b.md', 'b');
  const text = await textOf(mcp, 'delete_file', { path: 'a.md', baseVersion: 2 });
  assert.match(text, /\ba\.md\b.*\bversion 2\b/);
  assert.deepEqual(await listedPaths(workspace), ['b.md']);
  assert.deepEqual((await feedLines(workspace)).slice(3), ['delete a.md 2']);
  const back = await dataOf(mcp, 'restore_file', { path: 'a.md', targetVersion: 2 });
  assert.deepEqual(back, { status: 'ok', version: 1, restoredFrom: 2 });
  await assertFile(workspace, 'a.md', 'two', 1);
});

test(...claims('mcp.delete-file.base-required', 'a delete needs a version'), async () => {
  const { workspace, mcp } = await openWorkspace();
  await workspace.put('a.md', 'one');
  const all = ['path', 'baseVersion'];
  assert.deepEqual(await toolArguments(mcp, 'delete_file'), { all, required: all });
  for (const given of [{}, { baseVersion: null }, { baseVersion: 'one' }, { baseVersion: 0 }]) {
    await assertHardError(
      mcp,
      'delete_file',
      { path: 'a.md', ...given },
      /\bbaseVersion(: | is missing: it )must be/,
    );
  }
  await assertFile(workspace, 'a.md', 'one', 1);
  assert.equal((await workspace.changes()).length, 1);
});

test(
  ...claims('mcp.delete-file.stale', 'a delete of a changed file fails and names the version'),
  async () => {
    const { workspace, mcp } = await openWorkspace();
    await workspace.put('a.md', 'one');
    for (const version of [1, 2, 3, 4]) await workspace.put('a.md', `${version}`, { ifMatch: version });
    for (const baseVersion of [1, 4, 6, 1_000_000]) {
      const given = { path: 'a.md', baseVersion };
      await assertHardError(mcp, 'delete_file', given, /[Nn]othing was deleted.*\ba\.md\b.*\bversion 5\b/);
    }
    await assertFile(workspace, 'a.md', '4', 5);
    assert.equal((await workspace.changes()).length, 5);
    await textOf(mcp, 'delete_file', { path: 'a.md', baseVersion: 5 });
  },
);

test(...claims('mcp.delete-file.missing', 'a missing or hidden file cannot be deleted'), async () => {
  const { adas, adasMcp, bensMcp } = await openShared();
  await textOf(adasMcp, 'set_private', { path: 'mine' });
  await adas.put('mine/a.md', 'a');
  await adas.put('folder/b.md', 'b');
  await adas.put('gone.md', 'g');
  await adas.remove('gone.md', 1);
  const lines = await feedLines(adas);
  const missing = { path: 'none.md', baseVersion: 1 };
  const says = await assertHardError(bensMcp, 'delete_file', missing, /^File not found/);
  const isFolder = /^"folder" is a folder of 1 file\. Next: list_files with prefix "folder"\.$/;
  for (const baseVersion of [1, 2]) {
    for (const path of ['mine/a.md', 'mine/none.md', 'mine', 'folder/b.md/below.md']) {
      assert.equal(await assertHardError(bensMcp, 'delete_file', { path, baseVersion }, /./), says, path);
    }
    await assertHardError(bensMcp, 'delete_file', { path: 'folder', baseVersion }, isFolder);
  }
  assert.deepEqual(await listedPaths(adas), ['folder/b.md', 'mine/a.md']);
  assert.deepEqual(await feedLines(adas), lines);
});
