import type { Migration } from './migration.ts';

/**
 * Contents whose bytes were found missing or wrong, with what there is of them: the same one may be found wrong, written anew,
 * and found wrong again. And how far the reading of everything that is stored has come, in one row that one node at a time holds.
 */
export const m009Scrub: Migration = {
  number: 9,
  name: 'scrub',
  statements: ({ text, integer, bytes, heapTable }) => [
    `create table quarantined_content (
      workspace_id ${text} not null,
      content_hash ${text} not null,
      size_bytes ${integer} not null,
      bytes ${bytes},
      generation ${text},
      created_at ${integer} not null,
      fault ${text} not null,
      found_at ${integer} not null,
      primary key (workspace_id, content_hash, found_at)
    ) ${heapTable}`,
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
  ],
};
