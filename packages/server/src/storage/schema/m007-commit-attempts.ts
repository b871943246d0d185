import type { Migration } from './migration.ts';

/**
 * One row per commit whose answer could have been lost, and what became of it: `kept`, or `given up` by whoever asked
 * and found no row. Its time is the database's own, for the sweep.
 */
export const m007CommitAttempts: Migration = {
  number: 7,
  name: 'commit attempts',
  statements: ({ text, integer, heapTable, marksCommits }) =>
    marksCommits
      ? [
          `create table commit_attempt (
            id ${text} not null primary key,
            verdict ${text} not null,
            made_at ${integer} not null default (extract(epoch from clock_timestamp()) * 1000)
          ) ${heapTable}`,
          `create index commit_attempt_by_time on commit_attempt (made_at)`,
        ]
      : [],
};
