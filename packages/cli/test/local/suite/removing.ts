import assert from 'node:assert/strict';
import { it } from 'node:test';
import { inTrash, presume, type SuiteContext, visible } from './opened-folder.ts';

/** Where what is removed goes; how folders go and are made. */
export function removingSuite({ open }: SuiteContext): void {
  it('what is removed is in the trash, under a name of its own each time', async () => {
    await using opened = await open();
    const { local, disk } = opened;
    for (const text of ['one', 'two']) {
      await disk.write('d/a.md', text);
      const removed = await local.moveToTrash('d/a.md', await presume(opened, 'd/a.md'));
      assert(removed.kind === 'displaced');
      assert.equal(removed.isAsPlanned, true);
    }
    assert.deepEqual((await inTrash(opened)).sort(), ['one', 'two']);
    assert.deepEqual(await visible(disk), []);
  });

  it('what is written into a file while it is removed stands at its path again', async () => {
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

  it('a file and a folder of the same path both fit into the trash', async () => {
    await using opened = await open();
    const { local, disk } = opened;
    await disk.write('a', 'file');
    await local.moveToTrash('a', await presume(opened, 'a'));
    await disk.write('a/b', 'below');
    await local.moveToTrash('a/b', await presume(opened, 'a/b'));
    assert.deepEqual((await inTrash(opened)).sort(), ['below', 'file']);
  });

  it('of what was made private nothing stays, and edits of it are rescued', async () => {
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

  it('a folder goes if nothing but junk is in it', async () => {
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

  it('a folder is made with those above it, and where a file is it is not', async () => {
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
