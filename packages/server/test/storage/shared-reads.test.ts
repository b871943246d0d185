import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { before, describe, it } from 'node:test';
import type { Transaction, Writer } from '../../src/service/ports/transaction.ts';
import { createTransaction } from '../../src/storage/queries/create-transaction.ts';
import { compileQueries } from '../../src/storage/queries/queries.ts';
import { sqliteDialect } from '../../src/storage/queries/query-dialect.ts';
import { shareReads } from '../../src/storage/shared-reads.ts';
import { migrate } from '../../src/storage/sqlite/migrate.ts';
import { createSqliteExecutor } from '../../src/storage/sqlite/sqlite-executor.ts';

/** After these methods, earlier reads are still valid: see `docs/speed.md`. */
const harmless = [
  'insertChange',
  'insertVersion',
  'keepBlob',
  'keepFrontMatter',
  'leaveUnread',
  'lockWorkspace',
  'putFile',
  'removeFile',
  'takeSeqs',
];
/** The tables that those methods write to. */
const theirTables = [
  'blob',
  'change',
  'file',
  'file_version',
  'former_incarnation',
  'front_matter',
  'front_matter_unread',
  'workspace_counter',
];

describe('a read of the scripts in a batch', () => {
  const db = new DatabaseSync(':memory:');
  const nothing = async () => {};
  let written: Transaction;
  before(() => {
    migrate(db);
    written = createTransaction(createSqliteExecutor(db, nothing), compileQueries(sqliteDialect), () => {});
  });

  it('is queried once, until a change that may affect it', async () => {
    let asked = 0;
    const write = Object.fromEntries(
      Object.keys(written.write).map((name) => [name, nothing]),
    ) as unknown as Writer;
    const workspace = { id: 'ws_a', seq: 7 } as never;
    const { tx, forget } = shareReads({
      ...written,
      members: {
        ...written.members,
        async standing() {
          asked += 1;
          return { role: 'owner', key: null, sessionExpiresAt: null };
        },
      },
      write: {
        ...write,
        async lockWorkspace() {
          asked += 1;
          return workspace;
        },
      },
    });
    const ask = async () => {
      asked = 0;
      await tx.write.lockWorkspace('ws_a');
      await tx.members.standing({ userId: 'us_a', workspaceId: 'ws_a', keyId: 'key', sessionId: null });
      return asked;
    };
    assert.deepEqual([await ask(), await ask()], [2, 0]);
    await tx.members.standing({ userId: 'us_a', workspaceId: 'ws_a', keyId: 'other', sessionId: null });
    assert.equal(asked, 1);
    forget();
    assert.equal(await ask(), 2);
    const kept: string[] = [];
    for (const [name, change] of Object.entries(tx.write)) {
      await ask();
      await (change as (...given: unknown[]) => Promise<unknown>)('ws_a', 1, {});
      if ((await ask()) === 0) kept.push(name);
    }
    assert.deepEqual(kept.sort(), harmless);
  });

  it('does not reuse a result that was pending when something changed', async () => {
    let response: (role: 'owner' | null) => void = () => {};
    const existing = () =>
      new Promise<never>((resolve) => {
        response = (role) => resolve({ role, key: null, sessionExpiresAt: null } as never);
      });
    const { tx, forget } = shareReads({ ...written, members: { ...written.members, standing: existing } });
    const question = { userId: 'us_a', workspaceId: 'ws_a', keyId: null, sessionId: null };
    const before = tx.members.standing(question);
    forget();
    response('owner');
    assert.equal((await before).role, 'owner');
    const after = tx.members.standing(question);
    response(null);
    assert.equal((await after).role, null);
  });

  it('does not depend on rows that triggers of the other changes modify', () => {
    const triggers = db
      .prepare(`select tbl_name as name, sql from sqlite_master where type = 'trigger'`)
      .all();
    const theirs = triggers.filter(({ name }) => theirTables.includes(String(name)));
    assert.deepEqual(
      theirs.map(({ name, sql }) => [name, /(?:insert into|begin update) (\w+)/.exec(String(sql))?.[1]]),
      [
        ['file', 'former_incarnation'],
        ['file', 'file'],
      ],
    );
  });
});
