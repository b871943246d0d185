import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { BlobKey, BlobStore } from '../../src/service/ports/blob-store.ts';
import { contentHashOf, keepBytes, patterned, readBytes } from './support/blob-contents.ts';

export interface OpenedBlobStore extends AsyncDisposable {
  readonly blobs: BlobStore;
}

const longAfterNow = Number.MAX_SAFE_INTEGER;

async function listAll(blobs: BlobStore, olderThan = longAfterNow): Promise<BlobKey[]> {
  return (await Array.fromAsync(blobs.list(olderThan))).flat();
}

/** Tests for every store of large contents. `open` returns an empty store. */
export function blobStoreSuite(name: string, open: () => Promise<OpenedBlobStore>): void {
  describe(name, () => {
    let opened: OpenedBlobStore;
    before(async () => {
      opened = await open();
    });
    after(async () => {
      await opened[Symbol.asyncDispose]();
    });

    it('bytes come back as they went in, whole and in part', async () => {
      const { blobs } = opened;
      for (const size of [0, 1, 65_537, 3_000_001]) {
        const bytes = patterned(size);
        const key = await keepBytes(blobs, 'ws_bytes', bytes);
        assert.deepEqual(await readBytes(blobs, key, 0, size, size), bytes);
        const [start, end] = [Math.floor(size / 3), Math.floor((size * 2) / 3)];
        assert.deepEqual(await readBytes(blobs, key, start, end, size), bytes.slice(start, end));
      }
    });

    it('the location id is the last one stored, and not listed as an object', async () => {
      await using location = await open();
      const { blobs } = location;
      for (const id of ['place_one', 'place_two']) {
        await blobs.keepPlaceId(id);
        assert.equal(await blobs.readPlaceId(), id);
      }
      const listed = await listAll(blobs);
      assert.ok(listed.every(({ workspaceId }) => workspaceId.startsWith('ws_')));
    });

    it('a reader may bring its own buffer, again and again', async () => {
      const { blobs } = opened;
      const size = 100_001;
      const bytes = patterned(size);
      const key = await keepBytes(blobs, 'ws_own-buffer', bytes);
      const stream = await blobs.open(key, { start: 1, end: size, sizeBytes: size });
      const reader = stream.getReader({ mode: 'byob' });
      const received: Uint8Array[] = [];
      let buffer = new ArrayBuffer(30_000);
      for (;;) {
        const { value, done } = await reader.read(new Uint8Array(buffer));
        if (done || value === undefined) break;
        received.push(value.slice());
        buffer = value.buffer;
      }
      assert.deepEqual(new Uint8Array(Buffer.concat(received)), bytes.slice(1));
      assert.ok(received.length >= 4);
    });

    it('an upload takes small and large chunks in any order', async () => {
      const { blobs } = opened;
      const bytes = patterned(5_000_000);
      const contentHash = contentHashOf(bytes);
      await using upload = await blobs.beginUpload('ws_pieces');
      let at = 0;
      for (const size of [1, 1_500_000, 65_536, 0, 900_000, 2_000_000]) {
        await upload.write(bytes.slice(at, at + size));
        at += size;
      }
      await upload.write(bytes.slice(at));
      const generation = await upload.finish({ contentHash, sizeBytes: bytes.byteLength });
      const key = { workspaceId: 'ws_pieces', contentHash, generation };
      const found = await readBytes(blobs, key, 0, bytes.byteLength, bytes.byteLength);
      assert.ok(Buffer.from(found).equals(bytes));
    });

    it('the same content stored twice is two objects, and removing one leaves the other', async () => {
      const { blobs } = opened;
      const bytes = patterned(1000);
      const [first, second] = await Promise.all([
        keepBytes(blobs, 'ws_twice', bytes),
        keepBytes(blobs, 'ws_twice', bytes),
      ]);
      assert.notEqual(first.generation, second.generation);
      await blobs.remove(first);
      await blobs.remove(first);
      await assert.rejects(readBytes(blobs, first, 0, 1000, 1000), { code: 'stored_bytes_missing' });
      assert.deepEqual(await readBytes(blobs, second, 0, 1000, 1000), bytes);
    });

    it('an object of another size than its row says is not served', async () => {
      const { blobs } = opened;
      const key = await keepBytes(blobs, 'ws_size', patterned(1000));
      await assert.rejects(readBytes(blobs, key, 0, 1001, 1001), { code: 'stored_bytes_missing' });
      await assert.rejects(readBytes(blobs, key, 0, 10, 999), { code: 'stored_bytes_missing' });
    });

    it('an interrupted upload leaves no object', async () => {
      const { blobs } = opened;
      const upload = await blobs.beginUpload('ws_interrupted');
      await upload.write(patterned(200_000));
      await upload[Symbol.asyncDispose]();
      await upload[Symbol.asyncDispose]();
      await assert.rejects(upload.write(patterned(1)));
      const keys = await listAll(blobs);
      assert.deepEqual(
        keys.filter(({ workspaceId }) => workspaceId === 'ws_interrupted'),
        [],
      );
      assert.equal(await blobs.removeAbandonedUploads(longAfterNow), 0);
    });

    it('an upload that lost bytes on the way is not kept', async () => {
      const { blobs } = opened;
      await using upload = await blobs.beginUpload('ws_short');
      await upload.write(patterned(100));
      await assert.rejects(upload.finish({ contentHash: contentHashOf(patterned(101)), sizeBytes: 101 }));
      assert.ok(!(await listAll(blobs)).some(({ workspaceId }) => workspaceId === 'ws_short'));
    });

    it('a download that is given up ends quietly', async () => {
      const { blobs } = opened;
      const size = 2_000_000;
      const key = await keepBytes(blobs, 'ws_given-up', patterned(size));
      const stream = await blobs.open(key, { start: 0, end: size, sizeBytes: size });
      for await (const _ of stream) break;
      assert.equal(stream.locked, false);
    });

    it('many uploads at once into new folders all arrive', async () => {
      const { blobs } = opened;
      const keys = await Promise.all(
        Array.from({ length: 20 }, (_, i) => keepBytes(blobs, `ws_many-${i % 3}`, patterned(i * 1000))),
      );
      for (const [i, key] of keys.entries()) {
        assert.deepEqual(await readBytes(blobs, key, 0, i * 1000, i * 1000), patterned(i * 1000));
      }
    });

    it('the list names every object with the hash of its bytes, and none that is too new', async () => {
      const { blobs } = opened;
      const key = await keepBytes(blobs, 'ws_listed', patterned(10));
      const listed = (await listAll(blobs)).filter(({ workspaceId }) => workspaceId === 'ws_listed');
      assert.deepEqual(listed, [key]);
      assert.deepEqual(await listAll(blobs, 0), []);
    });

    it('the list of one workspace names its objects alone', async () => {
      const { blobs } = opened;
      const key = await keepBytes(blobs, 'ws_one', patterned(10));
      await keepBytes(blobs, 'ws_one-more', patterned(10));
      assert.deepEqual((await Array.fromAsync(blobs.list(longAfterNow, 'ws_one'))).flat(), [key]);
      for (const unknown of ['ws_none', 'no/id', '']) {
        assert.deepEqual(await Array.fromAsync(blobs.list(longAfterNow, unknown)), []);
      }
    });

    it('listed objects can be removed', async () => {
      const { blobs } = opened;
      const key = await keepBytes(blobs, 'ws_swept', patterned(10));
      const other = await keepBytes(blobs, 'ws_swept', patterned(20));
      for (const listed of await listAll(blobs)) {
        if (listed.generation === key.generation) await blobs.remove(listed);
      }
      await assert.rejects(readBytes(blobs, key, 0, 10, 10), { code: 'stored_bytes_missing' });
      assert.deepEqual(await readBytes(blobs, other, 0, 20, 20), patterned(20));
    });
  });
}
