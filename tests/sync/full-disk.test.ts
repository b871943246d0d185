import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { useServer } from './support/shared-workspace.ts';
import { hashOf } from './support/synced-folder.ts';

const server = await useServer();
const isRoot = process.getuid?.() === 0;

/** A file system in memory. */
async function mountDisk(size: string) {
  const path = await mkdtemp(join(tmpdir(), 'stoa-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0700`, 'stoa-test', path]);
  return {
    path,
    resize: (to: string) => execFileSync('mount', ['-o', `remount,size=${to}`, path]),
    async [Symbol.asyncDispose]() {
      execFileSync('umount', [path]);
      await rm(path, { recursive: true });
    },
  };
}

describe('a folder on a disk of 2 MiB', {
  skip: isRoot ? false : 'only root mounts a disk: sudo npm test -- full-disk',
}, () => {
  it('takes no downloads, sends what it has, and goes on once there is room', async () => {
    const shared = await server.workspace();
    await using disk = await mountDisk('2m');
    await using folder = await shared.folder(undefined, { parent: disk.path });
    await shared.workspace.put('large.bin', 'x'.repeat(4_000_000));
    await folder.write('mine.md', 'mine');
    const full = await folder.run('sync', '--json');
    assert.equal(full.code, 8, full.stdout + full.stderr);
    const { leftOut } = JSON.parse(full.stdout);
    assert.deepEqual(
      leftOut.map(({ path, reason }: { path: string; reason: string }) => [path, reason]),
      [['large.bin', 'disk_full']],
    );
    assert.deepEqual([...(await shared.hashes()).keys()].sort(), ['large.bin', 'mine.md']);

    disk.resize('1g');
    const roomy = await folder.run('sync', '--json');
    assert.equal(roomy.code, 0, roomy.stdout + roomy.stderr);
    await shared.untilSame([folder], 1000);
  });

  it('that has no room for its own state ends, and has lost nothing when there is room again', async () => {
    const shared = await server.workspace();
    await using disk = await mountDisk('2m');
    await using folder = await shared.folder(undefined, { parent: disk.path });
    await folder.write('a.md', 'a');
    assert.equal((await folder.run('sync')).code, 0);
    await shared.workspace.put('theirs.md', 'theirs');
    await folder.write('a.md', 'a, edited');
    // By its name it is never synced. It takes all that is left.
    const filling = writeFile(join(folder.path, 'filler.part'), new Uint8Array(4_000_000));
    await assert.rejects(filling, { code: 'ENOSPC' });
    const full = await folder.run('sync', '--json');
    assert.equal(full.code, 1, full.stdout + full.stderr);
    assert.equal(await folder.read('a.md'), 'a, edited');

    await folder.remove('filler.part');
    disk.resize('1g');
    const roomy = await folder.run('sync', '--json');
    assert.equal(roomy.code, 0, roomy.stdout + roomy.stderr);
    const both = [hashOf('a, edited'), hashOf('theirs')];
    assert.deepEqual([...(await shared.hashes()).values()].sort(), both.sort());
    await shared.untilSame([folder], 1000);
  });
});
