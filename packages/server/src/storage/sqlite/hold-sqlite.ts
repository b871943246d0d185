import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type ColumnType, type HeldDatabase, type HeldTable, NotHeld } from '../held-database.ts';
import { createAuditWriter } from '../queries/audit.ts';
import { createReader } from '../queries/create-reader.ts';
import type { Executor } from '../queries/executor.ts';
import { compileQueries } from '../queries/queries.ts';
import { sqliteDialect } from '../queries/query-dialect.ts';
import { migrations } from '../schema/migrations.ts';
import { failureAt } from './full-disk.ts';
import { migrate } from './migrate.ts';
import { createSqliteExecutor, sqliteFailureOf } from './sqlite-executor.ts';

const types: Readonly<Record<string, ColumnType>> = { text: 'text', integer: 'integer', blob: 'bytes' };

/**
 * Opens a database file exclusively, until it is closed or this process ends. Any process that already has it open
 * keeps a lock on it, even without a transaction.
 * @param expect `filled`: it exists with the current schema, and is left unchanged; `any`: it is created or migrated.
 * @throws NotHeld
 */
export async function holdSqlite(file: string, expect: 'filled' | 'any'): Promise<HeldDatabase> {
  if (expect === 'filled' && !existsSync(file)) {
    throw new NotHeld(`There is no database ${file}: set STOA_DATA_DIR to where the installation is.`);
  }
  const db = new DatabaseSync(file, { timeout: 0, enableForeignKeyConstraints: true });
  try {
    hold(db, file);
    db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma temp_store = memory');
    db.exec('pragma cache_size = -65536');
    if (expect === 'any') migrate(db);
    else rejectOtherSchema(db, file);
    const executor = createSqliteExecutor(db, async () => {});
    const queries = compileQueries(sqliteDialect);
    return {
      executor,
      reader: createReader(executor, queries),
      audit: createAuditWriter(executor, queries.audit),
      tables: await readTables(executor),
      selectText: (column) => `cast(${column} as blob)`,
      // A statement for many rows is not faster here, and would need a variant for each number of them.
      rowsAtOnce: () => 1,
      async change(sql, values) {
        await executor.run(sql, values);
      },
      async inTransaction(work) {
        db.exec('begin immediate');
        try {
          await work();
          db.exec('commit');
        } catch (error) {
          if (failureAt(file, error)?.kind !== 'storage_full') throw error;
          throw new NotHeld(`There is no room for ${file}: make some, and run the command again.`, {
            cause: error,
          });
        } finally {
          if (db.isTransaction) db.exec('rollback');
        }
      },
      async [Symbol.asyncDispose]() {
        db.close();
      },
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

function hold(db: DatabaseSync, file: string): void {
  try {
    db.exec('pragma locking_mode = exclusive; begin exclusive; commit');
  } catch (error) {
    if (sqliteFailureOf(error)?.kind !== 'busy') throw error;
    throw new NotHeld(
      `The database ${file} is in use: stop the service, and wait for other commands to end. Then run the command again.`,
      { cause: error },
    );
  }
}

function rejectOtherSchema(db: DatabaseSync, file: string): void {
  const isStoa =
    db.prepare(`select 1 from sqlite_schema where name = 'schema_migration'`).get() !== undefined;
  const reached = isStoa
    ? db.prepare('select max(number) as reached from schema_migration').get()?.reached
    : 0;
  if (reached === migrations.at(-1)?.number) return;
  throw new NotHeld(
    `The database ${file} is of another release: run \`npm run admin -- check\` of this one, which brings it up to date, and run the command again.`,
  );
}

async function readTables(executor: Executor): Promise<readonly HeldTable[]> {
  const { rows } = await executor.once(
    `select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\' order by rowid`,
    [],
  );
  return Promise.all(rows.map(({ name }) => readTable(executor, String(name))));
}

async function readTable(executor: Executor, name: string): Promise<HeldTable> {
  const described = await executor.once(
    `select name, lower(type) as type, "notnull" as not_null, hidden from pragma_table_xinfo(?) order by cid`,
    [name],
  );
  const notNull = new Set(
    described.rows.filter(({ not_null }) => not_null === 1).map((column) => String(column.name)),
  );
  const indexes = await executor.once(
    `select name from pragma_index_list(?) where "unique" = 1 and partial = 0 order by origin <> 'pk', seq`,
    [name],
  );
  const keys: (readonly string[])[] = [];
  for (const index of indexes.rows) {
    const { rows } = await executor.once('select name from pragma_index_info(?) order by seqno', [
      String(index.name),
    ]);
    const key = rows.map((column) => String(column.name));
    if (key.every((column) => notNull.has(column))) keys.push(key);
  }
  return {
    name,
    columns: described.rows.map((column) => ({
      name: String(column.name),
      type: types[String(column.type)] ?? null,
      isMade: column.hidden !== 0,
    })),
    keys,
  };
}
