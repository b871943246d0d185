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

/** How a file or a folder gets another name, and a file a second one. */
export function renamingSuite({ open, hasHardLinks }: SuiteContext): void {
  it('a conflicted copy takes the bytes along, and nothing is in the trash', async () => {
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
    assert.equal(replaced.displaced, null);
    assert.deepEqual(
      [await disk.read('a.md'), await disk.read('a (copy).md'), await inTrash(opened)],
      ['theirs', 'mine', []],
    );
  });

  it('nothing is duplicated or renamed over something', async () => {
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

  it('a file is renamed into a new folder', async () => {
    await using opened = await open();
    const { local, disk } = opened;
    await disk.write('a', 'a');
    const before = await fileAt(local, 'a');
    const placed = await local.rename('a', 'new/b', await presume(opened, 'a'));
    assert(placed.kind === 'placed');
    assert.deepEqual([placed.object, placed.madeFolders.length], [before.object, 1]);
    assert.deepEqual([await visible(disk), await leftInStaging(opened)], [['new/b'], []]);
  });

  it('what is saved over a second name in the last moment stays', async () => {
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

  it('so does what is saved over the first name', async () => {
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

  it('a rename that was cut off between its two names is finished, and nothing else is', async () => {
    await using opened = await open();
    const { local, disk } = opened;
    await disk.write('a', 'text');
    await disk.write('other', 'text');
    assert.equal((await local.finishRename('a', 'other')).kind, 'changed');
    assert.equal((await local.finishRename('a', 'missing')).kind, 'changed');
    assert.equal((await local.finishRename('a', 'a')).kind, 'changed');
    await local.duplicate('a', 'b', await presume(opened, 'a'));
    assert.equal((await local.finishRename('a', 'b')).kind, hasHardLinks ? 'done' : 'changed');
    // Without hard links the copy is another file: nobody knows whether it was meant.
    assert.deepEqual(await visible(disk), hasHardLinks ? ['b', 'other'] : ['a', 'b', 'other']);
    assert.equal(await disk.read('b'), 'text');
  });

  it('a folder is renamed with all that is in it, and not over another', async () => {
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
