/**
 * What the two databases call the same thing. Text is ordered by code point, integers hold at least 53 bits, and the
 * table options close a `create table`: small rows live in their primary key's own order where the database can.
 */
export interface ColumnTypes {
  readonly text: string;
  readonly integer: string;
  readonly bytes: string;
  readonly keyedTable: string;
  readonly heapTable: string;
  /** Whether an index may hold whole paths, also two of them: see docs/decisions/0033. */
  readonly indexesHoldAnyPath: boolean;
  /** The part of a path in an index, in order by code point. */
  indexedPath(column: string): string;
  /** Whether a commit can be made and its answer lost, so that each leaves a mark by which that is found out. */
  readonly marksCommits: boolean;
  /** Whether the index of contents lies in this database: see docs/decisions/0059. */
  readonly keepsContentIndex: boolean;
  /** Whether who may do what is remembered by a process, and checked against a number that the database moves. */
  readonly remembersAccess: boolean;
  /** Whether what a trigger does stands in a function, not in the trigger. */
  readonly triggersCallFunctions: boolean;
}

export const sqliteColumnTypes: ColumnTypes = {
  text: 'text',
  integer: 'integer',
  bytes: 'blob',
  keyedTable: 'strict, without rowid',
  heapTable: 'strict',
  indexesHoldAnyPath: true,
  indexedPath: (column) => column,
  marksCommits: false,
  keepsContentIndex: false,
  remembersAccess: true,
  triggersCallFunctions: false,
};

export const postgresColumnTypes: ColumnTypes = {
  text: 'text collate "C"',
  integer: 'bigint',
  bytes: 'bytea',
  keyedTable: '',
  heapTable: '',
  indexesHoldAnyPath: false,
  indexedPath: (column) => `path_head(${column}), path_rest(${column})`,
  marksCommits: true,
  keepsContentIndex: true,
  remembersAccess: false,
  triggersCallFunctions: true,
};
