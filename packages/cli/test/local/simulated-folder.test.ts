import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { type DiskOptions, plainDisk, SimulatedDisk } from '../simulated/simulated-disk.ts';
import { createSimulatedFolder } from '../simulated/simulated-folder.ts';
import { localFolderSuite } from './local-folder-suite.ts';
import type { OpenedFolder } from './suite/opened-folder.ts';

const start = Date.parse('2026-11-20T14:30:12Z');
const bytesOf = (text: string) => new TextEncoder().encode(text);

function openFolder(own: Partial<DiskOptions> = {}): OpenedFolder & { readonly simulated: SimulatedDisk } {
  let clock = start;
  const now = () => {
    clock += 1;
    return clock;
  };
  const simulated = new SimulatedDisk({ ...plainDisk, now, ...own });
  simulated.makeFolders('.stoa');
  simulated.writeFile('.stoa/config.json', bytesOf('{}'));
  const steps = new Map<string, () => Promise<void>>();
  const local = createSimulatedFolder({
    disk: simulated,
    wallNow: () => start,
    step: async () => {},
    newId: randomUUID,
    onStep: async (name) => {
      const act = steps.get(name);
      steps.delete(name);
      await act?.();
    },
  });
  return {
    local,
    simulated,
    beforeStep: (name, act) => void steps.set(name, act),
    disk: {
      async write(path, text) {
        simulated.makeFolders(path.split('/').slice(0, -1).join('/'));
        simulated.writeFile(path, bytesOf(text));
      },
      read: async (path) => {
        const node = simulated.find(path);
        return node?.kind === 'file' ? new TextDecoder().decode(node.inode.bytes) : null;
      },
      rename: async (from, to) => simulated.rename(from, to),
      remove: async (path) => simulated.remove(path),
      makeFolder: async (path) => simulated.makeFolders(path),
      makeSymlink: async (path, to) => simulated.makeSymlink(path, to),
      listAll: async () =>
        [...simulated.walk()]
          .filter(({ node }) => node.kind !== 'folder')
          .map(({ path }) => path)
          .filter((path) => path !== '.stoa/config.json' && path !== '.stoa/ignore')
          .sort(),
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

localFolderSuite('simulated folder', { hasHardLinks: true }, async () => openFolder());
localFolderSuite('simulated folder without hard links', { hasHardLinks: false }, async () =>
  openFolder({ hasHardLinks: false }),
);

describe('a simulated disk', () => {
  const folding = { names: { foldsCase: true, unicodeForm: 'changed', forbids: 'windows' } } as const;

  it('that folds names finds a file under each form of its name', async () => {
    const { local, disk, simulated } = openFolder(folding);
    await disk.write('Café.md', 'x');
    assert.equal(await disk.read('CAFE\u0301.MD'), 'x');
    assert.equal(simulated.spellingOf('café.md'), 'Cafe\u0301.md');
    await local.stageBytes('n-1', bytesOf('y'));
    assert.equal((await local.create('CAFÉ.md', 'n-1')).kind, 'taken');
    assert.equal((await local.create('what?.md', 'n-1')).kind, 'refused');
  });

  it('renames a file to a name that differs only in case', async () => {
    const { local, disk, simulated } = openFolder(folding);
    await disk.write('readme.md', 'x');
    const found = await local.readEntry('readme.md', await local.readDiskTime());
    assert(found.kind === 'file');
    const renamed = await local.rename('readme.md', 'README.md', { stamp: found.stamp, hash: '' as never });
    assert.equal(renamed.kind, 'placed');
    assert.equal(simulated.spellingOf('readme.md'), 'README.md');
  });

  it('keeps flushed content after a power loss', async () => {
    const { disk, local, simulated } = openFolder();
    await disk.write('a', 'flushed');
    await local.flush(['a']);
    await disk.write('b', 'not');
    simulated.losePower(() => true);
    assert.deepEqual([await disk.read('a'), await disk.read('b')], ['flushed', '\0\0\0']);
  });

  it('that is full or denies a path reports it and changes nothing', async () => {
    const { local, disk, simulated } = openFolder({ capacityBytes: 1000 });
    assert.equal((await local.stage('n-1', 2000)).kind, 'refused');
    assert.deepEqual(await local.stageBytes('n-2', new Uint8Array(2000)), {
      kind: 'refused',
      reason: 'disk_full',
      detail: 'ENOSPC',
    });
    await disk.write('locked/a', 'x');
    simulated.fault = (_act, path) => (path.startsWith('locked') ? 'EACCES' : null);
    const reading = await local.readFolder('locked', await local.readDiskTime());
    assert.deepEqual([reading.kind, reading.reason], ['unknown', 'unreadable']);
    assert.deepEqual(await local.listStaged(), []);
  });
});
