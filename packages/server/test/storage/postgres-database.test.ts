import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type PostgresServer, startPostgres } from '../../../../tests/support/postgres.ts';
import { migrate } from '../../src/storage/postgres/migrate.ts';
import { openSession } from '../../src/storage/postgres/open-session.ts';
import { rejectUnusable } from '../../src/storage/postgres/reject-unusable.ts';
import type { Migration } from '../../src/storage/schema/migration.ts';
import { migrations } from '../../src/storage/schema/migrations.ts';
import { orderCases } from './cases/order-cases.ts';
import { openPostgresTestStore, type PostgresTestStore } from './support/open-postgres-test-store.ts';
import { createStoreDriver } from './support/store-driver.ts';
import { appendScript } from './support/store-scripts.ts';

let server: PostgresServer;
before(async () => {
  server = await startPostgres();
});
after(() => server[Symbol.asyncDispose]());

const nameOf = (url: string) => new URL(url).pathname.slice(1);
const rejectedWith = async (url: string, message: RegExp) => {
  const password = URL.canParse(url) ? new URL(url).password : 'secret';
  await assert.rejects(openPostgresTestStore(url), (error) => {
    assert.ok(error instanceof Error);
    assert.match(error.message, message);
    assert.ok(!error.message.includes(password), 'the password is in the message');
    return true;
  });
};

describe('a PostgreSQL database that must not be used is rejected with a message', () => {
  it('one that is too old', () => {
    const facts = { fsync: 'on', fullPageWrites: 'on', encoding: 'UTF8', isReadOnly: false };
    assert.throws(
      () => rejectUnusable({ ...facts, version: 140_012 }),
      /PostgreSQL 14: it must be 15 or newer/,
    );
    assert.throws(() => rejectUnusable({ ...facts, version: Number.NaN }), /must be 15 or newer/);
    rejectUnusable({ ...facts, version: 150_000 });
  });

  for (const setting of ['fsync', 'full_page_writes']) {
    it(`one that runs without ${setting}`, async () => {
      const url = await server.createDatabase();
      await server.stop();
      await server.restart([`${setting}=off`]);
      await rejectedWith(url, new RegExp(`${setting} = off.*power cut.*set ${setting} = on`));
      await server.stop();
      await server.restart([]);
    });
  }

  it('one in another encoding', async () => {
    const url = await server.createDatabase("template template0 encoding 'LATIN1'");
    await rejectedWith(url, /encoding LATIN1.*create database/);
  });

  it('one that is read-only', async () => {
    const url = await server.createDatabase();
    await server.run('postgres', `alter database ${nameOf(url)} set default_transaction_read_only = on`);
    await rejectedWith(url, /standby or read-only.*primary/);
  });

  it('one that denies access, or does not exist', async () => {
    const wrong = new URL(await server.createDatabase());
    wrong.password = 'not the password';
    await rejectedWith(wrong.href, /cannot be used.*password authentication failed.*sign in/);
    await rejectedWith(server.url('nowhere'), /cannot be used.*"nowhere" does not exist/);
    await rejectedWith('postgres://us er:secret@ /', /not a URL of the form postgres:/);
  });

  it('one in which its user may make no tables', async () => {
    const url = new URL(await server.createDatabase());
    await server.run('postgres', "create role guest login password 'guest password'");
    url.username = 'guest';
    url.password = 'guest password';
    await rejectedWith(url.href, /cannot be used.*permission denied.*create tables/);
  });

  it('one that does not respond for as long as a start may take', async () => {
    await using gone = await startPostgres();
    await gone.stop();
    await rejectedWith(
      gone.url('postgres'),
      /does not respond.*ECONNREFUSED.*start it, or correct its address/,
    );
    await gone.restart();
  });
});

describe('a session with PostgreSQL', () => {
  it('commits durably and has timeouts, whatever the server settings', async () => {
    const url = await server.createDatabase();
    const settings = [
      'synchronous_commit = off',
      'statement_timeout = 0',
      'jit = on',
      "bytea_output = 'escape'",
    ];
    for (const setting of settings)
      await server.run('postgres', `alter database ${nameOf(url)} set ${setting}`);
    const session = await openSession(url, 'write');
    const shown: unknown[] = [];
    for (const name of ['synchronous_commit', 'statement_timeout', 'lock_timeout', 'jit', 'bytea_output']) {
      const { rows } = await session.once('select current_setting($1) as value', [name]);
      shown.push(rows[0]?.value);
    }
    assert.deepEqual(shown, ['on', '30s', '5s', 'off', 'hex']);
    await session.close();
  });

  it('for reading cannot write', async () => {
    await using opened = await openPostgresTestStore(await server.createDatabase());
    await assert.rejects(opened.store.reader.library.select('delete from "session"', []), /read-only/);
  });

  it('rejects a number that it would change silently', async () => {
    const session = await openSession(await server.createDatabase(), 'read');
    const { rows } = await session.once('select 9007199254740991::bigint as largest', []);
    assert.deepEqual(rows, [{ largest: Number.MAX_SAFE_INTEGER }]);
    await assert.rejects(session.once('select 9007199254740993::bigint', []), /9007199254740993/);
    assert.equal(session.isBroken, false);
    await session.close();
  });
});

