import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BaseFile, WorkspacePath } from '@stoa/core';
import { seededRandom, seedFrom } from '../../../../tests/support/random.ts';
import { type FolderScan, FolderView } from '../../src/engine/observe/folder-view.ts';
import type { LocalFolder } from '../../src/engine/ports/local-folder.ts';
import { type DiskOptions, plainDisk, SimulatedDisk } from '../simulated/simulated-disk.ts';
import { createSimulatedFolder } from '../simulated/simulated-folder.ts';

const seed = seedFrom('STOA_SYNC_SEED');
const rounds = Number(process.env.STOA_SYNC_CASES ?? '') || 100;
const bytesOf = (text: string) => new TextEncoder().encode(text);
const noBase: ReadonlyMap<WorkspacePath, BaseFile> = new Map();

/** Starts a watched folder whose files are all older than two seconds. */
function start(options: Partial<DiskOptions> = {}) {
  let now = 0;
  const disk = new SimulatedDisk({ ...plainDisk, ...options, now: () => now });
  disk.makeFolders('.stoa');
  disk.writeFile('.stoa/config.json', bytesOf('{}'));
  const read: string[] = [];
  let ending: { readonly path: string; readonly controller: AbortController } | null = null;
  const simulated = createSimulatedFolder({
    disk,
    wallNow: () => now,
    step: async () => {},
    newId: () => 'id',
  });
  const folder: LocalFolder = {
    ...simulated,
    readFolder: (path, time) => {
      read.push(path);
      if (path === ending?.path) ending.controller.abort(new Error('ended'));
      return simulated.readFolder(path, time);
    },
  };
  const view = new FolderView();
  disk.listen((path) => {
    if (path !== '.stoa' && !path.startsWith('.stoa/')) view.touch(path);
  });
  const scanWith = async (each: FolderView) =>
    each.scan(folder, await folder.readIgnoreRules(), noBase, ending?.controller.signal);
  return {
    disk,
    view,
    grow: (ms: number) => {
      now += ms;
    },
    scan: () => scanWith(view),
    scanWhole: () => scanWith(new FolderView()),
    /** Returns the folders that a scan reads. */
    async foldersRead() {
      read.length = 0;
      await scanWith(view);
      return [...read].sort();
    },
    /** Ends a scan while it reads this folder. Returns the folders that it reads. */
    async endAt(path: string) {
      read.length = 0;
      ending = { path, controller: new AbortController() };
      await assert.rejects(scanWith(view), /ended/);
      ending = null;
      return [...read];
    },
  };
}

function comparable({ files, folders, obstacles, ignored, skipped, isHealthy, hasRecent }: FolderScan) {
  const sorted = <Value>(map: ReadonlyMap<string, Value>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));
  const hints = [...skipped].sort((a, b) => (a.path < b.path ? -1 : 1));
  return {
    files: sorted(files),
    folders: sorted(folders),
    obstacles: sorted(obstacles),
    ignored: sorted(ignored),
    hints,
    isHealthy,
    hasRecent,
  };
}

describe('a folder view that reads only touched paths again', () => {
  it('reads nothing without events, and one folder for one file', async () => {
    const { disk, grow, foldersRead } = start();
    disk.makeFolders('docs/deep');
    disk.makeFolders('notes');
    disk.writeFile('docs/deep/a.md', bytesOf('a'));
    disk.writeFile('notes/b.md', bytesOf('b'));
    grow(5000);
    assert.deepEqual(await foldersRead(), ['', 'docs', 'docs/deep', 'notes']);
    assert.deepEqual(await foldersRead(), []);
    disk.writeFile('docs/deep/a.md', bytesOf('A'));
    assert.deepEqual(await foldersRead(), ['docs/deep']);
    // A recent file is read again until its stamp can be trusted.
    assert.deepEqual(await foldersRead(), ['docs/deep']);
    grow(5000);
    assert.deepEqual(await foldersRead(), ['docs/deep']);
    assert.deepEqual(await foldersRead(), []);
  });

  it('reads a new folder with its entries and no other folder', async () => {
    const { disk, grow, foldersRead, scan } = start();
    disk.makeFolders('docs/deep');
    disk.makeFolders('notes');
    disk.writeFile('docs/deep/a.md', bytesOf('a'));
    grow(5000);
    await scan();
    disk.rename('docs', 'moved');
    assert.deepEqual(await foldersRead(), ['', 'moved', 'moved/deep']);
    const { files, folders } = await scan();
    assert.deepEqual([...files.keys()], ['moved/deep/a.md']);
    assert.deepEqual([...folders.keys()].sort(), ['moved', 'moved/deep', 'notes']);
  });

  it('reads everything when the rules changed or on request', async () => {
    const { disk, grow, foldersRead, scan, view } = start();
    disk.makeFolders('docs');
    disk.makeFolders('notes');
    disk.writeFile('docs/a.log', bytesOf('a'));
    grow(5000);
    await scan();
    disk.writeFile('.stoa/ignore', bytesOf('*.log'));
    assert.deepEqual(await foldersRead(), ['', 'docs', 'notes']);
    assert.equal((await scan()).files.size, 0);
    view.touchAll();
    assert.deepEqual(await foldersRead(), ['', 'docs', 'notes']);
  });

  it('ends a scan at an abort, and then reads everything', async () => {
    const { disk, foldersRead, endAt } = start();
    for (const folder of ['a', 'b', 'c']) disk.makeFolders(folder);
    assert.deepEqual(await endAt('c'), ['', 'c']);
    assert.deepEqual(await foldersRead(), ['', 'a', 'b', 'c']);
    // The same with a scan of a few folders.
    for (const folder of ['a', 'b', 'c']) disk.writeFile(`${folder}/x.md`, bytesOf('x'));
    assert.deepEqual(await endAt('c'), ['c']);
    assert.deepEqual(await foldersRead(), ['', 'a', 'b', 'c']);
  });

  for (const [name, options] of [
    ['', {}],
    [' on a disk without stable objects', { hasStableObjects: false }],
  ] as const) {
    it(`equals a full scan after random changes${name} (seed ${seed})`, async () => {
      const random = seededRandom(seed);
      const { disk, grow, scan, scanWhole, view } = start(options);
      const folders = ['a', 'a/b', 'a/b/c', 'd', 'd/e'];
      const names = ['x', 'y', 'b', 'e', '.keep', 'skip~'];
      for (let round = 0; round < rounds; round += 1) {
        for (let n = random.below(4); n >= 0; n -= 1) act();
        const isShut = random.below(10) === 0;
        disk.fault = (_act, path) => (isShut && path === 'a/b' ? 'EACCES' : null);
        // A change of permissions also causes an event.
        view.touch('a/b');
        grow(random.below(4) * 1000);
        assert.deepEqual(comparable(await scan()), comparable(await scanWhole()), `round ${round}`);
      }

      function act(): void {
        disk.fault = () => null;
        const all = [...disk.walk()].filter(({ path }) => !path.startsWith('.stoa'));
        const picked = all.length === 0 ? null : random.pick(all);
        const home = random.pick(folders);
        const path = random.below(5) === 0 ? random.pick(names) : `${home}/${random.pick(names)}`;
        try {
          const kind = random.below(6);
          if (kind === 0) disk.makeFolders(home);
          else if (kind === 1) disk.makeSymlink(path, 'nowhere');
          else if (kind < 4 || picked === null) disk.writeFile(path, bytesOf(String(random.below(1000))));
          else if (kind === 4) disk.rename(picked.path, path);
          else disk.remove(picked.path);
        } catch {
          // The disk rejected the change, so nothing happened.
        }
      }
    });
  }
});
