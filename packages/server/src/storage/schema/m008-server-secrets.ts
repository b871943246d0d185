import type { Migration } from './migration.ts';

/** Secrets that the nodes of an installation share. A single machine keeps its own in a file, and nothing here. */
export const m008ServerSecrets: Migration = {
  number: 8,
  name: 'server secrets',
  statements: ({ text, integer, heapTable }) => [
    `create table server_secret (
      name ${text} not null primary key,
      value ${text} not null,
      created_at ${integer} not null
    ) ${heapTable}`,
  ],
};
