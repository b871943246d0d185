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

/** How a file makes room for a newer one, whoever writes into it meanwhile. */
export function replacingSuite({ open, hasHardLinks }: SuiteContext): void {
  it('a replaced file is in the trash, and the new one whole', async () => {
    await using opened = await open();
    const { local, disk } = opened;
    await disk.write('docs/a.md', 'old');
    await stage(local, 'r-1', 'new');
    const replaced = await local.replace('docs/a.md', 'r-1', await presume(opened, 'docs/a.md'), null);
    assert(replaced.kind === 'replaced' && replaced.displaced !== null);
    assert.equal(await disk.read('docs/a.md'), 'new');
    assert.equal(replaced.stamp, (await fileAt(local, 'docs/a.md')).stamp);
    assert.deepEqual(await inTrash(opened), ['old']);
    assert.equal(replaced.displaced.isAsPlanned, true);
    assert.match(replaced.displaced.trashed.file, /^\d{4}-\d{2}-\d{2}\/docs\/a\.md$/);
    assert.equal(await local.checkTrashed(replaced.displaced.trashed), 'as_planned');
    assert.deepEqual(await leftInStaging(opened), []);
    await local.dropTrashed(replaced.displaced.trashed.file);
    assert.deepEqual([await local.listTrash(), await inTrash(opened)], [[], []]);
    assert.equal(await local.checkTrashed(replaced.displaced.trashed), 'gone');
  });

  it('a file that was written since it was looked at is not replaced, nor removed, nor renamed', async () => {
    await using opened = await open();
    const { local, disk } = opened;
    await disk.write('a', 'old');
    const presumed = await presume(opened, 'a');
    await disk.write('a', 'newer');
    await stage(local, 's-1', 'theirs');
    assert.equal((await local.replace('a', 's-1', presumed, null)).kind, 'changed');
    assert.equal((await local.moveToTrash('a', presumed)).kind, 'changed');
    assert.equal((await local.unlink('a', presumed)).kind, 'changed');
    assert.equal((await local.rescue('a', presumed)).kind, 'changed');
    assert.equal((await local.rename('a', 'b', presumed)).kind, 'changed');
    assert.equal((await local.duplicate('a', 'b', presumed)).kind, 'changed');
    assert.deepEqual([await visible(disk), await disk.read('a')], [['a'], 'newer']);
    assert.deepEqual(await inTrash(opened), []);
  });

  const whileReplaced = 'what is written into the old file while it is replaced is told, and can be put back';
  // Without hard links the old one is gone before the new one comes.
  if (hasHardLinks)
    it(whileReplaced, async () => {
      await using opened = await open();
      const { local, disk } = opened;
      await disk.write('a.md', 'old');
      await stage(local, 'r-1', 'theirs');
      const presumed = await presume(opened, 'a.md');
      opened.beforeStep('replace: old one has its name in the trash', () => disk.write('a.md', 'mine!'));
      const replaced = await local.replace('a.md', 'r-1', presumed, null);
      assert(replaced.kind === 'replaced' && replaced.displaced !== null);
      assert.equal(replaced.displaced.isAsPlanned, false);
      assert.equal(await disk.read('a.md'), 'theirs');
      const back = await local.putBack(replaced.displaced.trashed.file, 'a (mine).md');
      assert.equal(back.kind, 'placed');
      assert.equal(await disk.read('a (mine).md'), 'mine!');
      assert.deepEqual(await inTrash(opened), []);
    });

  it('a file that is renamed over the old one in the last moment stays', async () => {
    await using opened = await open();
    const { local, disk } = opened;
    await disk.write('a', 'old');
    await stage(local, 'r-1', 'theirs');
    const presumed = await presume(opened, 'a');
    opened.beforeStep('replace: staged is flushed', async () => {
      await disk.write('a.new', 'mine');
      await disk.rename('a.new', 'a');
    });
    assert.equal((await local.replace('a', 'r-1', presumed, null)).kind, 'changed');
    assert.equal(await disk.read('a'), 'mine');
    assert.deepEqual(await inTrash(opened), []);
  });

  it('writes that come later into a trashed file are seen', async () => {
    await using opened = await open();
    const { local, disk } = opened;
    await disk.write('a', 'old');
    await stage(local, 'r-1', 'new');
    const replaced = await local.replace('a', 'r-1', await presume(opened, 'a'), null);
    assert(replaced.kind === 'replaced' && replaced.displaced !== null);
    await disk.write(`.stoa/trash/${replaced.displaced.trashed.file}`, 'old and more');
    assert.equal(await local.checkTrashed(replaced.displaced.trashed), 'changed');
  });
}
