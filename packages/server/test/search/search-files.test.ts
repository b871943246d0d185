import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WorkspaceError } from '@stoa/core';
import { createCurrentFiles } from '../../src/service/search/current-files.ts';
import { makeDataDir, openProcess } from './support/searched-workspace.ts';

test('a search finds what was just written, moved and deleted', async () => {
  await using dataDir = await makeDataDir();
  await using process = await openProcess(dataDir.path);
  const ann = await process.member('ann', await process.createWorkspace());
  assert.deepEqual(await ann.find('md'), []);
  await ann.write('docs/plan.md', 'docs/notes.md');
  assert.deepEqual(await ann.find('plan'), ['docs/plan.md']);
  await ann.move('docs/plan.md', 'archive/plan.md');
  assert.deepEqual(await ann.find('plan'), ['archive/plan.md']);
  assert.deepEqual(await ann.find('archive'), ['archive/', 'archive/plan.md']);
  await ann.remove('archive/plan.md');
  assert.deepEqual(await ann.find('a'), []);
  assert.deepEqual(await ann.find('docs'), ['docs/', 'docs/notes.md']);
});

test('a search finds a conflicted copy', async () => {
  await using dataDir = await makeDataDir();
  await using process = await openProcess(dataDir.path);
  const ann = await process.member('ann', await process.createWorkspace());
  await ann.write('plan.md');
  assert.deepEqual(await ann.find('conflict'), []);
  await ann.writeBlindly('plan.md', 'other bytes');
  assert.equal((await ann.find('conflict')).length, 1);
});

test('a search finds what another process wrote', async () => {
  await using dataDir = await makeDataDir();
  await using here = await openProcess(dataDir.path);
  await using there = await openProcess(dataDir.path);
  const workspaceId = await here.createWorkspace();
  const ann = await here.member('ann', workspaceId);
  const bob = await there.member('bob', workspaceId);
  await ann.write('one.md');
  assert.deepEqual(await bob.find('md'), ['one.md']);
  await ann.write('two.md');
  assert.deepEqual(await bob.find('md'), ['one.md', 'two.md']);
});

test('each of many writers finds its own file at once, while all search at the same time', async () => {
  await using dataDir = await makeDataDir();
  await using process = await openProcess(dataDir.path);
  const ann = await process.member('ann', await process.createWorkspace());
  await Promise.all(
    Array.from({ length: 40 }, async (_, i) => {
      const path = `folder-${i % 3}/file-${String.fromCharCode(97 + (i % 26))}${i}.md`;
      await ann.write(path);
      const found = await ann.find(path);
      assert.ok(found.includes(path), path);
    }),
  );
  assert.equal((await ann.search('md')).totalMatches, 40);
});

test('thousands of files are all found, also by a process that starts later', async () => {
  await using dataDir = await makeDataDir();
  await using process = await openProcess(dataDir.path);
  const workspaceId = await process.createWorkspace();
  const ann = await process.member('ann', workspaceId);
  await ann.write('first.md');
  assert.equal((await ann.search('md')).totalMatches, 1);
  // More than one page, both for followed changes and for a new list.
  await ann.write(...Array.from({ length: 1300 }, (_, i) => `folder-${i % 9}/${i}.md`));
  assert.equal((await ann.search('md')).totalMatches, 1301);
  await using later = await openProcess(dataDir.path);
  const again = await later.member('ann', workspaceId);
  assert.equal((await again.search('md')).totalMatches, 1301);
});

test('items private to another member are neither found nor counted', async () => {
  await using dataDir = await makeDataDir();
  await using process = await openProcess(dataDir.path);
  const workspaceId = await process.createWorkspace();
  const ann = await process.member('ann', workspaceId);
  const bob = await process.member('bob', workspaceId);
  await ann.write('diary/monday.md', 'diary/open/tuesday.md', 'shared/wednesday.md', 'shared/thursday.md');
  assert.equal((await bob.search('day.md')).totalMatches, 4);

  await ann.setPrivate('diary', 'folder');
  await ann.setPrivate('shared/thursday.md', 'file');
  assert.deepEqual(await bob.find('day.md'), ['shared/wednesday.md']);
  assert.equal((await bob.search('day.md')).totalMatches, 1);
  assert.deepEqual(await bob.find('diary'), []);
  assert.equal((await ann.search('day.md')).totalMatches, 4);

  await ann.setPrivate('diary', 'folder', false);
  assert.deepEqual((await bob.find('diary')).sort(), [
    'diary/',
    'diary/monday.md',
    'diary/open/',
    'diary/open/tuesday.md',
  ]);
});

test('a folder is found only through files that the searcher may see', async () => {
  await using dataDir = await makeDataDir();
  await using process = await openProcess(dataDir.path);
  const workspaceId = await process.createWorkspace();
  const ann = await process.member('ann', workspaceId);
  const bob = await process.member('bob', workspaceId);
  await ann.write('folder/secret.md');
  await ann.setPrivate('folder/secret.md', 'file');
  assert.deepEqual(await bob.find('folder'), []);
  await bob.write('folder/.keep');
  assert.deepEqual(await bob.find('folder'), ['folder/']);
  assert.deepEqual(await bob.find('keep'), []);
});

test('a private file that moves is not found at its old path either', async () => {
  await using dataDir = await makeDataDir();
  await using process = await openProcess(dataDir.path);
  const workspaceId = await process.createWorkspace();
  const ann = await process.member('ann', workspaceId);
  const bob = await process.member('bob', workspaceId);
  await ann.write('open.md', 'secret.md');
  await ann.setPrivate('secret.md', 'file');
  assert.deepEqual(await bob.find('md'), ['open.md']);
  const [, found] = await Promise.all([ann.move('secret.md', 'elsewhere.md'), bob.find('md')]);
  assert.deepEqual(found, ['open.md']);
  assert.deepEqual(await bob.find('md'), ['open.md']);
});

test('workspaces beyond the files that may be listed in memory are still searched', async () => {
  await using dataDir = await makeDataDir();
  await using process = await openProcess(dataDir.path, (store) =>
    createCurrentFiles(store, { filesMax: 1 }),
  );
  const ids = [await process.createWorkspace(), await process.createWorkspace()];
  const members = await Promise.all(ids.map((id) => process.member('ann', id)));
  for (const [i, ann] of members.entries()) await ann.write(`only-in-${i}.md`);
  for (let round = 0; round < 3; round += 1) {
    for (const [i, ann] of members.entries()) assert.deepEqual(await ann.find('md'), [`only-in-${i}.md`]);
  }
});

test('an empty query and an unknown workspace are rejected', async () => {
  await using dataDir = await makeDataDir();
  await using process = await openProcess(dataDir.path);
  const workspaceId = await process.createWorkspace();
  const ann = await process.member('ann', workspaceId);
  const code = (expected: string) => (error: unknown) =>
    error instanceof WorkspaceError && error.code === expected;
  await assert.rejects(ann.search(' '), code('invalid_request'));
  const currentFiles = createCurrentFiles(process.store);
  await assert.rejects(currentFiles.read('ws_unknown'), code('workspace_not_found'));
  // An error leaves no state behind that would fail the next call.
  await assert.rejects(
    Promise.all([currentFiles.read('ws_unknown'), currentFiles.read('ws_unknown')]),
    code('workspace_not_found'),
  );
  await currentFiles.read(workspaceId);
});
