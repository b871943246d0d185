import type { Migration } from './migration.ts';

/** Catch-up cursors: for each key and workspace two positions in the feed, with their times. */
export const m004CatchUp: Migration = {
  number: 4,
  name: 'catch up',
  statements: ({ text, integer, keyedTable }) => [
    `create table bookmark (
      key_id ${text} not null,
      workspace_id ${text} not null,
      start_seq ${integer} not null,
      start_at ${integer} not null,
      head_seq ${integer} not null,
      answered_at ${integer} not null,
      primary key (key_id, workspace_id)
    ) ${keyedTable}`,
  ],
};
