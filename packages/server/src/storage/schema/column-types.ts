/**
 * Names of equivalent features in the two databases. Text is ordered by code point, integers hold at least 53 bits. The
 * table options end a `create table`: small rows are stored in primary key order where the database can do that.
 */
export interface ColumnTypes {
  readonly text: string;
  readonly integer: string;
  readonly bytes: string;
  readonly keyedTable: string;
  readonly heapTable: string;
  /** Whether an index entry can hold whole paths, even two of them: see docs/decisions/0014-postgresql-queues.md. */
  readonly indexesHoldAnyPath: boolean;
  /** The part of a path in an index, in order by code point. */
  indexedPath(column: string): string;
  /** Whether the response to a commit can be lost, so that each commit writes a mark for finding its outcome. */
  readonly marksCommits: boolean;
  /** Whether this database contains the index of words: see docs/decisions/0026-content-index.md. */
  readonly keepsWordIndex: boolean;
  /** Whether a process caches access, validated by an epoch that the database increments. */
  readonly remembersAccess: boolean;
  /** Whether a trigger's body is in a function, not in the trigger. */
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
  keepsWordIndex: false,
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
  keepsWordIndex: true,
  remembersAccess: false,
  triggersCallFunctions: true,
};
