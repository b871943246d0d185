import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { after, beforeEach, test } from 'node:test';
import { fullGrant } from '@stoa/core';
import { openConnection } from '../../src/storage/sqlite/open-connection.ts';
import { openTemporaryStore } from './support/open-temporary-store.ts';
import { createStoreDriver } from './support/store-driver.ts';

const secretHash = 'hash of the secret';

const temporary = await openTemporaryStore();
const { store } = temporary;
const { reader } = store;
const driver = await createStoreDriver(store);
const { workspaceId } = driver;
await driver.run(
  [
    'insertUser',
    { id: 'ada', name: 'Ada', email: 'ada@example.org', accountRowId: 'a', passwordHash: 'h', createdAt: 1 },
  ],
  ['insertMember', { workspaceId, userId: 'ada', role: 'admin', createdAt: 1 }],
  [
    'insertKey',
    {
      id: 'key',
      secretHash,
      userId: 'ada',
      workspaceId: null,
      name: 'laptop',
      start: 'stoa_abc',
      principal: 'agent',
      ...fullGrant,
      expiresAt: null,
      expiresInDays: null,
      createdAt: 1,
    },
  ],
);

/** The connection of another process to the same file, which makes the changes. */
const other = openConnection(temporary.file, 'write');
// Foreign keys are off, so that the tests can delete rows that others refer to.
other.exec('pragma foreign_keys = off');
const tables = ['api_key', 'member', 'user', 'workspace', 'workspace_counter'];
for (const table of tables) other.exec(`create temp table kept_${table} as select * from "${table}"`);

beforeEach(() => {
  for (const table of tables) {
    other.exec(`delete from "${table}"; insert into "${table}" select * from kept_${table}`);
  }
  store.refreshReads();
});

after(async () => {
  other.close();
  await temporary[Symbol.asyncDispose]();
});

const epoch = () => Number(other.prepare('select epoch from access_epoch').get()?.epoch);

/** Returns every column, so that the test covers columns of later migrations. */
const columnsOf = (table: string) =>
  other
    .prepare(`select name from pragma_table_info('${table}')`)
    .all()
    .map(({ name }) => String(name));

for (const table of ['api_key', 'member', 'user', 'workspace']) {
  test(`the epoch moves with every change of ${table}`, () => {
    for (const column of columnsOf(table)) {
      const before = epoch();
      other.exec(`update "${table}" set "${column}" = "${column}"`);
      const moves = `${table}.${column}` !== 'api_key.last_used_at';
      assert.equal(epoch() > before, moves, `${table}.${column}`);
    }
    const insert = `into "${table}" select * from kept_${table}`;
    // The row that is replaced is deleted without a trigger of its own.
    for (const change of [`delete from "${table}"`, `insert ${insert}`, `insert or replace ${insert}`]) {
      const before = epoch();
      other.exec(change);
      assert.ok(epoch() > before, change);
    }
  });
}

