import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { useServer } from './support/shared-workspace.ts';
import { hashOf, type Launch, type SyncedFolder } from './support/synced-folder.ts';

const server = await useServer();

/** A disk with room for 2 MiB, and the options to start the program on it. */
interface Disk extends AsyncDisposable {
  readonly launch: Launch;
  /** Whether the disk can be full for all processes, and not for the program alone. */
  readonly isFull: boolean;
  /** Uses all free space. */
  fill(folder: SyncedFolder): Promise<void>;
  makeRoom(folder: SyncedFolder): Promise<void>;
}

// A file of this name is never synced.
const filler = 'filler.part';

/** Mounts a file system in memory where this machine allows it. Elsewhere only the program itself has a limit. */
async function openDisk(): Promise<Disk> {
  const parent = await mkdtemp(join(tmpdir(), 'stoa-disk-'));
  const mounting = ['-t', 'tmpfs', '-o', 'size=2m,mode=0700', 'stoa-test', parent];
  const isMounted = spawnSync('mount', mounting, { stdio: 'ignore' }).status === 0;
  return isMounted ? mountedDisk(parent) : limitedDisk(parent);
}

function mountedDisk(parent: string): Disk {
  return {
    launch: { parent },
    isFull: true,
    async fill(folder) {
      await assert.rejects(folder.write(filler, new Uint8Array(4_000_000)), { code: 'ENOSPC' });
    },
    async makeRoom(folder) {
      await folder.remove(filler);
      execFileSync('mount', ['-o', 'remount,size=1g', parent]);
    },
    async [Symbol.asyncDispose]() {
      execFileSync('umount', [parent]);
      await rm(parent, { recursive: true });
    },
  };
}

/** Starts the program with a preload script that fakes `statfs` and with a limit for the size of a file. */
async function limitedDisk(parent: string): Promise<Disk> {
  const [preload, fileBlocksMax] = [join(parent, 'preload.mjs'), join(parent, 'file-blocks-max')];
  await writeFile(
    preload,
    `import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const blocks = { bsize: 4096, blocks: 512, bfree: 400, bavail: 400 };
    const { statfsSync } = fs;
    fs.statfsSync = (path) => Object.assign(statfsSync(path), blocks);
    syncBuiltinESMExports();`,
  );
  await writeFile(fileBlocksMax, 'unlimited');
  return {
    launch: {
      parent,
      env: { NODE_OPTIONS: `--import=${preload}` },
      through: ['sh', '-c', 'ulimit -f "$(cat "$0")" && exec "$@"', fileBlocksMax],
    },
    isFull: false,
    fill: () => writeFile(fileBlocksMax, '0'),
    async makeRoom() {
      await writeFile(preload, '');
      await writeFile(fileBlocksMax, 'unlimited');
    },
    [Symbol.asyncDispose]: () => rm(parent, { recursive: true }),
  };
}

async function reportsOfFullDisk(folder: SyncedFolder, commands: readonly string[]): Promise<void> {
  for (const command of commands) {
    const { code, stdout, stderr } = await folder.run(command, '--json');
    const { error } = JSON.parse(stdout);
    assert.deepEqual([code, error.code], [1, 'disk_full'], `${command}: ${stdout}${stderr}`);
    assert.equal(error.message, `The disk of ${join(folder.path, '.stoa')} is full.`);
    assert.match(error.next, /^Nothing is lost: make room/);
  }
}

describe('a folder on a disk of 2 MiB', () => {
  it('skips large downloads, uploads its changes, and continues once there is room', async () => {
    const shared = await server.workspace();
    await using disk = await openDisk();
    await using folder = await shared.folder(undefined, disk.launch);
    await shared.workspace.put('large.bin', 'x'.repeat(4_000_000));
    await folder.write('mine.md', 'mine');
    const full = await folder.run('sync', '--json');
    assert.equal(full.code, 8, full.stdout + full.stderr);
    const { leftOut: skipped } = JSON.parse(full.stdout);
    assert.deepEqual(
      skipped.map(({ path, reason }: { path: string; reason: string }) => [path, reason]),
      [['large.bin', 'disk_full']],
    );
    assert.deepEqual([...(await shared.hashes()).keys()].sort(), ['large.bin', 'mine.md']);

    await disk.makeRoom(folder);
    const roomy = await folder.run('sync', '--json');
    assert.equal(roomy.code, 0, roomy.stdout + roomy.stderr);
    await shared.untilSame([folder], 1000);
  });

  it('ends without room for its own state, and has lost nothing when there is room again', async () => {
    const shared = await server.workspace();
    await using disk = await openDisk();
    await using folder = await shared.folder(undefined, disk.launch);
    await folder.write('a.md', 'a');
    assert.equal((await folder.run('sync')).code, 0);
    await shared.workspace.put('theirs.md', 'theirs');
    await folder.write('a.md', 'a, edited');
    await disk.fill(folder);
    const full = await folder.run('sync', '--json');
    assert.equal(full.code, 1, full.stdout + full.stderr);
    // A program with a limit of its own gets another error: the file is too long.
    if (disk.isFull) await reportsOfFullDisk(folder, ['sync', 'watch', 'status', 'doctor']);
    assert.equal(await folder.read('a.md'), 'a, edited');

    await disk.makeRoom(folder);
    const roomy = await folder.run('sync', '--json');
    assert.equal(roomy.code, 0, roomy.stdout + roomy.stderr);
    const both = [hashOf('a, edited'), hashOf('theirs')];
    assert.deepEqual([...(await shared.hashes()).values()].sort(), both.sort());
    await shared.untilSame([folder], 1000);
  });

  it('quarantines a damaged state and recovers once there is room for a new one', async () => {
    const shared = await server.workspace();
    await using disk = await openDisk();
    await using folder = await shared.folder(undefined, disk.launch);
    await folder.write('a.md', 'a');
    assert.equal((await folder.run('sync')).code, 0);
    await disk.fill(folder);
    const state = await open(join(folder.path, '.stoa', 'state.db'), 'r+');
    await state.write('damaged', 0);
    await state.close();
    if (disk.isFull) await reportsOfFullDisk(folder, ['sync', 'watch']);
    else assert.equal((await folder.run('sync')).code, 1);

    await disk.makeRoom(folder);
    const roomy = await folder.run('sync', '--json');
    assert.equal(roomy.code, 0, roomy.stdout + roomy.stderr);
    await shared.untilSame([folder], 1000);
  });
});
