import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { Reader } from '../../src/service/ports/reader.ts';
import { createSnapshotPool } from '../../src/storage/sqlite/snapshot-pool.ts';

test('long reads use the connection that was opened first', async () => {
  const readers: Reader[] = [];
  const open = (opened: number) => {
    const reader = { opened } as unknown as Reader;
    readers.push(reader);
    return { db: new DatabaseSync(':memory:'), reader };
  };
  const pool = createSnapshotPool(open, () => 'ada');
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const reads = [
    pool.read(async () => first.promise),
    pool.read(async () => second.promise),
    pool.read(async () => {}),
  ];
  await reads[2];
  first.resolve();
  await reads[0];
  second.resolve();
  await reads[1];
  assert.deepEqual(readers, [{ opened: 0 }, { opened: 1 }, { opened: 2 }]);
  // They came back as the third, the first and the second.
  assert.equal(await pool.read(async (reader) => reader), readers[0]);
  assert.equal(await pool.read(() => pool.read(async (other) => other)), readers[1]);
  await pool.close();
});

test('however many long reads one caller waits for, another is served at once', async () => {
  let party = 'eve';
  const pool = createSnapshotPool(
    () => ({ db: new DatabaseSync(':memory:'), reader: {} as unknown as Reader }),
    () => party,
  );
  const release = Promise.withResolvers<void>();
  const started: string[] = [];
  const read = (name: string, until?: Promise<void>) =>
    pool.read(async () => {
      started.push(name);
      await until;
    });
  const evesReads = Array.from({ length: 64 }, () => read('eve', release.promise));
  party = 'ada';
  await read('ada');
  await read('ada');
  const evesStarted = started.filter((name) => name === 'eve').length;
  assert.ok(evesStarted > 1 && evesStarted < 8, `${evesStarted}`);
  release.resolve();
  await Promise.all(evesReads);
  assert.equal(started.length, 66);
  await pool.close();
});
