import assert from 'node:assert/strict';
import { after, before, beforeEach, it } from 'node:test';
import {
  type Fault,
  type FaultyObjectStore,
  type StoreOperation,
  startFaultyObjectStore,
} from '../../../../tests/support/object-store-faults.ts';
import { withSmallPartsObjectStore } from '../../../../tests/support/with-object-store.ts';
import type { BlobKey, BlobStore } from '../../src/service/ports/blob-store.ts';
import { contentHashOf, keepBytes, patterned, readBytes } from './support/blob-contents.ts';
import { type OpenedS3Blobs, openS3Blobs, testBucket } from './support/open-s3-blobs.ts';

const usualTimeouts = { attempts: 3 };
/** Only for stalled stores: a slow store would also hit this timeout. */
const impatient = { ...usualTimeouts, stallMs: 500 };
const always = 1000;
/** One request. */
const small = patterned(300_000);
/** Two parts. Other tests use the part size that stores require. */
const partBytes = 512 * 1024;
const large = patterned(600_001);

const slowDown = { kind: 'refused', status: 503, code: 'SlowDown' } as const;
const internalError = { kind: 'done_but_refused', status: 500, code: 'InternalError' } as const;

await withSmallPartsObjectStore('an object store that fails', (store) => {
  let faulty: FaultyObjectStore;
  let opened: OpenedS3Blobs;
  let usual: OpenedS3Blobs;
  /** The same objects, with a short stall timeout. */
  let hasty: BlobStore;
  let blobs: BlobStore;
  let smallKey: BlobKey;
  before(async () => {
    await store().createBucket(testBucket);
    faulty = await startFaultyObjectStore(store().endpoint);
    hasty = (await openS3Blobs(locationOf(), { timeouts: impatient, prefix: 'stoa', partBytes })).blobs;
    await openAt('stoa');
    usual = opened;
    smallKey = await keepBytes(blobs, 'ws_small', small);
  });
  after(() => faulty[Symbol.asyncDispose]());
  // Opening a store tests everything that it must do: once for all tests that need no prefix of their own.
  beforeEach(() => {
    faulty.clear();
    opened = usual;
    opened.forgetProblems();
    blobs = opened.blobs;
  });

  const locationOf = () => ({ ...store(), endpoint: faulty.endpoint });
  const openAt = async (prefix: string) => {
    opened = await openS3Blobs(locationOf(), { timeouts: usualTimeouts, prefix, partBytes });
    blobs = opened.blobs;
    faulty.clear();
  };

  const assertKept = async (bytes: Uint8Array) => {
    const key = await keepBytes(blobs, 'ws_faults', bytes);
    const found = await readBytes(blobs, key, 0, bytes.byteLength, bytes.byteLength);
    assert.ok(Buffer.from(found).equals(bytes));
    return key;
  };
  const seenCount = (operation: StoreOperation) => faulty.seen.filter((one) => one === operation).length;
  const left = async (workspaceId: string) =>
    (await Array.fromAsync(blobs.list(Number.MAX_SAFE_INTEGER)))
      .flat()
      .filter((blob) => blob.workspaceId === workspaceId);

  const passing: readonly (readonly [string, Fault])[] = [
    ['asks to slow down', slowDown],
    ['responds 500 although it did it', internalError],
    ['breaks the connection first', { kind: 'reset_before' }],
    ['breaks the connection once it did it', { kind: 'reset_after' }],
  ];
  for (const [what, fault] of passing) {
    it(`an upload survives a store that ${what}, at every step`, async () => {
      faulty.inject({ on: 'put', times: 1, fault });
      faulty.inject({ on: 'head', times: 1, fault });
      await assertKept(small);
      assert.equal(seenCount('put'), 2);
      faulty.clear();
      for (const on of ['begin', 'part', 'complete', 'copy', 'head'] as const) {
        faulty.inject({ on, times: 1, fault });
      }
      await assertKept(large);
      const steps = ['begin', 'part', 'complete', 'copy', 'head', 'remove'] as const;
      assert.deepEqual(steps.map(seenCount), [2, 3, 2, 2, 3, 1]);
      assert.deepEqual(opened.problems, []);
    });
  }

  it('an upload whose completion returns an error with a success status is completed on retry', async () => {
    faulty.inject({ on: 'complete', times: 1, fault: { kind: 'error_in_success', code: 'InternalError' } });
    await assertKept(large);
    assert.equal(seenCount('complete'), 2);
  });

  it('an upload is there when the store completed it and never managed to say so', async () => {
    faulty.inject({ on: 'complete', times: always, fault: internalError });
    await assertKept(large);
    assert.equal(seenCount('complete'), usualTimeouts.attempts);
  });

  it('bytes that change on their way into the store are not kept', async () => {
    for (const [on, bytes] of [
      ['put', small],
      ['part', large],
    ] as const) {
      faulty.inject({ on, times: always, fault: { kind: 'sent_flipped' } });
      await assert.rejects(keepBytes(blobs, 'ws_flipped', bytes), { code: 'overloaded' });
    }
    assert.deepEqual(await left('ws_flipped'), []);
  });

  it('an object of the wrong size is not kept', async () => {
    faulty.inject({ on: 'head', times: 1, fault: { kind: 'shortened', toBytes: small.byteLength - 1 } });
    await assert.rejects(
      keepBytes(blobs, 'ws_short', small),
      /an upload of 300000 bytes is an object of 299999/,
    );
    assert.deepEqual(await left('ws_short'), []);
  });

  it('an upload to a store that keeps failing is rejected after a few tries, without a trace', async () => {
    await openAt('failing');
    for (const [on, bytes] of [
      ['put', small],
      ['begin', large],
      ['part', large],
      ['complete', large],
    ] as const) {
      faulty.clear();
      faulty.inject({ on, times: always, fault: { ...slowDown, code: 'InternalError' } });
      await assert.rejects(keepBytes(blobs, 'ws_failing', bytes), { code: 'overloaded' });
      assert.equal(seenCount(on), usualTimeouts.attempts, on);
    }
    assert.ok(opened.problems.length >= 4);
    assert.deepEqual(await left('ws_failing'), []);
    assert.equal(await blobs.removeAbandonedUploads(Number.MAX_SAFE_INTEGER), 0);
  });

  for (const [on, fault, reason] of [
    ['put', { kind: 'refused', status: 403, code: 'AccessDenied' }, /access is denied: check AWS_/],
    [
      'begin',
      { kind: 'refused', status: 501, code: 'NotImplemented' },
      /the store responds 501 NotImplemented/,
    ],
    [
      'complete',
      { kind: 'refused', status: 400, code: 'InvalidRequest' },
      /the store responds 400 InvalidRequest/,
    ],
  ] as const) {
    it(`a store without "${on}" is detected at the start, and the check leaves no object`, async () => {
      const prefix = `refused-${on}`;
      const opening = () => openS3Blobs(locationOf(), { timeouts: usualTimeouts, prefix });
      faulty.inject({ on, times: always, fault });
      await assert.rejects(opening(), { message: reason });
      assert.equal(seenCount('abort'), on === 'complete' ? 1 : 0);
      faulty.clear();
      const { names, problems } = await opening();
      assert.deepEqual([await names(), problems], [[], []]);
    });
  }

  it('a store that is away when the server starts is waited for', async () => {
    const location = locationOf();
    const timeouts = { attempts: 1, startMs: 60_000 };
    faulty.inject({ on: 'head', times: 3, fault: { kind: 'reset_before' } });
    await openS3Blobs(location, { timeouts });
    assert.equal(seenCount('head'), 5);

    faulty.inject({ on: 'head', times: always, fault: { kind: 'reset_before' } });
    await assert.rejects(openS3Blobs(location, { timeouts: { attempts: 1, startMs: 300 } }), {
      message: /^The bucket .* cannot be used/,
    });
  });

  it('a full store is distinguished from a busy one', async () => {
    faulty.inject({ on: 'put', times: always, fault: { kind: 'refused', status: 507, code: 'Full' } });
    await assert.rejects(keepBytes(blobs, 'ws_full', small), { code: 'storage_full' });
  });

  it('a store that rejects access is not reported as busy: a retry would not help', async () => {
    for (const status of [401, 403]) {
      const fault: Fault = { kind: 'refused', status, code: 'AccessDenied' };
      faulty.inject({ on: 'put', times: always, fault });
      faulty.inject({ on: 'get', times: always, fault });
      const error = { code: 'storage_refused' };
      await assert.rejects(keepBytes(blobs, 'ws_refused', small), error);
      await assert.rejects(readBytes(blobs, smallKey, 0, 10, small.byteLength), error);
      faulty.clear();
    }
  });

  it('a request that never gets a response is given up', async () => {
    const hurried = { attempts: 2, responseMs: 1000, uploadMs: 1000, startMs: 60_000 };
    blobs = (await openS3Blobs(locationOf(), { timeouts: hurried })).blobs;
    faulty.clear();
    faulty.inject({ on: 'put', times: always, fault: { kind: 'silent' } });
    await assert.rejects(keepBytes(blobs, 'ws_silent', small), { code: 'overloaded' });
    faulty.inject({ on: 'get', times: always, fault: { kind: 'silent' } });
    await assert.rejects(readBytes(blobs, smallKey, 0, 10, small.byteLength), { code: 'overloaded' });
    assert.deepEqual([seenCount('put'), seenCount('get')], [hurried.attempts, hurried.attempts]);
  });

  it('an upload that could not be cleared up is left for the sweeper', async () => {
    await openAt('left');
    faulty.inject({ on: 'part', times: always, fault: internalError });
    faulty.inject({ on: 'abort', times: always, fault: slowDown });
    await assert.rejects(keepBytes(blobs, 'ws_left', large), { code: 'overloaded' });
    assert.ok(opened.problems.some(({ message }) => message.includes('left for the sweeper')));
    faulty.clear();
    assert.equal(await blobs.removeAbandonedUploads(0), 0);
    assert.equal(await blobs.removeAbandonedUploads(Number.MAX_SAFE_INTEGER), 1);
    assert.equal(await blobs.removeAbandonedUploads(Number.MAX_SAFE_INTEGER), 0);
  });

  const size = small.byteLength;
  const repaired: readonly (readonly [string, Fault])[] = [
    ['asks to slow down', slowDown],
    ['breaks the connection before the first byte', { kind: 'cut', atByte: 0 }],
    ['breaks the connection in the middle', { kind: 'cut', atByte: 123_456 }],
    ['breaks the connection before the last bytes', { kind: 'cut', atByte: size - 2 }],
    ['falls silent in the middle', { kind: 'stalled', atByte: 200_000 }],
    ['breaks the connection instead of responding', { kind: 'reset_after' }],
  ];
  for (const [what, fault] of repaired) {
    it(`a download continues when the store ${what}`, async () => {
      if (fault.kind === 'stalled') blobs = hasty;
      faulty.inject({ on: 'get', times: 2, fault });
      const whole = await readBytes(blobs, smallKey, 0, size, size);
      assert.ok(Buffer.from(whole).equals(small));
      faulty.inject({ on: 'get', times: 1, fault });
      const part = await readBytes(blobs, smallKey, 1, size, size);
      assert.ok(Buffer.from(part).equals(small.subarray(1)));
      assert.ok(seenCount('get') >= 4);
    });
  }

  for (const atByte of [0, 150_000, size - 1]) {
    it(`a download with byte ${atByte} changed never reaches its end`, async () => {
      faulty.inject({ on: 'get', times: 1, fault: { kind: 'flipped', atByte } });
      const stream = await blobs.open(smallKey, { start: 0, end: size, sizeBytes: size });
      let received = 0;
      const receiving = async () => {
        for await (const chunk of stream) received += chunk.byteLength;
      };
      await assert.rejects(receiving(), { code: 'stored_bytes_missing' });
      assert.ok(received < size);
    });
  }

  for (const [start, end, atByte] of [
    [5, size, 0],
    [200_000, 200_001, 3],
    [1, 2, size - 1],
  ] as const) {
    it(`a part of a download with byte ${atByte} changed never reaches its end`, async () => {
      faulty.inject({ on: 'get', times: 1, fault: { kind: 'flipped', atByte } });
      const stream = await blobs.open(smallKey, { start, end, sizeBytes: size });
      await assert.rejects(Array.fromAsync(stream), { code: 'stored_bytes_missing' });
    });
  }

  it('a range of a large object is read with the rest of its checksum blocks, and no more', async () => {
    const mebibyte = 1024 * 1024;
    const bytes = patterned(5 * mebibyte + 1);
    const key = await assertKept(bytes);
    const [start, end] = [3 * mebibyte - 1, 3 * mebibyte + 1];
    // Two mebibytes are read for these two bytes: their first byte and their last, and the one behind them.
    for (const [atByte, isRead] of [
      [0, true],
      [2 * mebibyte - 1, true],
      [2 * mebibyte, false],
    ] as const) {
      faulty.inject({ on: 'get', times: 1, fault: { kind: 'flipped', atByte } });
      const reading = readBytes(blobs, key, start, end, bytes.byteLength);
      if (isRead) await assert.rejects(reading, { code: 'stored_bytes_missing' });
      else assert.ok(Buffer.from(await reading).equals(bytes.subarray(start, end)));
    }
  });

  it('a 404 without an S3 error body is an error like any other', async () => {
    for (const [body, code] of [
      ['{"statusCode":404}', 'overloaded'],
      ['Not Found', 'overloaded'],
      ['<html><body>Not Found</body></html>', 'stored_bytes_missing'],
      ['', 'stored_bytes_missing'],
    ] as const) {
      faulty.inject({ on: 'get', times: 1, fault: { kind: 'foreign', status: 404, body } });
      const reading = readBytes(blobs, smallKey, 0, small.byteLength, small.byteLength);
      await assert.rejects(reading, { code }, body);
    }
  });

  it('a response of another length than the object is not served', async () => {
    const shortened: Fault = { kind: 'shortened', toBytes: 1000 };
    faulty.inject({ on: 'get', times: 2, fault: shortened });
    await assert.rejects(readBytes(blobs, smallKey, 0, size, size), { code: 'stored_bytes_missing' });
    await assert.rejects(readBytes(blobs, smallKey, 5, size, size), { code: 'stored_bytes_missing' });
  });

  it('a connection that breaks again and again fails the download', async () => {
    faulty.inject({ on: 'get', times: always, fault: { kind: 'cut', atByte: 100 } });
    await assert.rejects(readBytes(blobs, smallKey, 0, size, size), { code: 'overloaded' });
    assert.equal(seenCount('get'), 9);
    assert.equal(opened.problems.length, 1);
  });

  it('an object that goes away during a download fails it', async () => {
    const key = await assertKept(small);
    faulty.inject({ on: 'get', times: 1, fault: { kind: 'stalled', atByte: 100_000 } });
    const stream = await hasty.open(key, { start: 0, end: size, sizeBytes: size });
    await blobs.remove(key);
    await assert.rejects(Array.fromAsync(stream), { code: 'stored_bytes_missing' });
  });

  it('a download from a stalled store can be given up at once', async () => {
    const slow = await openS3Blobs(locationOf());
    faulty.clear();
    faulty.inject({ on: 'get', times: 1, fault: { kind: 'stalled', atByte: 100 } });
    const stream = await slow.blobs.open(smallKey, { start: 0, end: size, sizeBytes: size });
    const reader = stream.getReader();
    const waiting = reader.read();
    await reader.cancel();
    await waiting;
    assert.deepEqual([seenCount('get'), slow.problems], [1, []]);
  });

  it('a download is checked against the hash of its upload', async () => {
    await using upload = await blobs.beginUpload('ws_other-hash');
    await upload.write(small.slice());
    const contentHash = contentHashOf(large);
    const generation = await upload.finish({ contentHash, sizeBytes: size });
    const key = { workspaceId: 'ws_other-hash', contentHash, generation };
    await assert.rejects(readBytes(blobs, key, 0, size, size), { code: 'stored_bytes_missing' });
  });
});
