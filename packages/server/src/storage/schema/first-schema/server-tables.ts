import type { ColumnTypes } from '../column-types.ts';

/** Rows that the nodes of one installation share beside their users' data. */
export function serverTables({ text, integer, heapTable, marksCommits }: ColumnTypes): string[] {
  return [
    // A single machine keeps its secrets in a file, and nothing here.
    `create table server_secret (
      name ${text} not null primary key,
      value ${text} not null,
      created_at ${integer} not null
    ) ${heapTable}`,
    // A row for each commit whose answer could have been lost, and what became of it: `kept`, or `given up` by the node
    // that asked and found no row. The time is the database's own, for the sweep.
    ...(marksCommits
      ? [
          `create table commit_attempt (
            id ${text} not null primary key,
            verdict ${text} not null,
            made_at ${integer} not null default (extract(epoch from clock_timestamp()) * 1000)
          ) ${heapTable}`,
          `create index commit_attempt_by_time on commit_attempt (made_at)`,
        ]
      : []),
  ];
}