describe('paths in a PostgreSQL database that orders texts by language', () => {
  let opened: PostgresTestStore;
  let url: string;
  before(async () => {
    url = await server.createDatabase(
      "template template0 encoding 'UTF8' locale_provider icu icu_locale 'en-US'",
    );
    opened = await openPostgresTestStore(url);
  });
  after(() => opened[Symbol.asyncDispose]());

  orderCases(() => opened.store);

  it('texts of our own tables are the exception there', async () => {
    const session = await openSession(url, 'read');
    const { rows } = await session.once(
      `select 'a' < 'B' as language, 'a' < 'B' collate "C" as code_point`,
      [],
    );
    assert.deepEqual(rows, [{ language: 1, code_point: 0 }]);
    await session.close();
  });
});

describe('marks of commits', () => {
  it('old marks are removed as new ones come, and recent ones stay', async () => {
    const url = await server.createDatabase();
    const opened = await openPostgresTestStore(url);
    const { workspaceId } = await createStoreDriver(opened.store);
    const age = (minutes: number) => `extract(epoch from clock_timestamp()) * 1000 - ${minutes} * 60000`;
    await server.run(
      nameOf(url),
      `insert into commit_attempt select 'old ' || i, 'kept', ${age(70)} from generate_series(1, 3000) i;
      insert into commit_attempt values ('recent', 'given up', ${age(50)})`,
    );
    for (let commits = 0; commits < 500; commits += 1) {
      await opened.store.transact(appendScript, { workspaceId, path: 'a' });
    }
    await opened[Symbol.asyncDispose]();
    const session = await openSession(url, 'read');
    const { rows } = await session.once(
      `select count(*) filter (where id like 'old %') as old, count(*) filter (where id = 'recent') as recent,
        count(*) as marks from commit_attempt`,
      [],
    );
    await session.close();
    assert.deepEqual(opened.problems, []);
    assert.deepEqual([rows[0]?.old, rows[0]?.recent], [0, 1]);
    assert.ok(Number(rows[0]?.marks) > 500);
  });
});

describe('migrations on PostgreSQL', () => {
  const step = (number: number, ...statements: string[]): Migration => ({
    number,
    name: `step ${number}`,
    statements: () => statements,
  });
  const tablesOf = async (url: string) => {
    const session = await openSession(url, 'read');
    const { rows } = await session.once(
      "select table_name from information_schema.tables where table_schema = 'public' order by 1",
      [],
    );
    await session.close();
    return rows.map(({ table_name }) => table_name);
  };
  const migrated = async (url: string, steps: readonly Migration[]) => {
    const session = await openSession(url, 'write');
    try {
      await migrate(session, steps);
    } finally {
      await session.close();
    }
  };

  it('each migration runs once, even when many start together', async () => {
    const url = await server.createDatabase();
    const first = step(1, 'create table one (x bigint)');
    const both = [first, step(2, 'create table two (x bigint)')];
    await Promise.all(
      Array.from({ length: 5 }, (_, i) => migrated(url, i === 0 ? [first] : both).catch(String)),
    );
    await migrated(url, both);
    assert.deepEqual(await tablesOf(url), ['one', 'schema_migration', 'two']);
  });

  it('rows from before the migration get the owner of their record', async () => {
    const url = await server.createDatabase();
    const step = migrations.findIndex(({ name }) => name === 'record owner');
    await migrated(url, migrations.slice(0, step));
    const each = `from unnest(array['a/b/c', 'a/b c', 'a/d', 'shared']) with ordinality as each(path, at)`;
    await server.run(
      nameOf(url),
      `insert into file (workspace_id, path, incarnation, version, size_bytes, content_type, content_hash)
        select 'ws', path, at, 1, 1, 't', 'h' ${each};
      insert into node_icon (workspace_id, path, icon) select 'ws', path, 'icon' ${each};
      insert into node_order (workspace_id, path, position) select 'ws', path, 1 ${each};
      insert into node_privacy (workspace_id, path, kind, owner_id, implied)
        values ('ws', 'a', 'folder', 'us_a', 0), ('ws', 'a/d', 'file', 'us_b', 0)`,
    );
    await migrated(url, migrations);
    const session = await openSession(url, 'read');
    for (const table of ['file', 'node_icon', 'node_order']) {
      const { rows } = await session.once(`select path, record_owner from ${table} order by path`, []);
      assert.deepEqual(
        rows.map(({ path, record_owner }) => `${path} ${record_owner}`),
        ['a/b c ', 'a/b/c ', 'a/d us_b', 'shared '],
        table,
      );
    }
    await session.close();
  });

  it('a failed migration is rolled back', async () => {
    const url = await server.createDatabase();
    const broken = [
      step(1, 'create table one (x bigint)'),
      step(2, 'create table two (x bigint)', 'not sql'),
    ];
    await assert.rejects(migrated(url, broken));
    assert.deepEqual(await tablesOf(url), []);
  });

  it('a database of a newer program is rejected', async () => {
    const url = await server.createDatabase();
    await (await openPostgresTestStore(url))[Symbol.asyncDispose]();
    await server.run(nameOf(url), "insert into schema_migration values (999, 'later')");
    await rejectedWith(url, /schema 999.*newer version/);
  });

  it('a database whose migrations are not those of this program is rejected', async () => {
    const url = await server.createDatabase();
    await migrated(url, [step(16, 'create table one (x bigint)')]);
    await rejectedWith(url, /no release.*step 16 is "step 16"/);
    assert.deepEqual(await tablesOf(url), ['one', 'schema_migration']);
  });
});
