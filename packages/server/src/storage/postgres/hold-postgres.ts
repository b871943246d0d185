import { setTimeout as pause } from 'node:timers/promises';
import { type ColumnType, type HeldDatabase, type HeldTable, NotHeld } from '../held-database.ts';
import { createAuditWriter } from '../queries/audit.ts';
import { createReader } from '../queries/create-reader.ts';
import type { Executor } from '../queries/executor.ts';
import { compileQueries } from '../queries/queries.ts';
import { postgresDialect } from '../queries/query-dialect.ts';
import { migrations } from '../schema/migrations.ts';
import { applicationName, type Connection } from './connection.ts';
import { migrate, migrationLock } from './migrate.ts';
import { openSession } from './open-session.ts';
import { PostgresError } from './postgres-error.ts';
import { createPostgresExecutor } from './postgres-executor.ts';
import { startError } from './prepare-database.ts';
import { rejectSharedSessions } from './reject-shared-sessions.ts';
import { UnusableDatabase } from './reject-unusable.ts';

const types: Readonly<Record<string, ColumnType>> = { text: 'text', bigint: 'integer', bytea: 'bytes' };
/** The protocol counts the parameters of a statement with 16 bits; half of that keeps statements small. */
const parametersMax = 32_000;
/** The server notices the end of a session a moment later than its client. */
const looks = { max: 20, everyMs: 100 };

/**
 * Opens a database exclusively: no node may use it. While it is held, a node that starts waits at its migrations.
 * @param expect `filled`: it exists with the current schema, and is left unchanged; `any`: its tables are created or
 * migrated.
 * @throws NotHeld, never with the password.
 */
export async function holdPostgres(url: string, expect: 'filled' | 'any'): Promise<HeldDatabase> {
  try {
    await rejectSharedSessions(url);
    const connection = await openSession(url, 'schema');
    try {
      return await hold(connection, new URL(url).pathname.slice(1), expect);
    } catch (error) {
      await connection.close();
      throw error;
    }
  } catch (error) {
    if (!(error instanceof PostgresError || error instanceof UnusableDatabase)) throw error;
    const message = startError(url, error);
    throw new NotHeld(message instanceof Error ? message.message : String(message), { cause: error });
  }
}

async function hold(
  connection: Connection,
  database: string,
  expect: 'filled' | 'any',
): Promise<HeldDatabase> {
  // No request waits for this session, and its statements are larger than those of requests.
  await connection.commands(
    `set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0;
      set plan_cache_mode = auto; reset enable_seqscan; reset enable_bitmapscan; reset enable_hashjoin; reset enable_mergejoin`,
  );
  await rejectOthers(connection, database);
  if (expect === 'any') await makeSchema(connection, database);
  else await rejectOtherSchema(connection, database);
  const executor = reported(createPostgresExecutor(connection), database);
  const queries = compileQueries(postgresDialect);
  return {
    executor,
    reader: createReader(executor, queries),
    audit: createAuditWriter(executor, queries.audit),
    tables: await readTables(connection),
    selectText: (column) => column,
    rowsAtOnce: (columns) => Math.floor(parametersMax / columns),
    async change(sql, values) {
      await executor.once(sql, values);
    },
    async inTransaction(work) {
      await connection.commands('begin');
      try {
        await work();
        await connection.commands('commit');
      } catch (error) {
        if (!connection.isBroken && connection.isInTransaction) await connection.commands('rollback');
        throw tellable(error, database);
      }
    },
    [Symbol.asyncDispose]: () => connection.close(),
  };
}

/** Maps failures of the database to messages for the operator, who has to fix them. */
function reported(executor: Executor, database: string): Executor {
  const report = async <Result>(response: Promise<Result>): Promise<Result> => {
    try {
      return await response;
    } catch (error) {
      throw tellable(error, database);
    }
  };
  return {
    all: (sql, values) => report(executor.all(sql, values)),
    get: (sql, values) => report(executor.get(sql, values)),
    run: (sql, values) => report(executor.run(sql, values)),
    once: (sql, values) => report(executor.once(sql, values)),
    stepRows: executor.stepRows,
    breathe: () => executor.breathe(),
  };
}

