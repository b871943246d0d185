// docs/decisions/0009-api-keys-and-sign-in.md
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import {
  executeLibraryStatementScript,
  type LibraryParameter,
} from '../service/people/execute-library-statement.ts';
import type { MetadataStore } from '../service/ports/metadata-store.ts';
import type { LibraryNotes } from './library-notes.ts';
import { storeErrors } from './store-errors.ts';

/**
 * Runs the sign-in library's SQL on the metadata store: selects by the reader, everything else as a script, so that
 * there is one writer and one durable commit. Each statement is its own transaction, and the library is configured
 * without transactions. Changes that must be atomic (an account and its password) do not use it.
 */
export function storeDialect(store: MetadataStore, notesOf: LibraryNotes): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => storeDriver(store, notesOf),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

function storeDriver(store: MetadataStore, notesOf: LibraryNotes): Driver {
  const connection: DatabaseConnection = {
    executeQuery: (query) => storeErrors.note(() => execute(store, query, notesOf)),
    streamQuery: () => reject('stream rows'),
  };
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: async () => reject('begin a transaction'),
    commitTransaction: async () => reject('commit a transaction'),
    rollbackTransaction: async () => reject('roll a transaction back'),
    releaseConnection: async () => {},
    // The composition root owns the store and closes it.
    destroy: async () => {},
  };
}

async function execute<Row>(
  store: MetadataStore,
  query: CompiledQuery,
  notesOf: LibraryNotes,
): Promise<QueryResult<Row>> {
  const parameters = query.parameters.map(libraryParameter);
  if (SelectQueryNode.is(query.query)) {
    const rows = await store.reader.library.select(query.sql, parameters);
    return { rows: rows as Row[] };
  }
  const { rows, changedRows } = await store.transact(executeLibraryStatementScript, {
    sql: query.sql,
    parameters,
    note: notesOf(query),
  });
  return { rows: rows as Row[], numAffectedRows: BigInt(changedRows) };
}

function libraryParameter(value: unknown): LibraryParameter {
  if (value === null || value instanceof Uint8Array) return value;
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'bigint':
      return value;
    default:
      throw new TypeError(`the sign-in library bound a ${typeof value}, which no column of its tables holds`);
  }
}

function reject(what: string): never {
  throw new Error(`the sign-in library tried to ${what}, which its dialect does not offer`);
}
