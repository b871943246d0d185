import type { Migration } from './migration.ts';

/**
 * Contents in quarantine, with any bytes that remain: the same content may be found corrupt, be written again, and be
 * found corrupt again. The progress of the scrub is one row, which one node at a time holds.
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