function tellable(error: unknown, database: string): unknown {
  if (!(error instanceof PostgresError)) return error;
  return new NotHeld(
    `The database ${database} failed (${error.message}): fix that, and run the command again.`,
    { cause: error },
  );
}

async function rejectOthers(connection: Connection, database: string): Promise<void> {
  for (let look = 1; ; look += 1) {
    const locked = await connection.once('select pg_try_advisory_lock($1) as got', [migrationLock]);
    const others = await connection.once(
      `select count(*) as sessions from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and application_name = $1`,
      [applicationName],
    );
    if (locked.rows[0]?.got === 1 && others.rows[0]?.sessions === 0) return;
    if (look === looks.max) {
      throw new NotHeld(
        `The database ${database} is in use by a node or a command: stop all nodes, and wait for other commands to end. Then run the command again.`,
      );
    }
    await pause(looks.everyMs);
  }
}

const hasTables = `select exists (select from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where nspname = current_schema() and relkind in ('r', 'p')) as any_table,
  to_regclass('schema_migration') is not null as is_stoa`;

async function makeSchema(connection: Connection, database: string): Promise<void> {
  const { rows } = await connection.commands(hasTables);
  if (rows[0]?.any_table === 1 && rows[0]?.is_stoa === 0) {
    throw new NotHeld(
      `The database ${database} contains tables of another program: create an empty one (create database).`,
    );
  }
  await migrate(connection);
}

async function rejectOtherSchema(connection: Connection, database: string): Promise<void> {
  const { rows } = await connection.commands(hasTables);
  const reached =
    rows[0]?.is_stoa === 1
      ? (await connection.commands('select max(number) as reached from schema_migration')).rows[0]?.reached
      : null;
  if (reached === migrations.at(-1)?.number) return;
  throw new NotHeld(
    `The database ${database} is empty or of another release: check its address, run \`npm run admin -- check\` of this release, which brings it up to date, and run the command again.`,
  );
}

const columnsOfTables = `select t.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
    a.attidentity <> '' or a.attgenerated <> '' or pg_get_expr(d.adbin, d.adrelid) like 'nextval(%' as is_made
  from pg_class t join pg_namespace n on n.oid = t.relnamespace
    join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum
  where n.nspname = current_schema() and t.relkind in ('r', 'p') order by t.oid, a.attnum`;

/** Columns in unique indexes, including those behind functions (paths), identify rows. */
const keysOfTables = `select t.relname as table, i.indexrelid as index, a.attname as name
  from pg_index i join pg_class t on t.oid = i.indrelid join pg_namespace n on n.oid = t.relnamespace
    join lateral (select distinct refobjsubid from pg_depend
      where classid = 'pg_class'::regclass and objid = i.indexrelid and refobjid = t.oid and refobjsubid > 0
      union select unnest(i.indkey::int[])) part(attnum) on true
    join pg_attribute a on a.attrelid = t.oid and a.attnum = part.attnum
  where n.nspname = current_schema() and i.indisunique and i.indpred is null
    and not exists (select from pg_attribute nullable join pg_depend on refobjsubid = nullable.attnum
      where nullable.attrelid = t.oid and not nullable.attnotnull and objid = i.indexrelid and refobjid = t.oid)
    and not exists (select from pg_attribute nullable where nullable.attrelid = t.oid and not nullable.attnotnull
      and nullable.attnum = any (i.indkey::int[]))
  order by t.oid, not i.indisprimary, i.indexrelid, array_position(i.indkey::int[], a.attnum::int), a.attnum`;

async function readTables(connection: Connection): Promise<readonly HeldTable[]> {
  const columns = Map.groupBy((await connection.commands(columnsOfTables)).rows, ({ table }) =>
    String(table),
  );
  const keys = Map.groupBy((await connection.commands(keysOfTables)).rows, ({ table }) => String(table));
  return [...columns].map(([name, described]) => ({
    name,
    columns: described.map((column) => ({
      name: String(column.name),
      type: types[String(column.type)] ?? null,
      isMade: column.is_made === 1,
    })),
    keys: [...Map.groupBy(keys.get(name) ?? [], ({ index }) => index).values()].map((parts) =>
      parts.map((part) => String(part.name)),
    ),
  }));
}
