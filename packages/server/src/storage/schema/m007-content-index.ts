import type { Migration } from './migration.ts';

/**
 * The content index, where it is in this database: the folded text of each content, null for a content that is not
 * text. A starting node creates the index on the text, since that needs an extension. SQLite has the content index in a
 * file of its own.
 */
export const m007ContentIndex: Migration = {
  number: 7,
  name: 'content index',
  statements: ({ text, integer, keepsContentIndex }) =>
    keepsContentIndex
      ? [
          `create table content_index_place (
            workspace_id ${text} not null primary key,
            seq ${integer} not null,
            mark ${text} not null
          )`,
          `create table content_index (
            id ${integer} generated always as identity,
            workspace_id ${text} not null,
            content_hash ${text} not null,
            folded text,
            primary key (workspace_id, content_hash)
          )`,
          `create index content_index_by_id on content_index (workspace_id, id)`,
        ]
      : [],
};
