import type { ColumnType, HeldDatabase, HeldTable } from '../storage/held-database.ts';

/** Tables that say something of one database alone, and why none of it is carried to another. */
export const ownTables: Readonly<Record<string, string>> = {
  schema_migration: 'the steps of its own schema',
  server_secret: 'what its nodes have in common; the secrets of people are carried by name',
  access_epoch: 'a number that only running processes compare',
  commit_attempt: 'marks of commits that nobody waits for any more',
  scrub_state: 'how far the contents of its own place were read again',
  audit_retention: 'up to when it forgot its own rows; the log itself is carried',
  content_index: 'made anew from the contents, in another form for each database',
  content_index_part: 'as the index',
  content_index_place: 'as the index',
};

export interface CarriedColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/** A table that is the same on both sides. */
export interface CarriedTable {
  readonly name: string;
  /** In the order of the source. */
  readonly columns: readonly CarriedColumn[];
  /** By which each side reads it a page at a time: its own index, where it has one. */
  readonly key: { readonly source: readonly string[]; readonly target: readonly string[] };
}

/**
 * What is carried from one database to the other, found in both as they are: a column that a later migration adds is carried
 * without a word here. In the order in which the target made its tables, so that what a row refers to is there before it.
 * @throws Error when the two do not have the same tables with the same columns.
 */
export function carriedTables(
  source: Pick<HeldDatabase, 'tables'>,
  target: Pick<HeldDatabase, 'tables'>,
): readonly CarriedTable[] {
  const isCarried = ({ name }: HeldTable) => !Object.hasOwn(ownTables, name);
  const from = new Map(source.tables.filter(isCarried).map((table) => [table.name, table]));
  const carried = target.tables.filter(isCarried).map((table) => {
    const found = from.get(table.name);
    from.delete(table.name);
    if (found === undefined) throw new Error(`only one database has a table ${table.name}`);
    return sameTable(found, table);
  });
  for (const name of from.keys()) throw new Error(`only one database has a table ${name}`);
  return carried;
}

function sameTable(source: HeldTable, target: HeldTable): CarriedTable {
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
    // Two PostgreSQL databases: see docs/decisions/0033.
    throw new Error(`nothing tells the rows of ${name} apart`);
  }
  return { name, columns, key: { source: key.source, target: key.target } };
}
