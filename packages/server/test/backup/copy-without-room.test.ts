import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { mountSmallDisk } from '../../../../tests/support/small-disk.ts';
import { makeBackup } from '../../src/backup/make-backup.ts';
import { sqliteSource } from './support/sqlite-source.ts';

test('a copy of the database that runs out of room leaves no file, not even its journal', async (t) => {
  const disk = await mountSmallDisk(4096);
  if ('reason' in disk) return t.skip(disk.reason);
  const dataDir = await mkdtemp(join(tmpdir(), 'stoa-copied-'));
  try {
    {
      // More than a connection keeps in memory.
      using database = new DatabaseSync(join(dataDir, 'stoa.db'));
      database.exec(`create table bytes (b blob);
        with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 80)
        insert into bytes select randomblob(100000) from numbers`);
    }
    const directory = join(disk.folder, 'backups');
    await assert.rejects(
      makeBackup(await sqliteSource(dataDir), directory, { readKept: false }, () => {}),
      {
        name: 'NoRoom',
      },
    );
    assert.deepEqual((await readdir(directory)).toSorted(), ['.lock', 'backups', 'objects']);
  } finally {
    await rm(dataDir, { recursive: true });
  }
});
