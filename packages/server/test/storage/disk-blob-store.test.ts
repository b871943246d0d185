import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, truncate, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { blobPath } from '../../src/storage/blobs/disk/blob-files.ts';
import { syncOrStop } from '../../src/storage/blobs/disk/durable-folders.ts';
import { openDiskBlobStore } from '../../src/storage/blobs/disk/open-disk-blob-store.ts';
import { orphanGraceMs, sweepBlobs } from '../../src/storage/blobs/sweep-blobs.ts';
import { blobStoreSuite } from './blob-store-suite.ts';
import { flipByte, keepBytes, patterned, readBytes } from './support/blob-contents.ts';
import { openTemporaryStore } from './support/open-temporary-store.ts';
import { createStoreDriver, hashOf } from './support/store-driver.ts';

async function openTemporaryBlobs() {
  const directory = await mkdtemp(join(tmpdir(), 'stoa-blobs-'));
  const blobs = await openDiskBlobStore({ directory, onFatal: (error) => assert.fail(error) });
  return {
    blobs,
    directory,
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  };
}

blobStoreSuite('disk blob store', openTemporaryBlobs);

describe('disk blob store on its disk', () => {
  const contentHash = hashOf('b');
  const sizeBytes = 2_000_000;

  it('a file cut short while it is read fails the transfer', async () => {
    await using opened = await openTemporaryBlobs();
    await using upload = await opened.blobs.beginUpload('ws_a');
    await upload.write(new Uint8Array(sizeBytes));
    const generation = await upload.finish({ contentHash, sizeBytes });
    const key = { workspaceId: 'ws_a', contentHash, generation };
    const stream = await opened.blobs.open(key, { start: 0, end: sizeBytes, sizeBytes });
    const { folder, name } = blobPath(key);
    let received = 0;
    const receiving = async () => {
      for await (const chunk of stream) {
        if (received === 0) await truncate(join(opened.directory, folder, name), 300_000);
        received += chunk.byteLength;
      }
    };
    await assert.rejects(receiving(), { code: 'stored_bytes_missing' });
    assert.ok(received <= 300_000);
  });

  for (const at of [0, 1_999_999]) {
    it(`a file with byte ${at} changed never reaches its end, whatever buffers its reader brings`, async () => {
      await using opened = await openTemporaryBlobs();
      const bytes = patterned(sizeBytes);
      const key = await keepBytes(opened.blobs, 'ws_a', bytes);
      const { folder, name } = blobPath(key);
      await flipByte(join(opened.directory, folder, name), at);
      for (const bufferBytes of [65_536, 999_999, 3_000_000]) {
        const whole = await opened.blobs.open(key, { start: 0, end: sizeBytes, sizeBytes });
        const reader = whole.getReader({ mode: 'byob' });
        let received = 0;
        const receiving = async () => {
          for (let buffer = new ArrayBuffer(bufferBytes); ; ) {
            const { value } = await reader.read(new Uint8Array(buffer));
            if (value === undefined || value.byteLength === 0) return;
            received += value.byteLength;
            buffer = value.buffer;
          }
        };
        await assert.rejects(receiving(), { code: 'stored_bytes_missing' });
        assert.ok(received < sizeBytes);
      }
      // A range has no hash to check.
      const [start, end] = [10, 1_000_000];
      assert.deepEqual(await readBytes(opened.blobs, key, start, end, sizeBytes), bytes.slice(start, end));
    });
  }

  it('a file gets its name only once it is complete', async () => {
    await using opened = await openTemporaryBlobs();
    await using upload = await opened.blobs.beginUpload('ws_a');
    await upload.write(new Uint8Array(10));
    assert.deepEqual(await readdir(opened.directory), ['.uploads']);
    await upload.finish({ contentHash, sizeBytes: 10 });
    assert.deepEqual(await readdir(join(opened.directory, '.uploads')), []);
  });

  it('a name that could lead out of the folder is a bug, not a file', () => {
    const key = { workspaceId: '../etc', contentHash, generation: 'g' };
    assert.throws(() => blobPath(key));
    assert.throws(() => blobPath({ ...key, workspaceId: 'ws_a', generation: '../x' }));
  });

  it('a failed fsync is reported and not tried again', async () => {
    const reported: Error[] = [];
    let tries = 0;
    const failing = async () => {
      tries += 1;
      throw new Error('EIO');
    };
    await assert.rejects(
      syncOrStop(failing, (error) => reported.push(error)),
      /EIO/,
    );
    assert.deepEqual([tries, reported.length], [1, 1]);
  });

  it('the sweeper removes old orphans and old uploads, and nothing else', async () => {
    await using opened = await openTemporaryBlobs();
    await using database = await openTemporaryStore();
    const driver = await createStoreDriver(database.store);
    const { workspaceId } = driver;
    const now = 1_800_000_000_000;
    const keep = async (digit: string, ageMs: number) => {
      await using upload = await opened.blobs.beginUpload(workspaceId);
      await upload.write(new Uint8Array(10));
      const generation = await upload.finish({ contentHash: hashOf(digit), sizeBytes: 10 });
      const { folder, name } = blobPath({ workspaceId, contentHash: hashOf(digit), generation });
      const writtenAt = (now - ageMs) / 1000;
      await utimes(join(opened.directory, folder, name), writtenAt, writtenAt);
      return generation;
    };
    const named = await keep('1', orphanGraceMs * 2);
    await keep('2', orphanGraceMs * 2);
    const fresh = await keep('3', orphanGraceMs / 2);
    await driver.run([
      'keepBlob',
      {
        workspaceId,
        contentHash: hashOf('1'),
        sizeBytes: 10,
        location: { kind: 'stored', generation: named },
        createdAt: 1,
      },
    ]);
    const abandoned = await opened.blobs.beginUpload(workspaceId);
    const running = await opened.blobs.beginUpload(workspaceId);
    await running.write(new Uint8Array(1));
    const uploads = join(opened.directory, '.uploads');
    const old = (now - orphanGraceMs * 2) / 1000;
    const recent = (now - orphanGraceMs / 2) / 1000;
    for (const name of await readdir(uploads)) await utimes(join(uploads, name), recent, recent);
    const [oldest = assert.fail()] = await readdir(uploads);
    await utimes(join(uploads, oldest), old, old);

    const report = await sweepBlobs({ store: database.store, blobs: opened.blobs, clock: () => now });
    assert.deepEqual(report, { keptObjects: 1, removedObjects: 1, removedUploads: 1 });
    const left = (await Array.fromAsync(opened.blobs.list(Number.MAX_SAFE_INTEGER))).flat();
    assert.deepEqual(left.map(({ generation }) => generation).toSorted(), [named, fresh].toSorted());
    assert.equal((await readdir(uploads)).length, 1);
    await abandoned[Symbol.asyncDispose]();
    await running[Symbol.asyncDispose]();
  });

  it("the sweeper leaves another installation's objects alone, however old", async () => {
    await using opened = await openTemporaryBlobs();
    await using database = await openTemporaryStore();
    await using upload = await opened.blobs.beginUpload('ws_of_another_database');
    await upload.write(new Uint8Array(10));
    await upload.finish({ contentHash: hashOf('1'), sizeBytes: 10 });
    const clock = () => Date.now() + 2 * orphanGraceMs;
    const report = await sweepBlobs({ store: database.store, blobs: opened.blobs, clock });
    assert.deepEqual(report, { keptObjects: 1, removedObjects: 0, removedUploads: 0 });
  });
});
