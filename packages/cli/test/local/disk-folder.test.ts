import '../support/recorded-syncs.ts';

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it, mock } from 'node:test';
import { FolderView } from '../../src/engine/observe/folder-view.ts';
import type { DiskTraits } from '../../src/engine/ports/local-folder.ts';
import { openLocalFolder } from '../../src/local/open-local-folder.ts';
import { recordedSyncs } from '../support/recorded-syncs.ts';
import { localFolderSuite } from './local-folder-suite.ts';
import { type OpenedFolder, presume, stage } from './suite/opened-folder.ts';

const wallNow = () => Date.parse('2026-11-20T14:30:12Z');

async function openFolder(traits?: DiskTraits): Promise<OpenedFolder & { readonly folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-folder-'));
  await mkdir(join(folder, '.stoa'));
  await writeFile(join(folder, '.stoa', 'config.json'), '{}');
  const steps = new Map<string, () => Promise<void>>();
  const local = openLocalFolder({
    folder,
    wallNow,
    ...(traits === undefined ? {} : { traits }),
    onStep: async (name) => {
      const act = steps.get(name);
      steps.delete(name);
      await act?.();
    },
  });
  const at = (path: string) => join(folder, path);
  const bookkeeping = [
    join('.stoa', 'config.json'),
    join('.stoa', 'staging', 'clock'),
    join('.stoa', 'ignore'),
  ];
  return {
    folder,
    local,
    beforeStep: (name, act) => void steps.set(name, act),
    disk: {
      async write(path, text) {
        await mkdir(dirname(at(path)), { recursive: true });
        await writeFile(at(path), text);
      },
      read: (path) => readFile(at(path), 'utf8').catch(() => null),
      rename: (from, to) => rename(at(from), at(to)),
      remove: (path) => rm(at(path), { recursive: true }),
      makeFolder: async (path) => void (await mkdir(at(path), { recursive: true })),
      makeSymlink: (path, to) => symlink(to, at(path)),
      listAll: async () =>
        (await readdir(folder, { recursive: true, withFileTypes: true }))
          .filter((each) => !each.isDirectory())
          .map((each) => join(each.parentPath, each.name).slice(folder.length + 1))
          .filter((path) => !bookkeeping.includes(path))
          .sort(),
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

localFolderSuite('folder on a disk', { hasHardLinks: true }, () => openFolder());
localFolderSuite('folder on a disk without hard links', { hasHardLinks: false }, () =>
  openFolder({
    names: { foldsCase: false, unicodeForm: 'kept', forbids: 'nothing' },
    hasHardLinks: false,
    hasStableObjects: true,
  }),
);

describe('a folder on this disk', () => {
  it('is probed', async () => {
    await using opened = await openFolder();
    const traits = await opened.local.probe();
    if (process.platform === 'linux') assert.equal(traits.names.foldsCase, false);
    assert.equal(traits.hasHardLinks, true);
    assert.deepEqual(await opened.disk.listAll(), []);
  });

  it('flushes new content before it replaces a file, and created files on request', async () => {
    await using opened = await openFolder();
    const { folder, local, disk } = opened;
    const isDurable = async (path: string) =>
      recordedSyncs.has((await stat(join(folder, path), { bigint: true })).ino);
    await disk.write('d/a', 'old');
    await stage(local, 's-1', 'new');
    // The disk reuses inode numbers of deleted files.
    recordedSyncs.clear();
    const seen: boolean[] = [];
    opened.beforeStep('replace: old one has its name in the trash', async () => {
      seen.push(await isDurable('.stoa/staging/s-1.part'), await isDurable('d'));
    });
    assert.equal((await local.replace('d/a', 's-1', await presume(opened, 'd/a'), null)).kind, 'replaced');
    assert.deepEqual([...seen, await isDurable('d')], [true, false, true]);

    await stage(local, 's-2', 'made');
    recordedSyncs.clear();
    assert.equal((await local.create('e/b', 's-2')).kind, 'placed');
    assert.deepEqual([await isDurable('e/b'), await isDurable('e')], [false, false]);
    assert.deepEqual(await local.flush(['e/b', 'e/none']), ['e/b']);
    assert.deepEqual([await isDurable('e/b'), await isDurable('e')], [true, true]);
  });

  it('looks at each of many nested folders a few times in a scan', async () => {
    await using opened = await openFolder();
    const { local, disk } = opened;
    const depth = 150;
    await disk.makeFolder(Array(depth).fill('d').join('/'));
    const looks = mock.method(fs, 'lstatSync');
    syncBuiltinESMExports();
    try {
      const { folders } = await new FolderView().scan(local, await local.readIgnoreRules(), new Map());
      assert.equal(folders.size, depth);
    } finally {
      looks.mock.restore();
      syncBuiltinESMExports();
    }
    // A slow machine looks again, as its last look may be old.
    assert.ok(looks.mock.callCount() < 40 * depth, `${looks.mock.callCount()} looks`);
  });

  it('is not probed when its traits are known', async () => {
    await using opened = await openFolder();
    const { disk, local } = opened;
    await disk.write('a', 'a');
    const names = { foldsCase: false, unicodeForm: 'kept', forbids: 'nothing' } as const;
    local.takeTraits({ names, hasHardLinks: true, hasStableObjects: false });
    const found = await local.readEntry('a', await local.readDiskTime());
    assert.ok(found.kind === 'file' && found.object === null);
    assert.equal((await local.probe()).hasStableObjects, false);
  });

  it('throws from every method after it was removed, replaced or unlinked', async () => {
    for (const spoil of [
      (folder: string) => rm(folder, { recursive: true }),
      (folder: string) => rm(join(folder, '.stoa', 'config.json')),
      async (folder: string) => {
        await rename(folder, `${folder}-old`);
        await mkdir(join(folder, '.stoa'), { recursive: true });
        await writeFile(join(folder, '.stoa', 'config.json'), '{}');
      },
    ]) {
      await using opened = await openFolder();
      const { folder, local } = opened;
      await opened.disk.write('a', 'a');
      const time = await local.readDiskTime();
      const found = await local.readEntry('a', time);
      assert(found.kind === 'file');
      await spoil(folder);
      const gone = { name: 'FolderGoneError' };
      await assert.rejects(local.readIdentity(), gone);
      await assert.rejects(local.readFolder('', time), gone);
      await assert.rejects(local.readEntry('a', time), gone);
      await assert.rejects(local.create('b', 'n-1'), gone);
      await rm(join(folder, 'a'), { force: true });
      await assert.rejects(local.hashFile('a', found.stamp), gone);
      await rm(`${folder}-old`, { recursive: true, force: true });
    }
  });

  it('rescues a file that a killed process moved away instead of the planned one', async () => {
    await using opened = await openFolder();
    const { local, folder } = opened;
    const staging = join(folder, '.stoa/staging');
    for (const name of ['planned', 'another']) await writeFile(join(staging, name), name);
    const { ino, size, mtimeNs } = await stat(join(staging, 'planned'), { bigint: true });
    for (const [name, stamp] of [
      ['planned', `${ino}-${size}-${mtimeNs}`],
      ['another', `${ino}-${size}-1`],
    ] as const) {
      await rename(join(staging, name), join(staging, `aside-${stamp}.part`));
    }
    const left = await local.listStaged();
    assert.equal(left.length, 2);
    for (const id of left) await local.discardStaged(id);
    assert.deepEqual(await local.listStaged(), []);
    const [day = ''] = await readdir(join(folder, '.stoa/rescued'));
    assert.deepEqual(await readdir(join(folder, '.stoa/rescued', day)), ['saved meanwhile']);
    const kept = join(folder, '.stoa/rescued', day, 'saved meanwhile');
    assert.equal(await readFile(kept, 'utf8'), 'another');
    assert.equal((await stat(kept)).mode & 0o777, 0o600);
  });

  it('reports names that are not UTF-8', { skip: process.platform !== 'linux' }, async () => {
    await using opened = await openFolder();
    const { local, folder } = opened;
    await writeFile(Buffer.concat([Buffer.from(`${folder}/bad-`), Buffer.from([0xff])]), 'x');
    await writeFile(`${folder}/good-\ufffd`, 'x');
    const { entries } = await local.readFolder('', await local.readDiskTime());
    assert.deepEqual(
      entries.map(({ name, isUtf8 }) => [name, isUtf8]),
      [
        ['bad-\ufffd', false],
        ['good-\ufffd', true],
      ],
    );
  });

  it('does not open pipes', { skip: process.platform === 'win32' }, async () => {
    await using opened = await openFolder();
    const { local, folder, disk } = opened;
    await disk.write('a', 'a');
    const found = await local.readEntry('a', await local.readDiskTime());
    assert(found.kind === 'file');
    await disk.remove('a');
    execFileSync('mkfifo', [join(folder, 'a')]);
    assert.equal((await local.hashFile('a', found.stamp)).kind, 'changed');
    const { entries } = await local.readFolder('', await local.readDiskTime());
    assert.equal(entries[0]?.kind, 'special_file');
  });

  it('reports changes, also in new folders, and the deletion of ignored files that sync awaits', async () => {
    await using opened = await openFolder();
    const { local, disk } = opened;
    await disk.makeFolder('before');
    for (const name of ['build.log', 'build.txt']) await disk.write(name, 'x');
    const seen = new Set<string>();
    const { promise, resolve } = Promise.withResolvers<void>();
    const watch = await local.watch({
      isIgnored: (path) => path.startsWith('build'),
      isAwaited: (path) => path === 'build.log',
      onEvent: (event) => {
        if (event.kind === 'touched') seen.add(event.path);
        if (seen.has('before/last')) resolve();
      },
    });
    assert.equal(watch.mode, 'events');
    // The watch covers each folder from the moment it is read.
    const time = await local.readDiskTime();
    for (const folder of ['', 'before'] as const) await local.readFolder(folder, time);
    await disk.write('build/x', 'x');
    await disk.write('build.log', 'y');
    const isReported = seen.has('build.log');
    for (const name of ['build.log', 'build.txt']) await disk.remove(name);
    await local.stageBytes('n-1', new Uint8Array(1));
    await disk.write('new/deep/a', 'a');
    await disk.write('before/last', 'x');
    await promise;
    watch.close();
    assert(seen.has('new') || seen.has('new/deep/a'));
    assert.equal(isReported, false);
    assert.deepEqual(
      [...seen].filter((path) => path.startsWith('build') || path.startsWith('.stoa')),
      ['build.log'],
    );
  });

  it('watches a folder that replaced another and no longer watches a removed one', async () => {
    await using opened = await openFolder();
    const { local, disk } = opened;
    for (const path of ['docs/deep/a', 'other/a', 'gone/a']) await disk.write(path, 'a');
    let seen = new Set<string>();
    let heard = Promise.withResolvers<void>();
    let last = '';
    const watch = await local.watch({
      isIgnored: () => false,
      isAwaited: () => false,
      onEvent: (event) => {
        if (event.kind === 'touched') seen.add(event.path);
        if (event.kind === 'touched' && event.path === last) heard.resolve();
      },
    });
    const read = async (...folders: string[]) => {
      const time = await local.readDiskTime();
      for (const folder of folders) await local.readFolder(folder, time);
    };
    const write = async (path: string) => {
      heard = Promise.withResolvers();
      seen = new Set();
      last = path;
      await disk.write(path, 'written');
      await heard.promise;
    };
    await read('', 'docs', 'docs/deep', 'other', 'gone');
    await disk.rename('docs', 'between');
    await disk.rename('other', 'docs');
    await disk.rename('between', 'other');
    await read('', 'docs', 'other', 'other/deep');
    await write('docs/a');
    await write('other/deep/a');
    assert(!seen.has('docs/deep/a'), 'the folder is also watched under its old name');
    await disk.remove('docs');
    await disk.write('docs/new', 'new');
    await read('', 'docs');
    await write('docs/new');
    await disk.rename('gone', '.stoa/gone');
    await read('');
    await disk.write('.stoa/gone/a', 'written');
    await write('docs/new');
    assert.deepEqual([...seen], ['docs/new']);
    watch.close();
  });
});
