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

/** Tests of replacing a file while other programs write to it. */
export function replacingSuite({ open, hasHardLinks }: SuiteContext): void {
  it('replaces a file and moves the old one to the trash', async () => {
    await using opened = await open();
    const { local, disk } = opened;
    await disk.write('docs/a.md', 'old');
    await stage(local, 'r-1', 'new');
    const replaced = await local.replace('docs/a.md', 'r-1', await presume(opened, 'docs/a.md'), null);
    assert(replaced.kind === 'replaced' && replaced.replaced !== null);
    assert.equal(await disk.read('docs/a.md'), 'new');
    assert.equal(replaced.stamp, (await fileAt(local, 'docs/a.md')).stamp);
    assert.deepEqual(await inTrash(opened), ['old']);
    assert.equal(replaced.replaced.isAsPlanned, true);
    assert.match(replaced.replaced.trashed.file, /^\d{4}-\d{2}-\d{2}\/docs\/a\.md$/);
    assert.equal(await local.checkTrashed(replaced.replaced.trashed), 'as_planned');
    assert.deepEqual(await leftInStaging(opened), []);
    await local.dropTrashed(replaced.replaced.trashed.file);
    assert.deepEqual([await local.listTrash(), await inTrash(opened)], [[], []]);
    assert.equal(await local.checkTrashed(replaced.replaced.trashed), 'gone');
  });

  it('does not replace, remove or rename a file that changed after it was read', async () => {
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

  const whileReplaced = 'reports a write to the old file during the replacement and can put it back';
  // Without hard links, the old file is gone before the new one arrives.
  if (hasHardLinks)
    it(whileReplaced, async () => {
      await using opened = await open();
      const { local, disk } = opened;
      await disk.write('a.md', 'old');
      await stage(local, 'r-1', 'theirs');
      const presumed = await presume(opened, 'a.md');
      opened.beforeStep('replace: old one has its name in the trash', () => disk.write('a.md', 'mine!'));
      const replaced = await local.replace('a.md', 'r-1', presumed, null);
      assert(replaced.kind === 'replaced' && replaced.replaced !== null);
      assert.equal(replaced.replaced.isAsPlanned, false);
      assert.equal(await disk.read('a.md'), 'theirs');
      const back = await local.putBack(replaced.replaced.trashed.file, 'a (mine).md');
      assert.equal(back.kind, 'placed');
      assert.equal(await disk.read('a (mine).md'), 'mine!');
      assert.deepEqual(await inTrash(opened), []);
    });

  it('keeps a file that is renamed over the old one at the last moment', async () => {
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

  it('detects later writes to a trashed file', async () => {
    await using opened = await open();
    const { local, disk } = opened;
    await disk.write('a', 'old');
    await stage(local, 'r-1', 'new');
    const replaced = await local.replace('a', 'r-1', await presume(opened, 'a'), null);
    assert(replaced.kind === 'replaced' && replaced.replaced !== null);
    await disk.write(`.stoa/trash/${replaced.replaced.trashed.file}`, 'old and more');
    assert.equal(await local.checkTrashed(replaced.replaced.trashed), 'changed');
  });
}
