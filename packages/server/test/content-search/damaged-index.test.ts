import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { parseConfig } from '../../src/config/parse-config.ts';
import { createDeps, createOperatorDeps } from '../../src/create-deps.ts';
import { beforeEverything, DamagedIndexError } from '../../src/service/ports/content-index.ts';
import { openContentIndexFile } from '../../src/storage/content-index/content-index-file.ts';
import { removeDamagedIndex } from '../../src/storage/content-index/damaged-index.ts';

const location = { seq: 7, mark: 'then' };

/** An index that has followed a workspace. */
async function withIndex() {
  const dataDir = await mkdtemp(join(tmpdir(), 'stoa-damaged-'));
  const file = join(dataDir, 'content-index.db');
  // The port's type has the arguments that belong to a method.
  const ask = (method: 'advance' | 'place', given: unknown) => {
    using index = openContentIndexFile(file);
    return index[method](given as never);
  };
  const follow = () =>
    ask('advance', { workspaceId: 'w', from: beforeEverything, to: location, contents: [] });
  follow();
  const locationNow = () => ask('place', 'w');
  const remove = () => rm(dataDir, { recursive: true });
  return { dataDir, file, follow, placeNow: locationNow, [Symbol.asyncDispose]: remove };
}

for (const [name, damage] of [
  ['random bytes', (file: string) => writeFile(file, randomBytes(40_000))],
  ['half of it', async (file: string) => truncate(file, (await readFile(file)).length / 2)],
  ['its first bytes', (file: string) => truncate(file, 50)],
] as const) {
  test(`an index of which ${name} are there is rebuilt, and a whole one stays`, async () => {
    await using index = await withIndex();
    assert.equal(removeDamagedIndex(index.file), false);
    assert.deepEqual(index.placeNow(), location);
    await damage(index.file);
    assert.throws(() => index.placeNow());
    assert.equal(removeDamagedIndex(index.file), true);
    assert.deepEqual(index.placeNow(), beforeEverything);
    index.follow();
    assert.equal(removeDamagedIndex(index.file), false);
    assert.deepEqual(index.placeNow(), location);
  });
}

test('an index of an earlier release is rebuilt', async () => {
  await using index = await withIndex();
  {
    using database = new DatabaseSync(index.file);
    database.exec('drop table part_text; pragma user_version = 2');
  }
  assert.equal(removeDamagedIndex(index.file), false);
  assert.deepEqual(index.placeNow(), beforeEverything);
  index.follow();
  assert.deepEqual(index.placeNow(), location);
});

test('damage that only a query finds is repaired at the next start, which reports it', async () => {
  await using index = await withIndex();
  const bytes = await readFile(index.file);
  await writeFile(index.file, bytes.fill(0x5a, 4096));
  assert.equal(removeDamagedIndex(index.file), false);
  const config = parseConfig({ STOA_DATA_DIR: index.dataDir });
  const problems: string[] = [];
  const listeners = {
    onFatal: (cause: unknown) => {
      throw cause;
    },
    reportProblem: (message: string) => void problems.push(message),
  };
  {
    await using operator = await createOperatorDeps(config, listeners);
    await using contentIndex = await operator.openContentIndex();
    await assert.rejects(contentIndex.clear(null), DamagedIndexError);
  }
  await using deps = await createDeps(config, listeners);
  assert.match(problems.join(), /^the content index was damaged/);
  assert.deepEqual(await deps.service.contentIndex.place('w'), beforeEverything);
});
