import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { operator, operatorRun } from '../support/operator.ts';
import { makeServiceHome } from '../support/service-home.ts';
import { startService } from '../support/service-process.ts';

test('without an installation only prune and the creation of a first account work', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-no-installation-'));
  try {
    await using home = await makeServiceHome('sqlite-disk');
    await using service = await startService({}, { home });
    const backups = join(folder, 'backups');
    for (const _ of ['an old one', 'the newest']) await operator(service, 'backup', backups);
    const dataDir = join(folder, 'forgotten');
    const forgotten = { env: { ...service.env, STOA_DATA_DIR: dataDir } };
    for (const words of [
      ['check'],
      ['backup', join(folder, 'of-nothing')],
      ['repair', '--from', backups],
      ['user', 'list'],
      ['audit'],
    ]) {
      const { code, stdout, stderr } = await operatorRun(forgotten, ...words);
      assert.deepEqual([code, stdout], [1, ''], words.join(' '));
      assert.match(stderr, new RegExp(`^There is no installation in ${dataDir}: .*STOA_DATA_DIR`));
    }
    const pruned = await operator(forgotten, 'backup', 'prune', backups, '--keep-last', '1');
    assert.match(pruned, /^Removed 1 backup/m);
    assert.deepEqual([existsSync(dataDir), existsSync(join(folder, 'of-nothing'))], [false, false]);
    const made = await operator(forgotten, 'user', 'create', '--email', 'ada@example.com', '--name', 'Ada');
    assert.match(made, /^Created the account/);
    assert.match(await operator(forgotten, 'check'), /Nothing is wrong/);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('an empty database of PostgreSQL is not an installation, and stays empty', async () => {
  await using home = await makeServiceHome('postgres-disk');
  const empty = { env: { ...home.variables } };
  const { pathname, password } = new URL(home.variables.STOA_DATABASE_URL ?? '');
  for (const words of [['check'], ['user', 'list'], ['repair']]) {
    const { code, stdout, stderr } = await operatorRun(empty, ...words);
    assert.deepEqual([code, stdout], [1, ''], words.join(' '));
    assert.match(
      stderr,
      new RegExp(`^There is no installation in postgres:.*${pathname}: .*STOA_DATABASE_URL`),
    );
    assert.ok(password === '' || !stderr.includes(password));
  }
  // This statement makes the table, so it would fail if the table existed.
  await home.changeRows('create table schema_migration (number bigint); drop table schema_migration');
  const made = await operator(empty, 'user', 'create', '--email', 'ada@example.com', '--name', 'Ada');
  assert.match(made, /^Created the account/);
  assert.match(await operator(empty, 'check'), /Nothing is wrong/);
});
