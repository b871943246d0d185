import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type RealFolder, untilQuiet, useWorkspace } from './real-folders.ts';

async function twoFolders() {
  const { workspace, folder } = await useWorkspace();
  const stack = new AsyncDisposableStack();
  const a = stack.use(await folder());
  const b = stack.use(await folder());
  return { workspace, a, b, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

async function assertSame(a: RealFolder, b: RealFolder, expected: Record<string, string>): Promise<void> {
  assert.deepEqual(await a.contents(), expected);
  assert.deepEqual(await b.contents(), expected);
}

test('creates, edits and deletes reach the other folder', async () => {
  await using both = await twoFolders();
  const { a, b } = both;
  await a.write('docs/plan.md', '# Plan\n');
  await a.write('empty.txt', '');
  await a.write('big.bin', 'x'.repeat(3_000_000));
  const first = await a.sync();
  assert.deepEqual([first.up, first.isInSync, first.skipped], [3, true, []]);
  assert.equal((await b.sync()).down, 3);
  await assertSame(a, b, { 'big.bin': 'x'.repeat(3_000_000), 'docs/plan.md': '# Plan\n', 'empty.txt': '' });
  await b.write('docs/plan.md', '# Plan\n\nMore.\n');
  await b.remove('big.bin');
  await untilQuiet(b, a);
  await assertSame(a, b, { 'docs/plan.md': '# Plan\n\nMore.\n', 'empty.txt': '' });
});

test('two edits of one file are both kept', async () => {
  await using both = await twoFolders();
  const { a, b } = both;
  await a.write('a.md', 'one\n');
  await untilQuiet(a, b);
  await a.write('a.md', 'mine\n');
  await b.write('a.md', 'theirs\n');
  await a.sync();
  const lost = await b.sync();
  assert.equal(lost.conflicts.length, 1);
  await untilQuiet(a, b);
  const contents = await a.contents();
  assert.deepEqual(Object.values(contents).sort(), ['mine\n', 'theirs\n']);
  assert.equal(contents['a.md'], 'mine\n');
  await assertSame(a, b, contents);
});

test('a remote change right after an upload is fetched in the next pass', async () => {
  await using both = await twoFolders();
  const { workspace, a } = both;
  await a.write('a.md', 'mine\n');
  await a.sync();
  assert.equal((await workspace.put('a.md', 'theirs\n', { ifMatch: 1 })).status, 200);
  const { down, isInSync } = await a.sync();
  assert.deepEqual([down, isInSync, await a.contents()], [1, true, { 'a.md': 'theirs\n' }]);
});

test('two folders that both have files are joined without deletes', async () => {
  await using both = await twoFolders();
  const { a, b } = both;
  await a.write('same.md', 'same\n');
  await a.write('only-a.md', 'a\n');
  await a.write('both.md', 'from a\n');
  await b.write('same.md', 'same\n');
  await b.write('only-b.md', 'b\n');
  await b.write('both.md', 'from b\n');
  await a.sync();
  const joined = await b.sync();
  assert.deepEqual([joined.up, joined.conflicts.length], [1, 1]);
  await untilQuiet(a, b);
  const contents = await a.contents();
  assert.equal(Object.keys(contents).length, 5);
  await assertSame(a, b, contents);
});

test('a file and a folder that were renamed are moved, not sent again', async () => {
  await using both = await twoFolders();
  const { workspace, a, b } = both;
  await a.write('notes/one.md', 'one\n');
  await a.write('notes/deep/two.md', 'two\n');
  await a.write('loose.md', 'loose\n');
  await untilQuiet(a, b);
  await a.rename('notes', 'archive/notes');
  await a.rename('loose.md', 'kept.md');
  const moved = await a.sync();
  assert.deepEqual([moved.moved, moved.up, moved.deletedThere], [3, 0, 0]);
  assert.equal((await workspace.get('kept.md')).status, 200);
  const there = await b.sync();
  assert.deepEqual([there.moved, there.down], [3, 0]);
  await untilQuiet(a, b);
  await assertSame(a, b, {
    'archive/notes/deep/two.md': 'two\n',
    'archive/notes/one.md': 'one\n',
    'kept.md': 'loose\n',
  });
});

test('a local edit survives a delete and a rename on the server', async () => {
  await using both = await twoFolders();
  const { a, b } = both;
  await a.write('deleted.md', 'one\n');
  await a.write('renamed.md', 'two\n');
  await untilQuiet(a, b);
  await a.remove('deleted.md');
  await a.rename('renamed.md', 'new name.md');
  await a.sync();
  await b.write('deleted.md', 'one, edited\n');
  await b.write('renamed.md', 'two, edited\n');
  await untilQuiet(b, a);
  await assertSame(a, b, { 'deleted.md': 'one, edited\n', 'new name.md': 'two, edited\n' });
});

test('empty folders are created and removed in both folders', async () => {
  await using both = await twoFolders();
  const { a, b } = both;
  await a.write('outer/inner/file.md', 'x\n');
  await untilQuiet(a, b);
  await a.remove('outer/inner/file.md');
  await untilQuiet(a, b);
  await assertSame(a, b, { 'outer/inner/': '' });
  await b.remove('outer');
  await untilQuiet(b, a);
  await assertSame(a, b, {});
});

test('a folder that was emptied by mistake is not emptied on the server', async () => {
  await using both = await twoFolders();
  const { a, b } = both;
  for (let i = 0; i < 12; i += 1) await a.write(`f${i}.md`, `${i}\n`);
  await untilQuiet(a, b);
  for (let i = 0; i < 12; i += 1) await a.remove(`f${i}.md`);
  const pending = await a.sync();
  assert.deepEqual(
    pending.holds.map(({ kind, members }) => [kind, members.length]),
    [['deletes_there', 12]],
  );
  assert.equal(pending.deletedThere, 0);
  const back = await a.sync({ pending: 'undo' });
  assert.deepEqual([back.down, back.holds.length], [12, 0]);
  for (let i = 0; i < 12; i += 1) await a.remove(`f${i}.md`);
  await a.sync();
  assert.equal((await a.sync({ pending: 'confirm' })).deletedThere, 12);
  const there = await b.sync();
  assert.deepEqual(
    there.holds.map(({ kind, members }) => [kind, members.length]),
    [['deletes_here', 12]],
  );
  assert.equal((await b.sync({ pending: 'confirm' })).deletedHere, 12);
  await untilQuiet(a, b);
  await assertSame(a, b, {});
});

test('a second pass without changes transfers nothing', async () => {
  await using both = await twoFolders();
  const { a } = both;
  await a.write('a.md', 'a\n');
  await a.sync();
  const again = await a.sync();
  assert.deepEqual([again.up, again.down, again.bytesUp, again.isInSync], [0, 0, 0, true]);
});

test('an upload whose process died before it recorded the response makes no conflict', async () => {
  await using both = await twoFolders();
  const { a, b } = both;
  await a.write('a.md', 'one\n');
  await untilQuiet(a, b);
  await a.write('a.md', 'two\n');
  const dies = (name: string) => {
    if (name === 'upload: answered') throw new Error('killed');
  };
  await assert.rejects(a.sync({}, dies), /killed/);
  await a.write('a.md', 'three\n');
  const after = await a.sync();
  assert.deepEqual([after.conflicts, after.up], [[], 1]);
  await untilQuiet(a, b);
  await assertSame(a, b, { 'a.md': 'three\n' });
});

test('files and empty folders that another member’s rules unignore wait for acceptance', async () => {
  await using both = await twoFolders();
  const { a, b } = both;
  await a.write('.stoaignore', 'secret/\n');
  await a.write('secret/key.txt', 'mine alone\n');
  await mkdir(join(a.path, 'secret/about a client'));
  await untilQuiet(a, b);
  await b.write('.stoaignore', '\n');
  await untilQuiet(b, a);
  assert.deepEqual((await a.sync()).skipped, [
    { path: 'secret/key.txt', reason: 'newly_unignored', detail: null },
    { path: 'secret/about a client/.keep', reason: 'newly_unignored', detail: null },
  ]);
  await b.sync();
  assert.deepEqual(
    Object.keys(await b.contents()).filter((path) => path.startsWith('secret')),
    [],
  );
  // Editing the rules does not accept these files.
  await a.write('.stoaignore', '# nothing\n');
  await untilQuiet(a, b);
  assert.deepEqual(
    Object.keys(await b.contents()).filter((path) => path.startsWith('secret')),
    [],
  );
  await a.acceptRules();
  await untilQuiet(a, b);
  assert.equal(await b.read('secret/key.txt'), 'mine alone\n');
});

test('files with names of the client or of git are not touched', async () => {
  await using both = await twoFolders();
  const { a, b } = both;
  await a.write('.git/config', '[core]\n');
  await a.write('sub/.stoa/config.json', '{}');
  await a.write('sub/file.md', 'x\n');
  await untilQuiet(a, b);
  assert.equal((await b.contents())['.git/config'], undefined);
  assert.equal(await a.read('.git/config'), '[core]\n');
});

test('a dry run confirms nothing, undoes nothing and finishes no rename', async () => {
  await using both = await twoFolders();
  const { workspace, a } = both;
  const paths = Array.from({ length: 6 }, (_, n) => `${n}.md`);
  for (const path of paths) await a.write(path, `text ${path}\n`);
  await a.sync();
  for (const path of paths) await a.remove(path);
  const pending = await a.sync();
  assert.deepEqual(
    pending.holds.map(({ kind, members }) => [kind, members.length]),
    [['deletes_there', 6]],
  );
  const would = await a.sync({ isDryRun: true, pending: 'confirm' });
  assert.equal(would.planned.filter(({ kind }) => kind === 'delete_there').length, 6);
  await a.sync({ isDryRun: true, pending: 'undo' });
  const still = await a.sync();
  assert.deepEqual([still.deletedThere, still.down, still.holds.length], [0, 0, 1]);
  await a.sync({ pending: 'undo' });
  assert.equal(Object.keys(await a.contents()).length, 6);

  // An interrupted local rename leaves both names.
  await a.write('b.md', 'b\n');
  await a.sync();
  assert.equal((await workspace.post('move', { from: 'b.md', to: 'c.md', baseVersion: 1 })).status, 200);
  await a.write('b.md', 'edited\n');
  const dies = (name: string) => {
    if (name === 'rename: has both names') throw new Error('killed');
  };
  await assert.rejects(a.sync({}, dies), /killed/);
  const twice = await a.contents();
  assert.deepEqual([twice['b.md'], twice['c.md']], ['edited\n', 'edited\n']);
  await a.sync({ isDryRun: true });
  assert.deepEqual(await a.contents(), twice);
  const { conflicts, isInSync } = await a.sync();
  assert.deepEqual([conflicts, isInSync], [[], true]);
  const { 'b.md': from, 'c.md': to } = await a.contents();
  assert.deepEqual([from, to], [undefined, 'edited\n']);
});

test('rules of other members that would remove files apply once they are accepted', async () => {
  await using both = await twoFolders();
  const { workspace, a } = both;
  await a.write('doc.md', 'one\n');
  await a.sync();
  assert.equal((await workspace.put('.stoaignore', '*\n', { ifNoneMatch: '*' })).status, 201);
  await a.write('doc.md', 'two\n');
  const pending = await a.sync();
  assert.deepEqual([pending.up, pending.skipped.map(({ reason }) => reason)], [1, ['newly_ignored']]);
  await a.acceptRules();
  await a.write('doc.md', 'three\n');
  const accepted = await a.sync();
  assert.deepEqual([accepted.up, accepted.skipped.map(({ reason }) => reason)], [0, ['frozen']]);
});
