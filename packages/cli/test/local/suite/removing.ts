import assert from 'node:assert/strict';
import { it } from 'node:test';
import { inTrash, presume, type SuiteContext, visible } from './opened-folder.ts';

/** Tests of removing files and of removing and making folders. */
export function removingSuite({ open }: SuiteContext): void {
  it('moves removed files to the trash under distinct names', async () => {
    await using opened = await open();
    const { local, disk } = opened;
    for (const text of ['one', 'two']) {
      await disk.write('d/a.md', text);
      const removed = await local.moveToTrash('d/a.md', await presume(opened, 'd/a.md'));
      assert(removed.kind === 'moved_away');
      assert.equal(removed.isAsPlanned, true);
    }
    assert.deepEqual((await inTrash(opened)).sort(), ['one', 'two']);
    assert.deepEqual(await visible(disk), []);
  });

  it('puts a file back that is written while it is removed', async () => {
    await using opened = await open();
    const { local, disk } = opened;
    await disk.write('a', 'old');
    const presumed = await presume(opened, 'a');
    opened.beforeStep('remove: is in the trash', async () => {
      const [trashed = assert.fail()] = (await disk.listAll()).filter((file) =>
        file.startsWith('.stoa/trash/'),
      );
      await disk.write(trashed, 'old and more');
    });
    assert.equal((await local.moveToTrash('a', presumed)).kind, 'changed');
    assert.equal(await disk.read('a'), 'old and more');
    assert.deepEqual(await inTrash(opened), []);
  });

  it('keeps a file and a folder of the same path in the trash', async () => {
    await using opened = await open();
    const { local, disk } = opened;
    await disk.write('a', 'file');
    await local.moveToTrash('a', await presume(opened, 'a'));
    await disk.write('a/b', 'below');
    await local.moveToTrash('a/b', await presume(opened, 'a/b'));
    assert.deepEqual((await inTrash(opened)).sort(), ['below', 'file']);
  });

  it('removes files that were made private and rescues their edits', async () => {
    await using opened = await open();
    const { local, disk } = opened;
    await disk.write('secret', 'theirs');
    await disk.write('edited', 'mine');
    assert.equal((await local.unlink('secret', await presume(opened, 'secret'))).kind, 'done');
    const rescued = await local.rescue('edited', await presume(opened, 'edited'));
    assert(rescued.kind === 'rescued');
    assert.equal(await disk.read(rescued.file), 'mine');
    assert.deepEqual(await disk.listAll(), [rescued.file]);
  });

  it('removes a folder only if it is empty or contains only junk', async () => {
    await using opened = await open();
    const { local, disk } = opened;
    await disk.makeFolder('empty');
    await disk.write('junk/.DS_Store', 'x');
    await disk.write('junk/.keep', '\n');
    await disk.write('mine/.keep', 'a note of mine');
    await disk.write('full/a', 'a');
    for (const path of ['empty', 'junk', 'missing']) {
      assert.equal((await local.removeFolder(path)).kind, 'done', path);
    }
    for (const path of ['mine', 'full'])
      assert.equal((await local.removeFolder(path)).kind, 'not_empty', path);
    assert.deepEqual(await visible(disk), ['full/a', 'mine/.keep']);
  });

  it('makes a folder with its parents, but not over a file', async () => {
    await using opened = await open();
    const { local, disk } = opened;
    const made = await local.makeFolder('a/b/c');
    assert(made.kind === 'folder');
    assert.equal(made.madeFolders.length, 2);
    assert.equal((await local.makeFolder('a/b')).kind, 'folder');
    await disk.write('file', 'x');
    assert.equal((await local.makeFolder('file')).kind, 'blocked');
  });
}
