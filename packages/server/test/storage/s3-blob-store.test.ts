import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { RunningObjectStore } from '../../../../tests/support/object-store.ts';
import { ceph, swift, withObjectStore } from '../../../../tests/support/with-object-store.ts';
import { usualPartBytes } from '../../src/storage/blobs/s3/object-store.ts';
import { orphanGraceMs, sweepBlobs } from '../../src/storage/blobs/sweep-blobs.ts';
import { blobStoreSuite } from './blob-store-suite.ts';
import { contentHashOf, keepBytes, patterned, readBytes } from './support/blob-contents.ts';
import { openS3Blobs, testBucket } from './support/open-s3-blobs.ts';
import { openTemporaryStore } from './support/open-temporary-store.ts';
import { createStoreDriver } from './support/store-driver.ts';

/** Three parts, the last of them short. */
const severalPartsBytes = 18_000_001;

await withObjectStore('blobs in OpenStack Swift', blobsInObjectStore, swift);
await withObjectStore('blobs behind the gateway of Ceph', blobsInObjectStore, ceph);

function blobsInObjectStore(store: () => RunningObjectStore): void {
  before(() => store().createBucket(testBucket));

  blobStoreSuite('behaviour of every blob store', async () => {
    const { blobs } = await openS3Blobs(store(), { prefix: 'suite' });
    return { blobs, [Symbol.asyncDispose]: async () => {} };
  });

  it('a file of several parts comes back whole and in part', async () => {
    const { blobs, problems } = await openS3Blobs(store());
    const size = severalPartsBytes;
    const bytes = patterned(size);
    const key = await keepBytes(blobs, 'ws_parts', bytes, 1_000_003);
    assert.ok(Buffer.from(await readBytes(blobs, key, 0, size, size)).equals(bytes));
    for (const [start, end] of [
      [8_388_600, 8_388_620],
      [0, 1],
      [size - 1, size],
      [5, size - 5],
    ] as const) {
      const part = await readBytes(blobs, key, start, end, size);
      assert.ok(Buffer.from(part).equals(bytes.subarray(start, end)), `${start} to ${end}`);
    }
    assert.deepEqual(problems, []);
  });

  it('an object is named by workspace, hash and generation, whatever its size, and nothing else is left', async () => {
    const { blobs, names, problems } = await openS3Blobs(store(), { prefix: 'named' });
    for (const sizeBytes of [1, usualPartBytes, usualPartBytes + 1, severalPartsBytes]) {
      const bytes = patterned(sizeBytes);
      const key = await keepBytes(blobs, 'ws_named', bytes, 1_000_003);
      assert.deepEqual(await names(), [`ws_named/${contentHashOf(bytes)}.${key.generation}`]);
      assert.equal(await blobs.removeAbandonedUploads(Number.MAX_SAFE_INTEGER), 0);
      await blobs.remove(key);
    }
    assert.deepEqual(await names(), []);
    assert.deepEqual(problems, []);
  });

  it('a file that is copied to its name in several ranges is the same, and nothing else is left', async () => {
    const copyPartBytes = 5 * 1024 * 1024;
    const { blobs, names, problems } = await openS3Blobs(store(), { prefix: 'ranges', copyPartBytes });
    for (const size of [2 * copyPartBytes, 2 * copyPartBytes + 1, 5 * copyPartBytes + 12_345]) {
      const bytes = patterned(size);
      const key = await keepBytes(blobs, 'ws_ranges', bytes, 1_000_003);
      assert.ok(Buffer.from(await readBytes(blobs, key, 0, size, size)).equals(bytes));
      const [start, end] = [copyPartBytes - 10, copyPartBytes * 2 - 10];
      const part = await readBytes(blobs, key, start, end, size);
      assert.ok(Buffer.from(part).equals(bytes.subarray(start, end)));
      assert.deepEqual(await names(), [`ws_ranges/${key.contentHash}.${key.generation}`]);
      assert.equal(await blobs.removeAbandonedUploads(Number.MAX_SAFE_INTEGER), 0);
      await blobs.remove(key);
    }
    assert.deepEqual(problems, []);
  });

  it('staging objects of old uploads are removed, however many, and other objects stay', async () => {
    const { blobs, names, put } = await openS3Blobs(store(), { prefix: 'staged' });
    const count = 52;
    for (let at = 0; at < count; at += 26) {
      await Promise.all(Array.from({ length: 26 }, (_, i) => put(`.staging/ws_a/gen_${at + i}`)));
    }
    const others = ['.staging/notes', '.staging/ws_a/b/c', '.staging/ws.a/gen_1', 'notes'];
    for (const name of others) await put(name);
    assert.deepEqual(await Array.fromAsync(blobs.list(Number.MAX_SAFE_INTEGER)), []);
    assert.equal(await blobs.removeAbandonedUploads(Date.now() - orphanGraceMs), 0);
    assert.equal(await blobs.removeAbandonedUploads(Number.MAX_SAFE_INTEGER), count);
    assert.deepEqual((await names()).toSorted(), others.toSorted());
  });

  it('an upload of several parts that is given up leaves nothing', async () => {
    const { blobs, problems } = await openS3Blobs(store(), { prefix: 'given-up' });
    for (const sizeBytes of [1, 8_388_609, severalPartsBytes]) {
      const upload = await blobs.beginUpload('ws_given-up');
      await upload.write(patterned(sizeBytes));
      await upload[Symbol.asyncDispose]();
    }
    assert.deepEqual(await Array.fromAsync(blobs.list(Number.MAX_SAFE_INTEGER)), []);
    assert.equal(await blobs.removeAbandonedUploads(Number.MAX_SAFE_INTEGER), 0);
    assert.deepEqual(problems, []);
  });

  it('a list of more objects than a page holds names them all', async () => {
    const { blobs } = await openS3Blobs(store(), { prefix: 'many' });
    const count = 46;
    const keys: string[] = [];
    for (let at = 0; at < count; at += 23) {
      const kept = await Promise.all(
        Array.from({ length: 23 }, () => keepBytes(blobs, 'ws_many', patterned(1))),
      );
      keys.push(...kept.map(({ generation }) => generation));
    }
    const pages = await Array.fromAsync(blobs.list(Number.MAX_SAFE_INTEGER));
    const { listingMax } = store();
    assert.equal(pages.length, Math.ceil(count / listingMax));
    assert.ok(pages.every((page) => page.length <= listingMax));
    assert.deepEqual(
      pages
        .flat()
        .map(({ generation }) => generation)
        .toSorted(),
      keys.toSorted(),
    );
  });

  it('two installations in one bucket do not see each other', async () => {
    const one = (await openS3Blobs(store(), { prefix: 'one' })).blobs;
    const other = (await openS3Blobs(store(), { prefix: 'one-other' })).blobs;
    const key = await keepBytes(one, 'ws_a', patterned(100));
    assert.deepEqual(await Array.fromAsync(other.list(Number.MAX_SAFE_INTEGER)), []);
    await assert.rejects(readBytes(other, key, 0, 100, 100), { code: 'stored_bytes_missing' });
    await using running = await one.beginUpload('ws_a');
    await running.write(patterned(severalPartsBytes));
    assert.equal(await other.removeAbandonedUploads(Number.MAX_SAFE_INTEGER), 0);
    await running.finish({
      contentHash: contentHashOf(patterned(severalPartsBytes)),
      sizeBytes: severalPartsBytes,
    });
  });

  it('the sweeper removes orphans and uploads that were never finished, and nothing else', async () => {
    const { blobs } = await openS3Blobs(store(), { prefix: 'swept' });
    await using database = await openTemporaryStore();
    const driver = await createStoreDriver(database.store);
    const { workspaceId } = driver;
    const named = await keepBytes(blobs, workspaceId, patterned(1000));
    await keepBytes(blobs, workspaceId, patterned(2000));
    await driver.run([
      'keepBlob',
      {
        workspaceId,
        contentHash: named.contentHash,
        sizeBytes: 1000,
        location: { kind: 'stored', generation: named.generation },
        createdAt: 1,
      },
    ]);
    const abandoned = await blobs.beginUpload(workspaceId);
    await abandoned.write(patterned(severalPartsBytes));
    const sweepAt = (ms: number) => sweepBlobs({ store: database.store, blobs, clock: () => ms });

    assert.deepEqual(await sweepAt(Date.now() + orphanGraceMs / 2), {
      keptObjects: 0,
      removedObjects: 0,
      removedUploads: 0,
    });
    assert.deepEqual(await sweepAt(Date.now() + orphanGraceMs * 2), {
      keptObjects: 1,
      removedObjects: 1,
      removedUploads: 1,
    });
    const left = (await Array.fromAsync(blobs.list(Number.MAX_SAFE_INTEGER))).flat();
    assert.deepEqual(
      left.map(({ generation }) => generation),
      [named.generation],
    );
    await assert.rejects(
      abandoned.finish({
        contentHash: contentHashOf(patterned(severalPartsBytes)),
        sizeBytes: severalPartsBytes,
      }),
      { code: 'overloaded' },
    );
    await abandoned[Symbol.asyncDispose]();
  });

  it('a wrong secret, an unknown bucket and an unreachable store are rejected with a message', async () => {
    await assert.rejects(openS3Blobs({ ...store(), secretAccessKey: 'wrong' }), {
      message:
        /^The bucket contents of STOA_BLOB_URL cannot be used: access is denied: check AWS_ACCESS_KEY_ID/,
    });
    await assert.rejects(openS3Blobs(store(), { bucket: 'no-such-bucket' }), {
      message: /^The bucket no-such-bucket .*: it does not exist: create it/,
    });
    const nowhere = { ...store(), endpoint: 'http://127.0.0.1:1' };
    await assert.rejects(openS3Blobs(nowhere, { timeouts: { attempts: 1, startMs: 0 } }), {
      message: /^The bucket contents .*ECONNREFUSED/,
    });
  });

  it('bytes survive a killed store, and an earlier client continues', async () => {
    const { blobs } = await openS3Blobs(store());
    const bytes = patterned(severalPartsBytes);
    const key = await keepBytes(blobs, 'ws_killed', bytes);
    await store().kill();
    await assert.rejects(readBytes(blobs, key, 0, bytes.byteLength, bytes.byteLength), {
      code: 'overloaded',
    });
    await store().restart();
    const found = await readBytes(blobs, key, 0, bytes.byteLength, bytes.byteLength);
    assert.ok(Buffer.from(found).equals(bytes));
  });
}
