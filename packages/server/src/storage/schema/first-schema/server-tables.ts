import type { ColumnTypes } from '../column-types.ts';

/** Rows that the nodes of one installation share, in addition to their users' data. */
export function serverTables({ text, integer, heapTable, marksCommits }: ColumnTypes): string[] {
  return [
    // A single machine stores its secrets in a file, and none here.
    `create table server_secret (
      name ${text} not null primary key,
      value ${text} not null,
      created_at ${integer} not null
    ) ${heapTable}`,
    // The progress of the scrub is one row, which one node at a time holds.
    `create table scrub_state (
      id ${integer} not null primary key,
      started_at ${integer},
      after_workspace_id ${text} not null,
      after_content_hash ${text} not null,
      contents ${integer} not null,
      bytes ${integer} not null,
      wrong ${integer} not null,
      verified_since ${integer},
      holder ${text},
      held_until ${integer} not null
    ) ${heapTable}`,
    // A row for each commit whose response could have been lost, and its outcome: `kept`, or `given up` by the node
    // that checked and found no row. The time is the database's own, for the sweep.
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
