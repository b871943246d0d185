import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, it } from 'node:test';
import {
  type Fault,
  type FaultyObjectStore,
  type StoreOperation,
  startFaultyObjectStore,
} from '../../../../tests/support/object-store-faults.ts';
import { withSmallPartsObjectStore } from '../../../../tests/support/with-object-store.ts';
import { orphanGraceMs, sweepBlobs } from '../../src/storage/blobs/sweep-blobs.ts';
import { keepBytes, patterned, readBytes } from './support/blob-contents.ts';
import { type OpenedS3Blobs, openS3Blobs, testBucket } from './support/open-s3-blobs.ts';
import { openTemporaryStore } from './support/open-temporary-store.ts';
import { createStoreDriver } from './support/store-driver.ts';

const attempts = 3;
const always = 1000;
/** Sent in two parts. Other tests use the part size that stores require. */
const partBytes = 512 * 1024;
const large = patterned(600_001);
const atOnce = {};
/** Copied in five ranges, of which four at once. */
const inRanges = { copyPartBytes: 128 * 1024 };
const ranges = 5;

const rejected = { kind: 'refused', status: 503, code: 'InternalError' } as const;
const internalError = { kind: 'done_but_refused', status: 500, code: 'InternalError' } as const;

await withSmallPartsObjectStore('an object store that fails while it copies', (store) => {
  let faulty: FaultyObjectStore;
  let opened: OpenedS3Blobs;
  /** Stores by options: opening one tests everything that the store must do. */
  const openedBefore = new Map<object, OpenedS3Blobs>();
  before(async () => {
    await store().createBucket(testBucket);
    faulty = await startFaultyObjectStore(store().endpoint);
  });
  after(() => faulty[Symbol.asyncDispose]());
  beforeEach(() => openAs(atOnce));
  // The store must be empty after each test.
  afterEach(async () => {
    faulty.clear();
    for (const name of await opened.names()) await opened.remove(name);
    await removeAllUploads();
  });

  const openAs = async (options: NonNullable<Parameters<typeof openS3Blobs>[1]>) => {
    faulty.clear();
    const found = openedBefore.get(options);
    if (found === undefined) {
      const location = { ...store(), endpoint: faulty.endpoint };
      opened = await openS3Blobs(location, { timeouts: { attempts }, partBytes, ...options });
      openedBefore.set(options, opened);
      faulty.clear();
    } else {
      opened = found;
      opened.forgetProblems();
    }
  };
  const seenCount = (operation: StoreOperation) => faulty.seen.filter((one) => one === operation).length;
  const removeAllUploads = () => opened.blobs.removeAbandonedUploads(Number.MAX_SAFE_INTEGER);
  const problemsLeft = () =>
    opened.problems.filter(({ message }) => message.includes('left for the sweeper')).length;
  const assertKept = async () => {
    const key = await keepBytes(opened.blobs, 'ws_a', large, 70_001);
    const found = await readBytes(opened.blobs, key, 0, large.byteLength, large.byteLength);
    assert.ok(Buffer.from(found).equals(large));
    return key;
  };
  const assertKeptAlone = async () => {
    const key = await assertKept();
    assert.deepEqual(await opened.names(), [`ws_a/${key.contentHash}.${key.generation}`]);
    assert.equal(await removeAllUploads(), 0);
    await opened.blobs.remove(key);
  };
  const assertRejected = () =>
    assert.rejects(keepBytes(opened.blobs, 'ws_a', large, 70_001), { code: 'overloaded' });
  const assertRejectedWithoutTrace = async () => {
    await assertRejected();
    assert.deepEqual(await opened.names(), []);
    assert.equal(await removeAllUploads(), 0);
  };

  for (const [how, options] of [
    ['at once', atOnce],
    ['in ranges', inRanges],
  ] as const) {
    it(`a copy made ${how} has checksums: a range of it with a changed byte is not served`, async () => {
      await openAs(options);
      const key = await assertKept();
      const [start, end] = [large.byteLength - 100, large.byteLength - 50];
      const part = await readBytes(opened.blobs, key, start, end, large.byteLength);
      assert.ok(Buffer.from(part).equals(large.subarray(start, end)));
      faulty.inject({ on: 'get', times: 1, fault: { kind: 'flipped', atByte: 0 } });
      await assert.rejects(readBytes(opened.blobs, key, start, end, large.byteLength), {
        code: 'stored_bytes_missing',
      });
    });
  }

  const passing: readonly (readonly [string, Fault])[] = [
    ['asks to slow down', { ...rejected, code: 'SlowDown' }],
    ['responds 500 although it did it', internalError],
    ['responds to an error with a success status', { kind: 'error_in_success', code: 'InternalError' }],
    ['breaks the connection first', { kind: 'reset_before' }],
    ['breaks the connection once it did it', { kind: 'reset_after' }],
  ];
  for (const [what, fault] of passing) {
    it(`an upload is copied by a store that ${what}, at once and in ranges`, async () => {
      faulty.inject({ on: 'copy', times: 2, fault });
      await assertKeptAlone();
      assert.deepEqual([seenCount('copy'), seenCount('copy_part')], [3, 0]);

      await openAs(inRanges);
      faulty.inject({ on: 'copy_part', skip: 1, times: 2, fault });
      // The completion before it is that of the upload.
      faulty.inject({ on: 'complete', skip: 1, times: 1, fault });
      await assertKeptAlone();
      const steps = ['copy', 'copy_part', 'complete', 'begin'] as const;
      assert.deepEqual(steps.map(seenCount), [0, ranges + 2, 3, 2]);
      assert.deepEqual(opened.problems, []);
    });
  }

  it('a response with an empty entity tag counts as one without a tag, at once and in ranges', async () => {
    for (const options of [atOnce, inRanges]) {
      await openAs(options);
      for (const on of ['complete', 'copy'] as const) {
        faulty.inject({ on, times: always, fault: { kind: 'untagged' } });
      }
      await assertKeptAlone();
    }
    assert.deepEqual(opened.problems, []);
  });

  it('a copy is there when the store made it and never managed to say so', async () => {
    for (const fault of [internalError, { kind: 'reset_after' }] as const) {
      faulty.inject({ on: 'copy', times: always, fault });
      await assertKeptAlone();
      assert.equal(seenCount('copy'), attempts);
      faulty.clear();
    }
    await openAs(inRanges);
    faulty.inject({ on: 'complete', skip: 1, times: always, fault: internalError });
    await assertKeptAlone();
    assert.equal(seenCount('complete'), 1 + attempts);
  });

  it('the client asks whether the copy exists when a store starts its response and then stalls', async () => {
    await openAs({ timeouts: { attempts: 1, copyMs: 5000 } });
    faulty.inject({ on: 'copy', times: always, fault: { kind: 'stalled', atByte: 1 } });
    await assertKeptAlone();
    assert.equal(seenCount('copy'), 1);
    assert.equal(opened.problems.length, 1);
  });

  it('a copy that never gets a response is given up', async () => {
    await openAs({ timeouts: { attempts: 2, copyMs: 500 } });
    faulty.inject({ on: 'copy', times: always, fault: { kind: 'silent' } });
    await assertRejectedWithoutTrace();
    assert.equal(seenCount('copy'), 2);
  });

  it('a copy that keeps failing is rejected after a few tries, and leaves no object behind', async () => {
    faulty.inject({ on: 'copy', times: always, fault: rejected });
    await assertRejectedWithoutTrace();
    assert.equal(seenCount('copy'), attempts);
    for (const [on, skip] of [
      ['begin', 1],
      ['copy_part', 2],
      ['complete', 1],
    ] as const) {
      await openAs(inRanges);
      faulty.inject({ on, skip, times: always, fault: rejected });
      await assertRejectedWithoutTrace();
      assert.ok(seenCount(on) >= skip + attempts, on);
      // Only a completed copy may exist after an error.
      const isAsked = on === 'complete';
      assert.equal(seenCount('head'), isAsked ? 2 : 1, on);
    }
  });

  it('a copy whose success the store does not report is removed when the upload is rejected', async () => {
    for (const [on, skip, options] of [
      ['copy', 0, atOnce],
      ['complete', 1, inRanges],
    ] as const) {
      await openAs(options);
      faulty.inject({ on, skip, times: always, fault: internalError });
      faulty.inject({ on: 'head', skip: 1, times: always, fault: rejected });
      await assertRejectedWithoutTrace();
    }
  });

  it('a copy of the wrong size is not kept', async () => {
    faulty.inject({ on: 'head', skip: 1, times: 1, fault: { kind: 'shortened', toBytes: 600_000 } });
    await assert.rejects(
      keepBytes(opened.blobs, 'ws_a', large),
      /an upload of 600001 bytes is an object of 600000/,
    );
    assert.deepEqual(await opened.names(), []);
  });

  it('the sweeper finds objects that could not be removed after a rejection', async () => {
    faulty.inject({ on: 'copy', times: always, fault: internalError });
    faulty.inject({ on: 'head', skip: 1, times: always, fault: rejected });
    faulty.inject({ on: 'remove', times: always, fault: rejected });
    await assertRejected();
    assert.equal(problemsLeft(), 2);
    faulty.clear();
    const keys = (await Array.fromAsync(opened.blobs.list(Number.MAX_SAFE_INTEGER))).flat();
    assert.equal(keys.length, 1);
    for (const key of keys) await opened.blobs.remove(key);
    assert.equal(await removeAllUploads(), 1);
    assert.deepEqual(await opened.names(), []);

    await openAs(inRanges);
    faulty.inject({ on: 'copy_part', times: always, fault: rejected });
    for (const on of ['remove', 'abort'] as const) faulty.inject({ on, times: always, fault: rejected });
    await assertRejected();
    assert.equal(problemsLeft(), 2);
    faulty.clear();
    assert.equal(await opened.blobs.removeAbandonedUploads(Date.now() - orphanGraceMs), 0);
    // The staging object, and the upload that ranges were to be copied into.
    assert.equal(await removeAllUploads(), 2);
    assert.deepEqual([await opened.names(), await removeAllUploads()], [[], 0]);
  });

  it('a staging object that could not be removed fails no write, and is swept though a row names its upload', async () => {
    await using database = await openTemporaryStore();
    const driver = await createStoreDriver(database.store);
    const { workspaceId } = driver;
    const { blobs, names, problems } = opened;
    faulty.inject({ on: 'remove', times: always, fault: rejected });
    const { contentHash, generation } = await keepBytes(blobs, workspaceId, large);
    assert.ok(problems.some(({ message }) => message === 'a staging object is left for the sweeper'));
    faulty.clear();
    const sizeBytes = large.byteLength;
    const location = { kind: 'stored', generation } as const;
    await driver.run(['keepBlob', { workspaceId, contentHash, sizeBytes, location, createdAt: 1 }]);
    const kept = `${workspaceId}/${contentHash}.${generation}`;
    assert.deepEqual(await names(), [`.staging/${workspaceId}/${generation}`, kept]);
    const sweepAfter = (ms: number) =>
      sweepBlobs({ store: database.store, blobs, clock: () => Date.now() + ms });

    assert.equal((await sweepAfter(orphanGraceMs / 2)).removedUploads, 0);
    assert.equal((await names()).length, 2);
    assert.deepEqual(await sweepAfter(orphanGraceMs * 2), {
      keptObjects: 1,
      removedObjects: 0,
      removedUploads: 1,
    });
    assert.deepEqual(await names(), [kept]);
    const key = { workspaceId, contentHash, generation };
    const found = await readBytes(blobs, key, 0, sizeBytes, sizeBytes);
    assert.ok(Buffer.from(found).equals(large));
  });
});
