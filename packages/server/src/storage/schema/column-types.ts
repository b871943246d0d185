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
}

export const sqliteColumnTypes: ColumnTypes = {
  text: 'text',
  integer: 'integer',
  bytes: 'blob',
  keyedTable: 'strict, without rowid',
  heapTable: 'strict',
};
