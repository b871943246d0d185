import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { type Random, scaled, seededRandom, seedFrom } from '../../../../tests/support/random.ts';
import type { BlobKey, BlobStore } from '../../src/service/ports/blob-store.ts';
import { openDiskBlobStore } from '../../src/storage/blobs/disk/open-disk-blob-store.ts';
import { orphanGraceMs, sweepBlobs } from '../../src/storage/blobs/sweep-blobs.ts';
import { openTemporaryStore } from './support/open-temporary-store.ts';
import { createStoreDriver, hashOf } from './support/store-driver.ts';

const writers = 8;
const roundsOfEach = 12;
/** Each hash is uploaded a few times, sometimes concurrently. */
const hashes = Array.from({ length: 32 }, (_, n) => hashOf(String(n).padStart(2, '0')));
const sizeBytes = 10;
const hourMs = 60 * 60 * 1000;

/** A store that takes the age of its objects from a clock that the test moves. */
function agedBlobs(blobs: BlobStore, now: () => number) {
  const keptAt = new Map<string, number>();
  const aged: BlobStore = {
    ...blobs,
    async beginUpload(workspaceId) {
      const upload = await blobs.beginUpload(workspaceId);
      return {
        write: (chunk) => upload.write(chunk),
        async finish(content) {
          const generation = await upload.finish(content);
          keptAt.set(generation, now());
          return generation;
        },
        [Symbol.asyncDispose]: () => upload[Symbol.asyncDispose](),
      };
    },
    async *list(olderThan) {
      for await (const page of blobs.list(Number.MAX_SAFE_INTEGER)) {
        const old = page.filter(({ generation }) => (keptAt.get(generation) ?? Infinity) < olderThan);
        // One key a page, so that much happens between listing and removal.
        for (const key of old) yield [key];
      }
    },
    // Uploads in progress have the age that the disk reports.
    removeAbandonedUploads: async () => 0,
  };
  return aged;
}

const generationsOf = async (blobs: BlobStore): Promise<readonly string[]> => {
  const pages: (readonly BlobKey[])[] = await Array.fromAsync(blobs.list(Number.MAX_SAFE_INTEGER));
  return pages.flat().map(({ generation }) => generation);
};

test('sweepers that race uploads of the same bytes remove no object that a row names, and leave no orphan', async (t) => {
  const seed = seedFrom('STOA_SWEEP_SEED');
  const rounds = scaled(1);
  t.diagnostic(`STOA_SWEEP_SEED=${seed}, ${rounds} rounds`);
  for (let round = 0; round < rounds; round += 1) await race(seededRandom(seed + round));
});

async function race(random: Random): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'stoa-sweep-'));
  await using database = await openTemporaryStore();
  try {
    const { store } = database;
    const driver = await createStoreDriver(store);
    const { workspaceId } = driver;
    let [now, sweeps] = [1_800_000_000_000, 0];
    const blobs = agedBlobs(await openDiskBlobStore({ directory, onFatal: assert.fail }), () => now);
    let writing = writers;
    /** End times of uploads whose row is not committed yet. */
    const awaited = new Map<string, number>();
    /** Lets a few sweeps go by: hours, and never a day. */
    const pass = async () => {
      for (const until = sweeps + random.below(4); sweeps < until; ) await turn();
    };
    const write = async () => {
      using _ending = {
        [Symbol.dispose]() {
          writing -= 1;
        },
      };
      for (let done = 0; done < roundsOfEach; done += 1) {
        const contentHash = random.pick(hashes);
        await using upload = await blobs.beginUpload(workspaceId);
        await upload.write(new Uint8Array(sizeBytes));
        const generation = await upload.finish({ contentHash, sizeBytes });
        awaited.set(generation, now);
        await pass();
        // As a process does that ends before its commit.
        const isCutOff = random.below(3) === 0;
        if (isCutOff) awaited.delete(generation);
        if (isCutOff) continue;
        const location = { kind: 'stored', generation } as const;
        await driver.run(['keepBlob', { workspaceId, contentHash, sizeBytes, location, createdAt: now }]);
        awaited.delete(generation);
        const kept = await store.reader.blobs.locate(workspaceId, contentHash);
        const isKept = kept?.kind === 'stored' && kept.generation === generation;
        if (!isKept && random.below(2) === 0) await blobs.remove({ workspaceId, contentHash, generation });
        await pass();
      }
    };
    const sweep = async () => {
      while (writing > 0) {
        await sweepBlobs({ store, blobs, clock: () => now });
        sweeps += 1;
        // However long a commit waits for a slow disk: by the clock it comes within the day of grace.
        const oldest = Math.min(now, ...awaited.values());
        if (now - oldest < orphanGraceMs - 4 * hourMs) now += 2 * hourMs;
      }
    };
    await Promise.all([...Array.from({ length: writers }, write), sweep(), sweep()]);

    const named: string[] = [];
    for (const contentHash of hashes) {
      const location = await store.reader.blobs.locate(workspaceId, contentHash);
      if (location?.kind === 'stored') named.push(location.generation);
    }
    const there = await generationsOf(blobs);
    assert.deepEqual(
      named.filter((generation) => !there.includes(generation)),
      [],
    );
    now += 2 * orphanGraceMs;
    await Promise.all([1, 2].map(() => sweepBlobs({ store, blobs, clock: () => now })));
    assert.deepEqual((await generationsOf(blobs)).toSorted(), named.toSorted());
  } finally {
    await rm(directory, { recursive: true });
  }
}
