import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findTestFiles, planRing, rings } from '../../scripts/testing/plan-rounds.ts';

const planned = (await Promise.all(rings.map(planRing))).flat();
const filesOn = (backEnd: string) =>
  planned
    .filter((round) => round.backEnd === backEnd)
    .flatMap(({ files, inParallel }) => [...files, ...inParallel]);

test('each test file runs once on SQLite, in one of the rings', async () => {
  assert.deepEqual(filesOn('sqlite-disk').sort(), await findTestFiles());
});

test('conformance runs once on PostgreSQL, and no test runs twice on a back end', async () => {
  const files = filesOn('postgres-disk');
  assert.deepEqual(
    files.filter((file) => file.startsWith('tests/conformance/')).sort(),
    await findTestFiles(['tests/conformance/*.test.ts']),
  );
  for (const backEnd of ['postgres-disk', 'postgres-s3']) {
    assert.equal(new Set(filesOn(backEnd)).size, filesOn(backEnd).length, backEnd);
  }
});
