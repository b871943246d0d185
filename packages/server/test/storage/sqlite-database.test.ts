import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import type { Migration } from '../../src/storage/schema/migration.ts';
import { migrations } from '../../src/storage/schema/migrations.ts';
import { migrate } from '../../src/storage/sqlite/migrate.ts';
import { openConnection } from '../../src/storage/sqlite/open-connection.ts';
import { openTemporaryStore } from './support/open-temporary-store.ts';
import { createStoreDriver, path } from './support/store-driver.ts';
import { appendScript, waitingScript } from './support/store-scripts.ts';

describe('SQLite database', () => {
  it('a database that cannot be durable is rejected with a message', () => {
    assert.throws(() => openConnection(':memory:', 'write'), /cannot be written durably.*local file system/);
  });

  it('a file that is not a database is rejected by name', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stoa-no-database-'));
    const file = join(folder, 'stoa.db');
    await writeFile(file, 'text '.repeat(1000));
    await assert.rejects(openTemporaryStore(folder), (error: Error) => {
      assert.equal(
        error.message,
        `The database ${file} cannot be used: SQLite says "file is not a database".`,
      );
      return true;
    });
    await rm(folder, { recursive: true });
  });

  it('committed changes are there when the store is opened again', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stoa-reopen-'));
    const first = await openTemporaryStore(folder);
    const { workspaceId } = await createStoreDriver(first.store);
    await first.store.transact(appendScript, { workspaceId, path: 'a' });
    await first[Symbol.asyncDispose]();
    const second = await openTemporaryStore(folder);
    assert.equal(await second.store.reader.changes.head(workspaceId), 1);
    await second[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  it('two stores on one file see each other and share the numbers', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stoa-beside-'));
    const server = await openTemporaryStore(folder);
    const operator = await openTemporaryStore(folder);
    const { workspaceId } = await createStoreDriver(server.store);
    const seqs = await Promise.all(
      [server, operator].flatMap(({ store }) =>
        Array.from({ length: 200 }, () => store.transact(appendScript, { workspaceId, path: 'a' })),
      ),
    );
    assert.deepEqual(
      seqs.toSorted((a, b) => a - b),
      Array.from({ length: 400 }, (_, i) => i + 1),
    );
    assert.equal(await operator.store.reader.changes.head(workspaceId), 400);
    await server[Symbol.asyncDispose]();
    await operator[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  it('a read after a snapshot is at least as new, also within one tick', async () => {
    await using opened = await openTemporaryStore();
    const { workspaceId } = await createStoreDriver(opened.store);
    const { reader } = opened.store;
    using other = new DatabaseSync(opened.file);
    // Promises that are settled already continue in the same tick.
    assert.equal(await reader.changes.head(workspaceId), 0);
    other.prepare('update workspace_counter set seq = 7 where workspace_id = ?').run(workspaceId);
    assert.equal(await reader.changes.head(workspaceId), 0);
    assert.equal(await opened.store.snapshot(({ changes }) => changes.head(workspaceId)), 7);
    assert.equal(await reader.changes.head(workspaceId), 7);
  });

  it('a change waits for another process that has locked the database', async () => {
    await using opened = await openTemporaryStore();
    const { workspaceId } = await createStoreDriver(opened.store);
    const other = new DatabaseSync(opened.file);
    other.exec('begin immediate');
    let responded = false;
    const change = opened.store.transact(appendScript, { workspaceId, path: 'a' }).then(() => {
      responded = true;
    });
    for (let slot = 0; slot < 100; slot += 1) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(responded, false);
    other.exec('rollback');
    other.close();
    await change;
    assert.equal(await opened.store.reader.changes.head(workspaceId), 1);
  });

  it('a failed writer is reported once, and nothing is accepted after it', async () => {
    const opened = await openTemporaryStore();
    const { workspaceId } = await createStoreDriver(opened.store);
    const waiting = opened.store.transact(waitingScript, null);
    const neighbour = opened.store.transact(appendScript, { workspaceId, path: 'a' });
    await assert.rejects(waiting, /awaited something other than its transaction/);
    await assert.rejects(neighbour);
    await assert.rejects(opened.store.transact(appendScript, { workspaceId, path: 'a' }));
    assert.equal(opened.fatalErrors.length, 1);
    assert.equal(await opened.store.reader.changes.head(workspaceId), 0);
    await opened[Symbol.asyncDispose]();
  });

  it('a commit waits until its log is on the disk', async () => {
    await using opened = await openTemporaryStore();
    for (const access of ['read', 'write'] as const) {
      using db = openConnection(opened.file, access);
      assert.equal(db.prepare('pragma journal_mode').get()?.journal_mode, 'wal');
      // FULL: with NORMAL the log is flushed when it is copied back.
      assert.equal(db.prepare('pragma synchronous').get()?.synchronous, 2);
    }
  });

  it('a reading connection cannot write', async () => {
    await using opened = await openTemporaryStore();
    const db = openConnection(opened.file, 'read');
    assert.throws(() => db.exec('delete from workspace'), /readonly/);
    db.close();
  });

  it('a write is not delayed by a long read', async () => {
    await using opened = await openTemporaryStore();
    const driver = await createStoreDriver(opened.store);
    await opened.store.snapshot(async (reader) => {
      assert.equal(await reader.files.find(driver.workspaceId, path('a')), null);
      await driver.putFile(path('a'));
      assert.equal(await reader.files.find(driver.workspaceId, path('a')), null);
    });
  });
});

describe('migrations', () => {
  const step = (number: number, ...statements: string[]): Migration => ({
    number,
    name: `step ${number}`,
    statements: () => statements,
  });
  const withDatabase = async (test: (db: DatabaseSync) => void) => {
    const folder = await mkdtemp(join(tmpdir(), 'stoa-schema-'));
    const db = openConnection(join(folder, 'stoa.db'), 'write');
    test(db);
    db.close();
    await rm(folder, { recursive: true });
  };
  const tables = (db: DatabaseSync) =>
    db
      .prepare("select name from sqlite_schema where type = 'table' and name <> 'schema_migration'")
      .all()
      .map(({ name }) => name);

  it('each migration runs once', async () => {
    await withDatabase((db) => {
      const first = step(1, 'create table one (x integer)');
      migrate(db, [first]);
      migrate(db, [first, step(2, 'create table two (x integer)')]);
      assert.deepEqual(tables(db), ['one', 'two']);
    });
  });

  it('a file that is removed becomes a former file of its path', async () => {
    await withDatabase((db) => {
      migrate(db);
      db.exec(`insert into file (workspace_id, path, incarnation, version, size_bytes, content_type, content_hash)
        values ('ws', 'removed', 5, 1, 1, 't', 'h'), ('ws', 'stays', 7, 1, 1, 't', 'h')`);
      db.exec(`delete from file where path = 'removed'`);
      const former = db.prepare('select path, incarnation from former_incarnation').all();
      assert.deepEqual(
        former.map((row) => ({ ...row })),
        [{ path: 'removed', incarnation: 5 }],
      );
    });
  });

  it('a database that got the first schema in smaller steps needs only the later ones', async () => {
    await withDatabase((db) => {
      const base: Migration = { ...step(3, 'create table one (x integer)'), formerName: 'last small step' };
      migrate(db, [step(1), step(2), { ...step(3), name: 'last small step' }]);
      migrate(db, [base, step(4, 'create table two (x integer)')]);
      assert.deepEqual(tables(db), ['two']);
    });
  });

  it('a database from before the first schema is rejected', async () => {
    await withDatabase((db) => {
      migrate(db, [step(1), step(2)]);
      assert.throws(() => migrate(db, [step(3), step(4)]), /no release.*step 2 is "step 2"/);
      assert.deepEqual(tables(db), []);
    });
  });

  it('rows from before the migration get the owner of their record', async () => {
    await withDatabase((db) => {
      const step = migrations.findIndex(({ name }) => name === 'record owner');
      migrate(db, migrations.slice(0, step));
      for (const [at, path] of ['a/b/c', 'a/b c', 'a/d', 'shared'].entries()) {
        db.exec(`insert into file values ('ws', '${path}', ${at}, 1, 1, 't', 'h');
          insert into node_icon values ('ws', '${path}', 'icon');
          insert into node_order values ('ws', '${path}', 1)`);
      }
      db.exec(
        `insert into node_privacy values ('ws', 'a', 'folder', 'us_a', 0), ('ws', 'a/d', 'file', 'us_b', 0)`,
      );
      migrate(db);
      for (const table of ['file', 'node_icon', 'node_order']) {
        const rows = db.prepare(`select path, record_owner from ${table} order by path`).all();
        assert.deepEqual(
          rows.map((row) => Object.values(row).join(' ')),
          ['a/b c ', 'a/b/c ', 'a/d us_b', 'shared '],
          table,
        );
      }
    });
  });

  it('a failed migration is rolled back', async () => {
    await withDatabase((db) => {
      const broken = step(2, 'create table two (x integer)', 'not sql');
      assert.throws(() => migrate(db, [step(1, 'create table one (x integer)'), broken]));
      assert.deepEqual(tables(db), []);
      migrate(db, [step(1, 'create table one (x integer)')]);
      assert.deepEqual(tables(db), ['one']);
    });
  });

  it('a database of a newer program is rejected', async () => {
    await withDatabase((db) => {
      migrate(db, [step(1), step(2)]);
      assert.throws(() => migrate(db, [step(1)]), /schema 2.*knows only up to 1.*newer version/);
    });
  });

  it('a database whose migrations are not those of this program is rejected', async () => {
    await withDatabase((db) => {
      const foundation: Migration = { number: 1, name: 'foundation', statements: () => [] };
      migrate(db, [foundation, step(2)]);
      assert.throws(() => migrate(db, [step(1)]), /no release.*step 1 is "foundation"/);
      assert.throws(() => migrate(db, [step(1), step(2), step(3)]), /no release/);
    });
  });
});
