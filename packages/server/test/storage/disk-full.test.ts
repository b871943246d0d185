import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { BatchResult, QueuedScript } from '../../src/storage/batches.ts';
import { openDiskBlobStore } from '../../src/storage/blobs/disk/open-disk-blob-store.ts';
import { giveToLog, withReserve } from '../../src/storage/sqlite/full-disk.ts';
import { openConnection } from '../../src/storage/sqlite/open-connection.ts';
import { sqliteFailureOf } from '../../src/storage/sqlite/sqlite-executor.ts';
import { openTemporaryStore } from './support/open-temporary-store.ts';
import { createStoreDriver, hashOf } from './support/store-driver.ts';

/** Mounts a folder as a small disk of its own, or returns the reason why it cannot. */
async function mountSmallDisk(
  t: TestContext,
  sizeKib: number,
): Promise<{ folder: string } | { reason: string }> {
  if (process.platform !== 'linux') return { reason: 'a small disk is made with tmpfs, which is Linux only' };
  const folder = await mkdtemp(join(tmpdir(), 'stoa-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeKib}k`, 'tmpfs', folder], { stdio: 'ignore' });
    t.after(() => unmount(folder));
    return { folder };
  } catch {
    await rm(folder, { recursive: true });
    return { reason: 'mounting a small disk needs root' };
  }
}

async function unmount(folder: string): Promise<void> {
  execFileSync('umount', [folder]);
  await rm(folder, { recursive: true });
}

/** Frames of the log that the first page of its index has room for. */
const framesOfFirstPage = 4062;

function fill(file: string): void {
  for (const bytes of [256 * 1024, 4096]) {
    try {
      for (;;) appendFileSync(file, new Uint8Array(bytes));
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
    }
  }
}

/** Writes files repeatedly, as uploads do, and removes incomplete ones. */
const uploading = `
  const { closeSync, openSync, unlinkSync, writeSync } = require('node:fs');
  const { workerData: { folder, running } } = require('node:worker_threads');
  const bytes = Buffer.alloc(256 * 1024);
  for (let n = 0; Atomics.load(running, 0) !== 2; n += 1) {
    const name = folder + '/upload-' + n;
    try {
      const file = openSync(name, 'wx');
      try {
        for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
      } finally {
        closeSync(file);
      }
    } catch {
      unlinkSync(name);
    }
    Atomics.store(running, 0, Atomics.load(running, 0) || 1);
  }
`;

describe('disk full', () => {
  it('deletes work while all free space is taken, and where the index of the log has to grow', async (t) => {
    const disk = await mountSmallDisk(t, 40 * 1024);
    if ('reason' in disk) return t.skip(disk.reason);
    const file = join(disk.folder, 'stoa.db');
    using db = openConnection(file, 'write');
    db.exec('create table kept (bytes blob)');
    const insert = db.prepare('insert into kept values (zeroblob(?))');
    const keep = (bytes: number) => {
      insert.run(bytes);
      return { kind: 'done', outcome: null } as const;
    };
    const run = async (batch: readonly QueuedScript[]): Promise<BatchResult> => {
      try {
        db.exec('begin immediate');
        const results = batch.map(({ command }) => keep(Number(command)));
        db.exec('commit');
        return { kind: 'committed', results, changedWorkspaces: [] };
      } catch (error) {
        if (db.isTransaction) db.exec('rollback');
        if (sqliteFailureOf(error)?.kind !== 'storage_full') throw error;
        return { kind: 'rolled_back', reason: 'storage_full' };
      }
    };
    const take = withReserve(file, run);
    const change = async (script: string) => await take([{ script, command: 100 }]);
    const frames = () => Number(db.prepare('pragma wal_checkpoint(noop)').get()?.log);
    keep((framesOfFirstPage - 100) * 4096);
    while (frames() < framesOfFirstPage - 10) keep(100);
    assert.ok(frames() < framesOfFirstPage);

    const filler = join(disk.folder, 'filler');
    fill(filler);
    assert.equal((await change('files.write')).kind, 'rolled_back');
    fill(filler);
    while (frames() < framesOfFirstPage + 50) {
      assert.equal((await change('files.delete')).kind, 'committed', `at ${frames()} frames`);
      assert.equal((await change('files.write')).kind, 'rolled_back');
    }

    await rm(filler);
    assert.equal((await change('files.write')).kind, 'committed');
  });

  it('a change without room is rejected, reads continue, and writes work once there is room', async (t) => {
    const disk = await mountSmallDisk(t, 2048);
    if ('reason' in disk) return t.skip(disk.reason);
    await using opened = await openTemporaryStore(disk.folder);
    const driver = await createStoreDriver(opened.store);
    const { workspaceId } = driver;
    const filler = join(disk.folder, 'filler');
    await writeFile(filler, new Uint8Array(1024 * 1024));
    const keep = (digit: number) =>
      driver.run([
        'keepBlob',
        {
          workspaceId,
          contentHash: hashOf(digit.toString(16)),
          sizeBytes: 60_000,
          location: { kind: 'inline', bytes: new Uint8Array(60_000).fill(digit) },
          createdAt: 1,
        },
      ]);
    let kept = 0;
    let rejection: unknown = null;
    for (; kept < 16 && rejection === null; kept += 1) {
      rejection = await keep(kept).then(
        () => null,
        (error: unknown) => error,
      );
    }
    assert.equal((rejection as { code?: string } | null)?.code, 'storage_full');
    assert.deepEqual(opened.fatalErrors, []);
    const rejected = kept - 1;
    assert.equal(await opened.store.reader.blobs.locate(workspaceId, hashOf(rejected.toString(16))), null);
    assert.equal((await opened.store.reader.blobs.locate(workspaceId, hashOf('0')))?.kind, 'inline');

    await rm(filler);
    await keep(rejected);
    const found = await opened.store.reader.blobs.locate(workspaceId, hashOf(rejected.toString(16)));
    assert.ok(found?.kind === 'inline' && found.bytes.every((byte) => byte === rejected));
  });

  it('an upload without room is rejected and leaves no file', async (t) => {
    const disk = await mountSmallDisk(t, 512);
    if ('reason' in disk) return t.skip(disk.reason);
    const blobs = await openDiskBlobStore({ directory: disk.folder, onFatal: (error) => assert.fail(error) });
    const upload = await blobs.beginUpload('ws_a');
    const sizeBytes = 100_000;
    const filling = async () => {
      for (let i = 0; i < 30; i += 1) await upload.write(new Uint8Array(sizeBytes));
    };
    await assert.rejects(filling(), { code: 'storage_full' });
    await upload[Symbol.asyncDispose]();
    assert.deepEqual(await readdir(join(disk.folder, '.uploads')), []);
    await using small = await blobs.beginUpload('ws_a');
    await small.write(new Uint8Array(sizeBytes));
    await small.finish({ contentHash: hashOf('a'), sizeBytes });
  });

  it('the reserve goes to the log, not to running uploads', async (t) => {
    const reserveBytes = 4 * 1024 * 1024;
    for (let time = 0; time < 10; time += 1) {
      const disk = await mountSmallDisk(t, 6 * 1024);
      if ('reason' in disk) return t.skip(disk.reason);
      const database = join(disk.folder, 'stoa.db');
      await writeFile(`${database}-reserve`, Buffer.alloc(reserveBytes));
      const running = new Int32Array(new SharedArrayBuffer(4));
      const uploads = new Worker(uploading, { eval: true, workerData: { folder: disk.folder, running } });
      while (Atomics.load(running, 0) === 0) await setImmediate();
      while ((await statfs(disk.folder)).bavail > 64) await setImmediate();
      giveToLog(`${database}-reserve`, database);
      Atomics.store(running, 0, 2);
      await once(uploads, 'exit');
      const given = (await stat(`${database}-wal`)).size + (await stat(`${database}-shm`)).size;
      assert.ok(given >= reserveBytes / 2, `${given} of ${reserveBytes} bytes`);
    }
  });
});
