import assert from 'node:assert/strict';
import { it } from 'node:test';
import { bytesOf, inTrash, lookAt, presume, type SuiteContext, stage, visible } from './opened-folder.ts';

/** Tests of paths that are blocked, rejected or ignored. */
export function guardingSuite({ open }: SuiteContext): void {
  it('writes nothing through a symlink or below a file', async () => {
    await using opened = await open();
    const { local, disk } = opened;
    await disk.makeFolder('real');
    await disk.makeSymlink('link', 'real');
    await disk.write('file', 'x');
    await disk.write('a', 'a');
    await stage(local, 'n-1', 'new');
    const presumed = await presume(opened, 'a');
    for (const [folder, by] of [
      ['link', 'symlink_above'],
      ['file', 'special_file'],
    ] as const) {
      const blocked = { kind: 'blocked', by, at: folder };
      assert.deepEqual(await local.create(`${folder}/x`, 'n-1'), blocked);
      assert.deepEqual(await local.rename('a', `${folder}/x`, presumed), blocked);
      assert.deepEqual(await local.makeFolder(`${folder}/x`), blocked);
      assert.equal((await lookAt(local, `${folder}/x`)).kind, 'blocked');
    }
    assert.deepEqual(await visible(disk), ['a', 'file', 'link']);
  });

  it('does not create a file in a folder that becomes a symlink at the last moment', async () => {
    await using opened = await open();
    const { local, disk } = opened;
    await disk.makeFolder('folder');
    await disk.makeFolder('elsewhere');
    await stage(local, 'n-1', 'new');
    opened.beforeStep('create: put in place', async () => {
      await disk.remove('folder');
      await disk.makeSymlink('folder', 'elsewhere');
    });
    assert.equal((await local.create('folder/x', 'n-1')).kind, 'blocked');
    assert.deepEqual(await visible(disk), ['folder']);
  });

  it('does not rename a file into a folder that becomes a symlink at the last moment', async () => {
    await using opened = await open();
    const { local, disk } = opened;
    await disk.write('a', 'a');
    await disk.write('folder/b', 'b');
    const presumed = await presume(opened, 'a');
    opened.beforeStep('rename: begin', async () => {
      await disk.rename('folder', 'elsewhere');
      await disk.makeSymlink('folder', 'elsewhere');
    });
    assert.equal((await local.rename('a', 'folder/a', presumed)).kind, 'blocked');
    assert.deepEqual([await disk.read('a'), await disk.read('elsewhere/a')], ['a', null]);
  });

  it('does not touch a file whose folder became a symlink after it was read', async () => {
    await using opened = await open();
    const { local, disk } = opened;
    await disk.write('folder/a', 'old');
    const presumed = await presume(opened, 'folder/a');
    // The file keeps its stamp and can still be reached by the same path.
    await disk.rename('folder', 'elsewhere');
    await disk.makeSymlink('folder', 'elsewhere');
    await stage(local, 'r-1', 'new');
    const blocked = { kind: 'blocked', by: 'symlink_above', at: 'folder' };
    assert.deepEqual(await local.replace('folder/a', 'r-1', presumed, null), blocked);
    assert.deepEqual(await local.moveToTrash('folder/a', presumed), blocked);
    assert.deepEqual(await local.unlink('folder/a', presumed), blocked);
    assert.deepEqual(await local.rescue('folder/a', presumed), blocked);
    assert.deepEqual(await local.rename('folder/a', 'b', presumed), blocked);
    assert.deepEqual(await local.duplicate('folder/a', 'b', presumed), blocked);
    assert.deepEqual([await disk.read('elsewhere/a'), await disk.read('b')], ['old', null]);
    assert.deepEqual(await inTrash(opened), []);
  });

  it('throws for paths outside the folder and rejects hidden names', async () => {
    await using opened = await open();
    const { local } = opened;
    await stage(local, 'n-1', 'new');
    for (const path of ['../x', 'a/../../x', '/x', 'a//b', 'a/./b', '', 'a\0b']) {
      await assert.rejects(local.create(path, 'n-1'), TypeError, JSON.stringify(path));
    }
    for (const path of ['.stoa/x', '.STOA/config.json', 'sub/.git/config', 'git~1/x', '.st\u200coa/x']) {
      const rejected = await local.create(path, 'n-1');
      assert.deepEqual(rejected, { kind: 'refused', reason: 'hostile_name', detail: path });
      assert.equal((await local.makeFolder(path)).kind, 'refused');
    }
    for (const id of ['../x', 'a/b', '', '.']) {
      await assert.rejects(local.stageBytes(id, bytesOf('x')), TypeError);
    }
  });

  it('applies ignore rules, with the private file last', async () => {
    await using opened = await open();
    const { local, disk } = opened;
    await disk.write('.stoaignore', '*.log\n# a comment\n/build/\n!keep.log\n!*.part\n.stoaignore\n');
    await disk.write('.stoa/ignore', 'keep.log\r\nsecret*\n');
    const rules = await local.readIgnoreRules();
    const ignored = (path: string) => rules.isIgnored(path, path.endsWith('/') ? 'folder' : 'file');
    const folderIgnored = (path: string) => rules.isIgnored(path, 'folder');
    assert.deepEqual(
      [
        'a.log',
        'deep/a.log',
        'keep.log',
        'secret.txt',
        'a.md',
        'x.part',
        '.DS_Store',
        'x/node_modules/y',
        'build/x',
      ].map(ignored),
      [true, true, true, true, false, false, true, true, true],
    );
    assert.deepEqual(['build', 'x/build', 'node_modules'].map(folderIgnored), [true, false, true]);
    assert.equal(ignored('.stoaignore'), false);
    assert.deepEqual(rules.findRule('keep.log', 'file'), { source: 'private', pattern: 'keep.log' });
    assert.equal(rules.findRule('a.md', 'file'), null);
    assert.equal(ignored('A.LOG'), false);
  });
}