/** A change by another process, and the values to read before and after it. */
const changes: readonly {
  readonly of: string;
  readonly sql: string;
  readonly shows: () => Promise<unknown>;
  readonly before: unknown;
  readonly after: unknown;
}[] = [
  {
    of: 'a revoked key',
    sql: 'update api_key set deleted_at = 5',
    shows: async () => (await reader.keys.findByHash(secretHash))?.key.deletedAt,
    before: null,
    after: 5,
  },
  {
    of: 'a disabled key',
    sql: 'update api_key set disabled = 1',
    shows: async () => (await reader.keys.findByHash(secretHash))?.key.disabled,
    before: false,
    after: true,
  },
  {
    of: 'a key that is narrower',
    sql: `update api_key set access = 'read', path = 'notes'`,
    shows: async () => {
      const found = await reader.keys.findByHash(secretHash);
      return [found?.key.access, found?.key.path];
    },
    before: ['write', ''],
    after: ['read', 'notes'],
  },
  {
    of: 'a key that expires sooner',
    sql: 'update api_key set expires_at = 9',
    shows: async () => (await reader.keys.findByHash(secretHash))?.key.expiresAt,
    before: null,
    after: 9,
  },
  {
    of: 'a key that is gone',
    sql: 'delete from api_key',
    shows: async () => (await reader.keys.findByHash(secretHash)) === null,
    before: false,
    after: true,
  },
  {
    of: "a person's new name",
    sql: `update "user" set name = 'Countess'`,
    shows: async () => (await reader.keys.findByHash(secretHash))?.userName,
    before: 'Ada',
    after: 'Countess',
  },
  {
    of: 'a disabled person',
    sql: 'update "user" set "disabledAt" = 5',
    shows: async () => (await reader.keys.findByHash(secretHash))?.key.disabled,
    before: false,
    after: true,
  },
  {
    of: 'a person whose account is gone',
    sql: 'delete from "user"',
    shows: async () => (await reader.keys.findByHash(secretHash)) === null,
    before: false,
    after: true,
  },
  {
    of: 'a removed member',
    sql: 'delete from member',
    shows: async () => (await reader.workspaces.findWithRole(workspaceId, 'ada'))?.role,
    before: 'admin',
    after: null,
  },
  {
    of: 'a changed role',
    sql: `update member set role = 'member'`,
    shows: async () => (await reader.workspaces.findWithRole(workspaceId, 'ada'))?.role,
    before: 'admin',
    after: 'member',
  },
  {
    of: 'a lapsed workspace',
    sql: 'update workspace set lapsed = 1',
    shows: async () => (await reader.workspaces.findWithRole(workspaceId, 'ada'))?.workspace.lapsed,
    before: false,
    after: true,
  },
  {
    of: 'another plan',
    sql: `update workspace set plan_id = 'large'`,
    shows: async () =>
      (await reader.workspaces.findWithRole(workspaceId, 'ada'))?.workspace.planId === 'large',
    before: false,
    after: true,
  },
  {
    of: 'the head of the feed, which is never remembered',
    sql: 'update workspace_counter set seq = 7',
    shows: async () => (await reader.workspaces.findWithRole(workspaceId, 'ada'))?.workspace.seq,
    before: 0,
    after: 7,
  },
];

for (const { of, sql, shows, before, after } of changes) {
  test(`another process's change is read by the next request: ${of}`, async () => {
    for (let time = 0; time < 2; time += 1) assert.deepEqual(await shows(), before);
    other.exec(sql);
    store.refreshReads();
    assert.deepEqual(await shows(), after);
    // The second read returns the new state from the cache.
    assert.deepEqual(await shows(), after);
  });
}

test('reads of one tick see one moment, and the next tick reads fresh state', async () => {
  const seq = async () => (await reader.workspaces.find(workspaceId))?.seq;
  assert.equal(await seq(), 0);
  other.exec('update workspace_counter set seq = 7');
  assert.equal(await seq(), 0);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(await seq(), 7);
});

test('after the response to a change, no read returns the earlier state', async () => {
  const seq = async () => (await reader.workspaces.find(workspaceId))?.seq;
  for (let round = 1; round <= 20; round += 1) {
    // Every tick begins a snapshot, also the one in which the response arrives.
    let isResponded = false;
    const reading = (async () => {
      while (!isResponded) {
        await seq();
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    await driver.run(['takeSeqs', workspaceId, 1, {}]);
    assert.equal(await seq(), round);
    isResponded = true;
    await reading;
  }
});

test('the log does not keep growing while every tick reads', async () => {
  await using small = await openTemporaryStore(undefined, { checkpointPages: 50 });
  const { workspaceId, run } = await createStoreDriver(small.store);
  let isDone = false;
  const reading = (async () => {
    while (!isDone) {
      await small.store.reader.workspaces.find(workspaceId);
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  let largest = 0;
  for (let change = 0; change < 600; change += 1) {
    await run(['takeSeqs', workspaceId, 1, {}]);
    largest = Math.max(largest, (await stat(`${small.file}-wal`)).size);
  }
  isDone = true;
  await reading;
  const pageBytes = 4096;
  assert.ok(largest < 300 * pageBytes, `${largest} bytes`);
});
