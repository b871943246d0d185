import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { type PathKeys, plainPathKeys, splitPathKeys } from './path-keys.ts';
import type { Tables } from './tables.ts';

/** Differences between the SQL of the databases. Queries are written once against this. */
export interface QueryDialect {
  /** Compiles, never connects. */
  readonly db: Kysely<Tables>;
  /** The function (text, part) → position of the first `part` from 1, 0 without a match. */
  readonly positionFunction: string;
  readonly paths: PathKeys;
  /** Whether rows are locked by `for update`: SQLite has one writer at a time anyway. */
  readonly locksRows: boolean;
  /** The column of the primary key of `file` in addition to the workspace. */
  readonly fileKey: 'path' | 'incarnation';
  /** SQL that lists faults of the database's files, one line each; null where the database has no such check. */
  readonly damage: string | null;
  /**
   * SQL for the latest time, by the database's clock, up to which every commit is visible to later readers; null where
   * it is not needed.
   */
  readonly settledMoment: string | null;
}

export const sqliteDialect: QueryDialect = {
  db: new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  }),
  positionFunction: 'instr',
  paths: plainPathKeys,
  locksRows: false,
  fileKey: 'path',
  damage: `select integrity_check as line from pragma_integrity_check where integrity_check <> 'ok'
    union all select 'a row of ' || "table" || ' refers to one of ' || parent || ' that is not there'
    from pragma_foreign_key_check`,
  settledMoment: null,
};

export const postgresDialect: QueryDialect = {
  db: new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }),
  positionFunction: 'strpos',
  paths: splitPathKeys,
  locksRows: true,
  fileKey: 'incarnation',
  damage: null,
  // A commit has the time of its beginning in the log, and becomes visible later.
  settledMoment: `select coalesce(min(xact_start), clock_timestamp())::text as moment from pg_stat_activity
    where datname = current_database() and backend_xid is not null`,
};
