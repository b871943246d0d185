import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { Reader } from '../../src/service/ports/reader.ts';
import { createSnapshotPool } from '../../src/storage/sqlite/snapshot-pool.ts';

test('of the connections for long reads the one that was opened first is taken first', async () => {
  const readers: Reader[] = [];
  const pool = createSnapshotPool((opened) => {
    const reader = { opened } as unknown as Reader;
    readers.push(reader);
    return { db: new DatabaseSync(':memory:'), reader };
  });
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
