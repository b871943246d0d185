import assert from 'node:assert/strict';
import { cp, mkdtemp, open, readdir, readFile, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { type PostgresServer, startPostgres } from '../../../../tests/support/postgres.ts';
import { contentRules } from '../../src/service/checking/check-contents.ts';
import {
  type CheckOptions,
  type CheckReport,
  checkInstallation,
} from '../../src/service/checking/check-installation.ts';
import { replayRules } from '../../src/service/checking/replay-feed.ts';
import type { Reader } from '../../src/service/ports/reader.ts';
import type { ServiceDeps } from '../../src/service/service-deps.ts';
import { openDiskBlobStore } from '../../src/storage/blobs/disk/open-disk-blob-store.ts';
import { connect } from '../../src/storage/postgres/connection.ts';
import { createPostgresExecutor } from '../../src/storage/postgres/postgres-executor.ts';
import { storedRules } from '../../src/storage/queries/check-rules.ts';
import { createReader } from '../../src/storage/queries/create-reader.ts';
import type { Executor } from '../../src/storage/queries/executor.ts';
import { compileQueries } from '../../src/storage/queries/queries.ts';
import { postgresDialect, sqliteDialect } from '../../src/storage/queries/query-dialect.ts';
import { createSqliteExecutor } from '../../src/storage/sqlite/sqlite-executor.ts';
import { openInstallation } from '../admin/support/admin-process.ts';
import { openPostgresTestStore } from '../storage/support/open-postgres-test-store.ts';
import { openTemporaryStore } from '../storage/support/open-temporary-store.ts';
import { assertFound, foundIn } from './assert-found.ts';
import { plantedFaults } from './planted-faults.ts';

const fixtures = join(import.meta.dirname, '../../../../tests/upgrade/fixtures/0.1.0');

/** The stored data of the fixture, on a connection where a test can plant faults and undo them. */
interface Planted extends AsyncDisposable {
  readonly reader: Reader;
  readonly blobsFolder: string;
  run(statement: string): Promise<void>;
}

async function checkOf(
  { reader, blobsFolder }: Planted,
  options: CheckOptions = { readBytes: true },
  progress: (step: string) => void = () => {},
): Promise<CheckReport> {
  const store = { reader, snapshot: (read: (reader: Reader) => Promise<unknown>) => read(reader) };
  const blobs = await openDiskBlobStore({ directory: blobsFolder, onFatal: assert.fail });
  // The check uses only these members of a store.
  const deps = { store, blobs } as unknown as Pick<ServiceDeps, 'store' | 'blobs'>;
  return await checkInstallation(deps, options, progress);
}

async function openSqlite(): Promise<Planted> {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-check-'));
  await cp(join(fixtures, 'sqlite-disk/data'), folder, { recursive: true });
  await (await openTemporaryStore(folder))[Symbol.asyncDispose]();
  const database = new DatabaseSync(join(folder, 'stoa.db'));
  return {
    reader: createReader(
      createSqliteExecutor(database, async () => {}),
      compileQueries(sqliteDialect),
    ),
    blobsFolder: join(folder, 'blobs'),
    run: async (statement) => database.exec(statement),
    async [Symbol.asyncDispose]() {
      database.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function openPostgres(server: PostgresServer): Promise<Planted> {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-check-'));
  await cp(join(fixtures, 'postgres-disk/data'), folder, { recursive: true });
  const url = await server.createDatabase();
  await server.run(
    new URL(url).pathname.slice(1),
    await readFile(join(fixtures, 'postgres-disk/dump.sql'), 'utf8'),
  );
  await (await openPostgresTestStore(url))[Symbol.asyncDispose]();
  const connection = await connect(url, 60_000);
  const executor: Executor = createPostgresExecutor(connection);
  return {
    reader: createReader(executor, compileQueries(postgresDialect)),
    blobsFolder: join(folder, 'blobs'),
    run: async (statement) => void (await connection.commands(statement)),
    async [Symbol.asyncDispose]() {
      await connection.close();
      await rm(folder, { recursive: true });
    },
  };
}

function faultsOn(name: 'sqlite' | 'postgres', open: () => Promise<Planted>): void {
  describe(`a check on ${name}`, () => {
    let planted: Planted;
    before(async () => {
      planted = await open();
    });
    after(() => planted[Symbol.asyncDispose]());

    test('reports no problem in data that the service wrote', async () => {
      const { problems, checked } = await checkOf(planted);
      assert.deepEqual(problems, []);
      assert.deepEqual(checked, {
        workspaces: 1,
        changes: 40,
        versions: 28,
        files: 18,
        contents: 25,
        bytesRead: checked.bytesRead,
      });
      assert.ok(checked.bytesRead > 2 * 68_000);
    });

    for (const { found, plant, onlyOn = name } of plantedFaults) {
      if (onlyOn !== name) continue;
      const [[rule, subjects] = ['nothing', plant]] = Object.entries(found);
      test(`names ${rule}: ${subjects}`, async () => {
        await planted.run('begin');
        try {
          await planted.run(plant);
          // Small pages show that a rule finds its fault on any page.
          for (const pageRows of [1, 3, 1000]) {
            assertFound(await checkOf(planted, { readBytes: true, pageRows }), found);
          }
        } finally {
          await planted.run('rollback');
        }
        assert.deepEqual(foundIn(await checkOf(planted, { readBytes: false })), {});
      });
    }
  });
}

/** Returns the files of the large contents. The fixture has two. */
async function storedFiles({ blobsFolder }: Planted): Promise<readonly string[]> {
  const entries = await readdir(blobsFolder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.'));
  return files.map(({ parentPath, name }) => join(parentPath, name)).toSorted();
}

async function changeByte(file: string, at: number): Promise<void> {
  await using handle = await open(file, 'r+');
  const byte = new Uint8Array(1);
  await handle.read(byte, 0, 1, at);
  await handle.write(Uint8Array.of((byte[0] ?? 0) ^ 1), 0, 1, at);
}

test('the documentation lists every rule name', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../../docs/operations.md'), 'utf8');
  const rules = [
    'database_damaged',
    ...storedRules.map(({ name }) => name),
    ...Object.keys(replayRules),
    ...Object.keys(contentRules),
  ];
  assert.deepEqual(
    rules.filter((rule) => !page.includes(`\`${rule}\``)),
    [],
  );
});

/** Tables that no rule checks row by row, with what checks them instead or why no check is needed. */
const askedElsewhere: Readonly<Record<string, string>> = {
  user: 'checked from the rows that refer to it',
  session: 'expires; the database rejects one without a user',
  verification: 'expires, and is independent of other rows',
  workspace_counter: 'when the feed is played back, and by workspace_without_counter',
  workspace_image: 'the database rejects one without a workspace',
  removed_member: 'outlives the account on purpose',
  share_view_day: 'sums that nothing else says',
  device_code: 'expires within minutes',
  rate_limit: 'expires within minutes',
  recent_attempt: 'expires within minutes',
  server_secret: 'compared when a server starts',
  schema_migration: 'compared when the database is opened',
  access_epoch: 'a number that only running processes compare',
  scrub_state: 'progress of a scrub, which starts again',
  audit_retention: 'one number that nothing else says',
};

// copied-tables.test.ts checks that PostgreSQL has the same tables, except for some that it names.
test('every table has a rule that checks it, or a reason why not', async () => {
  await using planted = await openSqlite();
  using database = new DatabaseSync(join(planted.blobsFolder, '../stoa.db'), { readOnly: true });
  const tables = database
    .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
    .all()
    .map(({ name }) => String(name));
  const asked = new Set(storedRules.flatMap(({ parts }) => parts.map(({ over }) => over.table)));
  const nowhere = tables.filter((table) => asked.has(table) === Object.hasOwn(askedElsewhere, table));
  assert.deepEqual(nowhere, []);
  assert.deepEqual(
    Object.keys(askedElsewhere).filter((table) => !tables.includes(table)),
    [],
  );
});

test('every rule is broken by some planted fault', () => {
  const planted = plantedFaults.flatMap(({ found }) => Object.keys(found));
  const rules = [
    ...storedRules.map(({ name }) => name),
    ...Object.keys(replayRules),
    ...Object.keys(contentRules),
  ];
  assert.deepEqual(
    rules.filter((rule) => !planted.includes(rule)),
    [],
  );
});

test('the check distinguishes a flipped bit, a short file and a lost file', async () => {
  await using planted = await openSqlite();
  const [first = '', second = ''] = await storedFiles(planted);
  await changeByte(first, 40_000);
  assertFound(await checkOf(planted), { stored_bytes_wrong: ['content'] });
  // Only reading the bytes shows a flipped bit.
  assertFound(await checkOf(planted, { readBytes: false }), {});
  await truncate(second, 10);
  assertFound(await checkOf(planted, { readBytes: false }), { stored_bytes_missing: ['content'] });
  await rm(first);
  assertFound(await checkOf(planted, { readBytes: false }), { stored_bytes_missing: ['content', 'content'] });
});

test('progress reports the pages of each rule, and each content that was read', async () => {
  await using planted = await openSqlite();
  const steps: string[] = [];
  await checkOf(planted, { readBytes: true, pageRows: 10 }, (step) => steps.push(step));
  const reported = steps.filter((step) => step.startsWith('version_without_bytes: '));
  assert.deepEqual(reported, [
    'version_without_bytes: 10 rows',
    'version_without_bytes: 20 rows',
    'version_without_bytes: 30 rows',
  ]);
  assert.ok(steps.some((step) => /^the feed of ws_\S+: \d+ rows$/.test(step)));
  const contents = steps.filter((step) => step.includes(' contents, '));
  assert.equal(contents.length, 25);
  assert.match(contents.at(-1) ?? '', /^25 of 25 contents, (\d{6,}) of \1 bytes read$/);
});

test('damage of the database file is reported as database_damaged and names the index', async () => {
  await using planted = await openSqlite();
  const file = join(planted.blobsFolder, '../stoa.db');
  let page = 0;
  {
    using database = new DatabaseSync(file);
    database.exec('pragma wal_checkpoint(truncate)');
    page = Number(
      database.prepare("select rootpage from sqlite_master where name = 'change_by_time'").get()?.rootpage,
    );
  }
  // The last cell of an index of 40 entries: its end is at the page's end.
  await changeByte(file, page * 4096 - 2);
  const found = foundIn(await checkOf(planted));
  const damage = found.database_damaged ?? [];
  assert.deepEqual(Object.keys(found), ['database_damaged']);
  assert.ok(damage.length > 0);
  assert.match(damage.join(), /change_by_time/);
});

test('an operator sees what is wrong, where, and by the exit code', async () => {
  await using installation = await openInstallation();
  const clean = await installation.adminProcess(['check', '--contents', '--json']);
  assert.deepEqual([clean.code, clean.err], [0, '']);
  assert.deepEqual(JSON.parse(clean.out).problems, []);
  {
    using database = new DatabaseSync(join(installation.config.dataDir, 'stoa.db'));
    database.exec(`insert into workspace (id, name, lapsed, created_at) values ('ws_x', 'Lost', 0, 1);
      insert into workspace_counter values ('ws_x', 0, 0, 1, 0, 0, 0)`);
  }
  const wrong = await installation.admin(['check']);
  assert.equal(wrong.code, 3);
  assert.match(wrong.out, /^Looked at 1 workspaces, .*; large contents were not read/);
  assert.match(wrong.out, /^workspace_without_owner: A workspace has no owner\.\n {2}ws_x Lost$/m);
  assert.match(wrong.out, /^used_files_wrong: .*\n {2}ws_x 1 instead of 0$/m);
});

let server: PostgresServer;
before(async () => {
  server = await startPostgres();
});
after(() => server[Symbol.asyncDispose]());

faultsOn('sqlite', openSqlite);
faultsOn('postgres', () => openPostgres(server));
