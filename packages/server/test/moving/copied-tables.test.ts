import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type PostgresServer, startPostgres } from '../../../../tests/support/postgres.ts';
import { parseConfig } from '../../src/config/parse-config.ts';
import { createDeps, holdDatabase } from '../../src/create-deps.ts';
import { ownTables, transferredTables } from '../../src/moving/copied-tables.ts';
import { readMarks } from '../../src/start/move-marks.ts';
import { openPostgresTestStore } from '../storage/support/open-postgres-test-store.ts';
import {
  admin,
  changeRows,
  homesFolder,
  listeners,
  rowsOf,
  type Settings,
  startProblem,
} from './support/moved-home.ts';

describe('a move to and from PostgreSQL', () => {
  let server: PostgresServer;
  let homes: Awaited<ReturnType<typeof homesFolder>>;
  before(async () => {
    server = await startPostgres();
    homes = await homesFolder();
  });
  after(async () => {
    await homes[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });
  const onPostgres = async (name: string): Promise<Settings> => ({
    ...homes.empty(name),
    STOA_DATABASE_URL: await server.createDatabase(),
  });
  const run = (settings: Settings, sql: string) =>
    server.run(new URL(settings.STOA_DATABASE_URL ?? '').pathname.slice(1), sql);

  test('transfers every table of both schemas by column, except those of one database only', async () => {
    const settings = await onPostgres('schemas');
    await using sqlite = await holdDatabase(parseConfig(await homes.filled('schemas')), 'filled');
    await using postgres = await holdDatabase(parseConfig(settings), 'any');
    const transferred = transferredTables(sqlite, postgres);
    for (const { tables } of [sqlite, postgres]) {
      for (const { name, columns } of tables) {
        const isNamed = transferred.some((table) => table.name === name) !== Object.hasOwn(ownTables, name);
        assert.ok(isNamed, `${name} is carried, or else it is named in ownTables with the reason`);
        if (Object.hasOwn(ownTables, name)) continue;
        for (const column of columns) {
          assert.ok(column.type !== null, `${name}.${column.name} has a type of both databases`);
          assert.ok(!column.isMade, `${name}.${column.name} is not counted by the database`);
        }
      }
    }
    const names = new Set([...sqlite.tables, ...postgres.tables].map(({ name }) => name));
    assert.deepEqual(
      Object.keys(ownTables).filter((name) => !names.has(name)),
      [],
    );
    // Each side reads by its own index. Referenced rows come before the rows that refer to them.
    assert.deepEqual(transferred.find(({ name }) => name === 'file')?.key, {
      source: ['workspace_id', 'path'],
      target: ['workspace_id', 'incarnation'],
    });
    const at = (wanted: string) => transferred.findIndex(({ name }) => name === wanted);
    assert.ok(at('user') < at('session') && at('workspace') < at('member'));
    assert.ok(at('comment_thread') < at('comment_entry'));
    // A move from PostgreSQL to PostgreSQL needs no index tables of another database.
    assert.equal(transferredTables(postgres, postgres).length, transferred.length);
  });

  test('keeps each number, flag, text and byte there and back, and what later migrations add', async () => {
    const from = await homes.filled('from');
    const later = 'alter table workspace add column later text';
    changeRows(from, later);
    changeRows(
      from,
      `update workspace set later = 'été 😀'; update api_key set expires_at = 9007199254740991;
        insert into server_secret (name, value, created_at) values ('of a later version', 'kept', 1)`,
    );
    const there = await onPostgres('there');
    {
      await using made = await holdDatabase(parseConfig(there), 'any');
      assert.ok(made);
    }
    await run(there, later);
    const moved = await admin(from, 'move-to', await homes.file('there', there), '--json');
    assert.equal(moved.code, 0, moved.err);
    assert.ok(!moved.out.includes(new URL(there.STOA_DATABASE_URL ?? '').password));
    const back = homes.empty('back');
    {
      await using made = await holdDatabase(parseConfig(from), 'filled');
      assert.equal((await readMarks(made.reader.secrets)).left?.isDone, true);
    }
    {
      // The later column must exist there also.
      const fresh = await homes.filled('back');
      changeRows(
        fresh,
        // Audit rows can only be deleted once the retention is past them.
        `${later}; insert or replace into audit_retention (id, forgotten_before) values (1, ${Number.MAX_SAFE_INTEGER})`,
      );
      for (const { name } of rowsOf(fresh, `select name from sqlite_schema where type = 'table'`)) {
        const isKept = ['schema_migration', 'access_epoch'].includes(String(name));
        if (!isKept) changeRows(fresh, `pragma foreign_keys = off; delete from "${name}"`);
      }
      await homes.clearContents(fresh);
    }
    const returned = await admin(there, 'move-to', await homes.file('back', back), '--json');
    assert.equal(returned.code, 0, returned.err);
    const { audit_entry: reportedThere, ...tablesThere } = JSON.parse(moved.out).tables;
    const { audit_entry: reportedBack, ...tablesBack } = JSON.parse(returned.out).tables;
    assert.deepEqual(tablesBack, tablesThere);
    // Each move adds its own audit row.
    assert.equal(reportedBack.rows, reportedThere.rows + 1);
    const facts = 'select later, (select max(expires_at) from api_key) as ends from workspace';
    assert.deepEqual(rowsOf(back, facts), rowsOf(from, facts));
    const secret = `select value from server_secret where name = 'of a later version'`;
    assert.deepEqual(rowsOf(back, secret), rowsOf(from, secret));
  });

  test('does not move shared large contents, and then the source cannot sweep them', async () => {
    const from = await homes.filled('stay');
    const there = { ...from, STOA_DATABASE_URL: await server.createDatabase() };
    const moved = await admin(from, 'move-to', await homes.file('stay', there), '--contents', '--json');
    assert.equal(moved.code, 0, moved.err);
    assert.deepEqual(JSON.parse(moved.out).contents.are, 'stay');
    assert.match((await startProblem(from)) ?? '', /This installation was moved to/);
    assert.equal((await admin(from, 'move forget')).code, 0);
    const source = createDeps(parseConfig(from), listeners);
    // Closes the server if it starts against the expectation.
    after(async () => await (await source.catch(() => null))?.[Symbol.asyncDispose]());
    await assert.rejects(source, /The large contents of this database are not in/);
    await (await createDeps(parseConfig(there), listeners))[Symbol.asyncDispose]();
    assert.equal((await admin(there, 'check', '--contents')).code, 0);
  });

  test('is rejected while a node is connected, and into a non-empty database', async () => {
    const from = await homes.filled('refused');
    const there = await onPostgres('refused-there');
    const file = await homes.file('refused', there);
    {
      await using node = await openPostgresTestStore(there.STOA_DATABASE_URL ?? '');
      assert.ok(node);
      assert.match(
        (await admin(from, 'move-to', file)).err,
        /is in use by a node or a command: stop all nodes/,
      );
    }
    const other = await onPostgres('something-else');
    await run(other, 'create table theirs (id int)');
    const rejected = await admin(from, 'move-to', await homes.file('something-else', other));
    assert.match(rejected.err, /contains tables of another program: create an empty one/);
    const away = { ...other, STOA_DATABASE_URL: 'postgres://stoa:secret@127.0.0.1:1/stoa' };
    const unreachable = await admin(from, 'move-to', await homes.file('away', away));
    assert.match(unreachable.err, /The database at 127\.0\.0\.1:1\/stoa does not respond/);
    assert.ok(!unreachable.err.includes('secret'));
    // The move had not begun.
    await using source = await holdDatabase(parseConfig(from), 'filled');
    assert.equal((await readMarks(source.reader.secrets)).left, null);
  });
});
