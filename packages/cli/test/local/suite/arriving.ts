import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { StagedFile } from '../../../src/engine/ports/local-folder.ts';
import {
  bytesOf,
  fileAt,
  hashOf,
  leftInStaging,
  presume,
  type SuiteContext,
  stage,
} from './opened-folder.ts';

/** Tests of staging downloads and creating files from them. */
export function arrivingSuite({ open, hasHardLinks }: SuiteContext): void {
  it('stages a download, restarts it and returns its hash', async () => {
    await using opened = await open();
    const { local } = opened;
    const file = (await local.stage('d-1', 6)) as StagedFile;
    assert.equal(file.kind, 'writing');
    await file.append(bytesOf('wrong!!'));
    await file.restart();
    await file.append(bytesOf('goo'));
    await file.append(bytesOf('d'));
    assert.deepEqual([file.receivedBytes, file.digest()], [4, hashOf('good')]);
    assert.deepEqual(await file.finish(), {
      kind: 'staged',
      id: 'd-1',
      hash: hashOf('good'),
      sizeBytes: 4,
    });
    assert.deepEqual(await local.readStaged('d-1'), await local.readStaged('d-1'));
    assert.equal((await local.readStaged('d-1'))?.hash, hashOf('good'));
    assert.deepEqual(await local.listStaged(), ['d-1']);
    await local.discardStaged('d-1');
    assert.deepEqual([await local.listStaged(), await local.readStaged('d-1')], [[], null]);
  });

  it('stages a copy of a local file only if its content matches', async () => {
    await using opened = await open();
    const { local, disk } = opened;
    await disk.write('a', 'same');
    assert.equal((await local.stageCopy('c-1', 'a', hashOf('same'))).kind, 'staged');
    assert.equal((await local.stageCopy('c-2', 'a', hashOf('other'))).kind, 'changed');
    assert.equal((await local.stageCopy('c-3', 'missing', hashOf('other'))).kind, 'changed');
    assert.deepEqual(await local.listStaged(), ['c-1']);
  });

  it('creates a file with its folders and never overwrites anything', async () => {
    await using opened = await open();
    const { local, disk } = opened;
    await stage(local, 'n-1', 'new');
    const placed = await local.create('x/y/new.md', 'n-1');
    assert(placed.kind === 'placed');
    assert.deepEqual(
      placed.madeFolders.map(({ path }) => path),
      ['x', 'x/y'],
    );
    assert.equal(placed.stamp, (await fileAt(local, 'x/y/new.md')).stamp);
    assert.equal(await disk.read('x/y/new.md'), 'new');
    assert.deepEqual(await leftInStaging(opened), []);

    await disk.write('mine', 'mine');
    await disk.makeFolder('folder');
    await stage(local, 'n-2', 'theirs');
    for (const path of ['mine', 'folder']) assert.equal((await local.create(path, 'n-2')).kind, 'taken');
    assert.equal(await disk.read('mine'), 'mine');
    assert.deepEqual(await local.flush(['x/y/new.md', 'missing']), ['x/y/new.md']);
  });

  it('returns an outdated stamp when a new file is written at once', async () => {
    await using opened = await open();
    const { local, disk } = opened;
    await stage(local, 'n-1', 'theirs');
    opened.beforeStep('create: done', () => disk.write('a', 'edited'));
    const created = await local.create('a', 'n-1');
    assert(created.kind === 'placed');
    assert.notEqual(created.stamp, (await fileAt(local, 'a')).stamp);

    await disk.write('b', 'old');
    await stage(local, 'r-1', 'theirs');
    const presumed = await presume(opened, 'b');
    opened.beforeStep('replace: new one is in place', () => disk.write('b', 'edited'));
    const replaced = await local.replace('b', 'r-1', presumed, null);
    // Without hard links, the write cannot be detected between the steps.
    assert(replaced.kind === 'replaced');
    if (hasHardLinks) assert.notEqual(replaced.stamp, (await fileAt(local, 'b')).stamp);
  });

  it('does not overwrite a file that appears at the last moment', async () => {
    await using opened = await open();
    const { local, disk } = opened;
    await stage(local, 'n-1', 'theirs');
    opened.beforeStep('create: put in place', () => disk.write('a', 'mine'));
    assert.equal((await local.create('a', 'n-1')).kind, 'taken');
    assert.equal(await disk.read('a'), 'mine');
  });
}
