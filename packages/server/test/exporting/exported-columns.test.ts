import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { columnOf, exportedTables } from '../../src/storage/queries/exports.ts';
import { openTemporaryStore } from '../storage/support/open-temporary-store.ts';

/**
 * Columns that no kind of record has, and why. `docs/export-format.md` says what an export does not contain.
 */
const otherColumns: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ...Object.fromEntries(
    ['file', 'node_icon', 'node_order'].map((table) => [
      table,
      { record_owner: 'follows from the privacy record of its path' },
    ]),
  ),
  blob: {
    bytes: 'an entry of its own in the file',
    generation: 'where this installation keeps them',
    created_at: 'when this installation got them',
  },
  workspace: {
    ...Object.fromEntries(
      ['id', 'name', 'icon', 'color', 'theme', 'theme_css', 'created_at'].map((name) => [name, 'the header']),
    ),
    plan_id: 'of this installation',
    lapsed: 'of this installation',
  },
};

/** Tables without a kind of record, and why. */
const otherTables: Readonly<Record<string, string>> = {
  user: 'name and address of those whom it names, in the records of people',
  member: 'the records of people',
  removed_member: 'the records of people',
  workspace_image: 'an entry of the file, and the header',
  workspace_counter: 'the head in the header; the rest is counted again',
  front_matter: 'rebuilt from the contents',
  front_matter_unread: 'rebuilt from the contents',
  former_incarnation: 'rebuilt from the versions',
  session: 'a credential',
  account: 'a credential',
  verification: 'a credential',
  api_key: 'a credential',
  device_code: 'a credential',
  invite: 'a credential',
  share: 'a credential',
  share_view_day: 'views of the links, which are not exported',
  bookmark: 'the cursor of a key',
  audit_entry: 'of this installation, exported by a command of its own',
  audit_retention: 'of this installation',
  quarantined_content: 'an export with bytes missing has no end',
  rate_limit: 'of this installation',
  recent_attempt: 'of this installation',
  server_secret: 'of this installation',
  schema_migration: 'of this installation',
  access_epoch: 'of this installation',
  scrub_state: 'of this installation',
};

// copied-tables.test.ts checks that PostgreSQL has the same tables and columns, except for some that it
// names.
test('every table and column is in an export, or is skipped for a reason', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-exported-'));
  try {
    await (await openTemporaryStore(folder))[Symbol.asyncDispose]();
    using database = new DatabaseSync(join(folder, 'stoa.db'), { readOnly: true });
    const names = (sql: string, ...values: string[]) =>
      database
        .prepare(sql)
        .all(...values)
        .map(({ name }) => String(name));
    const tables = names("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'");
    const records = new Map(
      Object.values(exportedTables).map(({ table, fields }) => [table, fields.map(columnOf)]),
    );
    for (const table of tables) {
      const known = records.get(table);
      const others = otherColumns[table];
      const isInRecords = known !== undefined || others !== undefined;
      assert.ok(isInRecords !== Object.hasOwn(otherTables, table), `${table} is in exactly one of the lists`);
      if (!isInRecords) continue;
      const listed = ['workspace_id', ...(known ?? []), ...Object.keys(others ?? {})];
      const columns = names('select name from pragma_table_info(?)', table);
      assert.deepEqual(
        columns.filter((column) => !listed.includes(column)),
        [],
        `${table} has columns that no list names`,
      );
      assert.deepEqual(
        listed.filter((column) => column !== 'workspace_id' && !columns.includes(column)),
        [],
        `a list names columns that ${table} has not`,
      );
    }
    const gone = [...Object.keys(otherTables), ...Object.keys(otherColumns)].filter(
      (table) => !tables.includes(table),
    );
    assert.deepEqual(gone, []);
  } finally {
    await rm(folder, { recursive: true });
  }
});
