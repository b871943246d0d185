import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { parseConfig } from '../../src/config/parse-config.ts';
import { createDeps, createOperatorDeps } from '../../src/create-deps.ts';
import { DamagedIndexError, type IndexEntries } from '../../src/service/ports/word-index.ts';
import { removeDamagedIndex } from '../../src/storage/word-index/damaged-index.ts';
import { openWordIndexFile } from '../../src/storage/word-index/word-index-file.ts';

/** An index with one text. */
async function withIndex() {
  const dataDir = await mkdtemp(join(tmpdir(), 'stoa-damaged-'));
  const file = join(dataDir, 'content-index.db');
  // The port's type has the arguments that belong to a method.
  const ask = (method: 'add' | 'entries', ...given: readonly unknown[]) => {
    using index = openWordIndexFile(file);
    return index[method](...(given as never[]));
  };
  const add = () => {
    ask('add', 'w', [{ part: '', contentHash: 'a', bytes: new TextEncoder().encode('a falcon') }]);
  };
  add();
  const count = () => (ask('entries', 'w', 0) as IndexEntries).entries.length;
  const remove = () => rm(dataDir, { recursive: true });
  return { dataDir, file, add, count, [Symbol.asyncDispose]: remove };
}

for (const [name, damage] of [
  ['random bytes', (file: string) => writeFile(file, randomBytes(40_000))],
  ['half of it', async (file: string) => truncate(file, (await readFile(file)).length / 2)],
  ['its first bytes', (file: string) => truncate(file, 50)],
] as const) {
  test(`an index of which ${name} are there is rebuilt, and a whole one stays`, async () => {
    await using index = await withIndex();
    assert.equal(removeDamagedIndex(index.file), false);
    assert.equal(index.count(), 1);
    await damage(index.file);
    assert.throws(() => index.count());
    assert.equal(removeDamagedIndex(index.file), true);
    assert.equal(index.count(), 0);
    index.add();
    assert.equal(removeDamagedIndex(index.file), false);
    assert.equal(index.count(), 1);
  });
}

test('an index of an earlier release is rebuilt', async () => {
  await using index = await withIndex();
  {
    using database = new DatabaseSync(index.file);
    database.exec('drop table word_list; create table part_text (id integer); pragma user_version = 3');
  }
  assert.equal(removeDamagedIndex(index.file), false);
  assert.equal(index.count(), 0);
  index.add();
  assert.equal(index.count(), 1);
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
    await using wordIndex = await operator.openWordIndex();
    await assert.rejects(wordIndex.clear(null), DamagedIndexError);
  }
  await using deps = await createDeps(config, listeners);
  assert.match(problems.join(), /^the content index was damaged/);
  assert.deepEqual((await deps.service.wordIndex.entries('w', 0)).entries, []);
});
