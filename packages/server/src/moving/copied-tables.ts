import type { ColumnType, HeldDatabase, HeldTable } from '../storage/held-database.ts';

/** Tables that belong to one database only, and why they are not copied. */
export const ownTables: Readonly<Record<string, string>> = {
  schema_migration: 'the migrations of its own schema',
  server_secret: 'shared secrets of its nodes; secrets of users are copied by name',
  access_epoch: 'a number that only running processes compare',
  commit_attempt: 'marks of commits that no process waits for any more',
  scrub_state: 'progress of the scrub of its own contents',
  audit_retention: 'the end of its own deleted entries; the log itself is copied',
  word_index: 'rebuilt from the contents, in another form for each database',
  word_index_part: 'as the index',
  word_index_entry: 'as the index',
  word_index_list: 'as the index',
};

export interface TransferredColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/** A table that exists on both sides. */
export interface TransferredTable {
  readonly name: string;
  /** In the order of the source. */
  readonly columns: readonly TransferredColumn[];
  /** The key by which each side reads it in pages: its own index if it has one. */
  readonly key: { readonly source: readonly string[]; readonly target: readonly string[] };
}

/**
 * Returns the tables to copy, derived from both schemas, so that a column of a later migration is included
 * automatically. They are in the order in which the target created its tables, so that referenced rows come first.
 * @throws Error if the two do not have the same tables with the same columns
 */
export function transferredTables(
  source: Pick<HeldDatabase, 'tables'>,
  target: Pick<HeldDatabase, 'tables'>,
): readonly TransferredTable[] {
  const isTransferred = ({ name }: HeldTable) => !Object.hasOwn(ownTables, name);
  const from = new Map(source.tables.filter(isTransferred).map((table) => [table.name, table]));
  const transferred = target.tables.filter(isTransferred).map((table) => {
    const found = from.get(table.name);
    from.delete(table.name);
    if (found === undefined) throw new Error(`only one database has a table ${table.name}`);
    return sameTable(found, table);
  });
  for (const name of from.keys()) throw new Error(`only one database has a table ${name}`);
  return transferred;
}

function sameTable(source: HeldTable, target: HeldTable): TransferredTable {
  const { name } = source;
  const there = new Map(target.columns.map((column) => [column.name, column]));
  const columns = source.columns.map((column) => {
    const other = there.get(column.name);
    const isSame = other?.type === column.type && !other.isMade && !column.isMade;
    if (column.type === null || !isSame) {
      throw new Error(`the databases have different columns ${name}.${column.name}`);
    }
    return { name: column.name, type: column.type };
  });
  if (columns.length !== target.columns.length)
    throw new Error(`the databases have different columns of ${name}`);
  const key = { source: source.keys[0] ?? target.keys[0], target: target.keys[0] ?? source.keys[0] };
  if (key.source === undefined || key.target === undefined) {
    // Applies to two PostgreSQL databases.
    throw new Error(`the rows of ${name} have no key`);
  }
  return { name, columns, key: { source: key.source, target: key.target } };
}
