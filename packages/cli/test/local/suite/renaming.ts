import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  fileAt,
  inTrash,
  leftInStaging,
  presume,
  type SuiteContext,
  stage,
  visible,
} from './opened-folder.ts';

/** Tests of renaming files and folders and of duplicating files. */
export function renamingSuite({ open, hasHardLinks }: SuiteContext): void {
  it('duplicates a file, whose replacement then needs no trash', async () => {
    await using opened = await open();
    const { local, disk } = opened;
    await disk.write('a.md', 'mine');
    const presumed = await presume(opened, 'a.md');
    const copy = await local.duplicate('a.md', 'a (copy).md', presumed);
    assert(copy.kind === 'placed');
    assert.equal(await disk.read('a (copy).md'), 'mine');
    if (!hasHardLinks) return;
    await stage(local, 'r-1', 'theirs');
    const replaced = await local.replace('a.md', 'r-1', { ...presumed, stamp: copy.stamp }, 'a (copy).md');
    assert(replaced.kind === 'replaced');
    assert.equal(replaced.replaced, null);
    assert.deepEqual(
      [await disk.read('a.md'), await disk.read('a (copy).md'), await inTrash(opened)],
      ['theirs', 'mine', []],
    );
  });

  it('never duplicates or renames over an existing item', async () => {
    await using opened = await open();
    const { local, disk } = opened;
    await disk.write('a', 'a');
    await disk.write('b', 'b');
    await disk.makeFolder('f');
    for (const to of ['b', 'f']) {
      assert.equal((await local.duplicate('a', to, await presume(opened, 'a'))).kind, 'taken');
      assert.equal((await local.rename('a', to, await presume(opened, 'a'))).kind, 'taken');
    }
    assert.deepEqual([await disk.read('a'), await disk.read('b')], ['a', 'b']);
  });

  it('renames a file into a new folder', async () => {
    await using opened = await open();
    const { local, disk } = opened;
    await disk.write('a', 'a');
    const before = await fileAt(local, 'a');
    const placed = await local.rename('a', 'new/b', await presume(opened, 'a'));
    assert(placed.kind === 'placed');
    assert.deepEqual([placed.object, placed.madeFolders.length], [before.object, 1]);
    assert.deepEqual([await visible(disk), await leftInStaging(opened)], [['new/b'], []]);
  });

  it('keeps a file that is saved over the new name at the last moment', async () => {
    await using opened = await open();
    const { local, disk } = opened;
    await disk.write('a', 'old');
    const presumed = await presume(opened, 'a');
    for (const [step, act] of [
      ['rename: has both names', () => local.rename('a', 'b', presumed)],
      ['duplicate: has both names', () => local.duplicate('a', 'b', presumed)],
    ] as const) {
      opened.beforeStep(step, async () => {
        await disk.write('b.new', 'mine');
        await disk.rename('b.new', 'b');
      });
      const { kind } = await act();
      if (!hasHardLinks) continue;
      assert.equal(kind, 'changed');
      assert.deepEqual(await visible(disk), ['a', 'b']);
      assert.deepEqual([await disk.read('a'), await disk.read('b')], ['old', 'mine']);
      await disk.remove('b');
      await disk.write('a', 'old');
      Object.assign(presumed, await presume(opened, 'a'));
    }
  });

  it('keeps a file that is saved over the old name at the last moment', async () => {
    await using opened = await open();
    const { local, disk } = opened;
    await disk.write('a', 'old');
    const presumed = await presume(opened, 'a');
    opened.beforeStep('rename: has both names', async () => {
      await disk.write('a.new', 'mine');
      await disk.rename('a.new', 'a');
    });
    const { kind } = await local.rename('a', 'b', presumed);
    if (!hasHardLinks) return;
    assert.deepEqual([kind, await visible(disk)], ['changed', ['a']]);
    assert.deepEqual([await disk.read('a'), await leftInStaging(opened)], ['mine', []]);
  });

  it('finishes only a rename that was interrupted while both names existed', async () => {
    await using opened = await open();
    const { local, disk } = opened;
    await disk.write('a', 'text');
    await disk.write('other', 'text');
    assert.equal((await local.finishRename('a', 'other')).kind, 'changed');
    assert.equal((await local.finishRename('a', 'missing')).kind, 'changed');
    assert.equal((await local.finishRename('a', 'a')).kind, 'changed');
    await local.duplicate('a', 'b', await presume(opened, 'a'));
    assert.equal((await local.finishRename('a', 'b')).kind, hasHardLinks ? 'done' : 'changed');
    // Without hard links the copy is a separate file, which may be intended.
    assert.deepEqual(await visible(disk), hasHardLinks ? ['b', 'other'] : ['a', 'b', 'other']);
    assert.equal(await disk.read('b'), 'text');
  });

  it('renames a folder with its entries, but not over another', async () => {
    await using opened = await open();
    const { local, disk } = opened;
    await disk.write('from/deep/a', 'a');
    await disk.makeFolder('other');
    assert.equal((await local.renameFolder('from', 'other')).kind, 'taken');
    assert.equal((await local.renameFolder('missing', 'x')).kind, 'changed');
    assert.equal((await local.renameFolder('from', 'to/there')).kind, 'folder');
    assert.deepEqual(await visible(disk), ['to/there/deep/a']);
  });
}
