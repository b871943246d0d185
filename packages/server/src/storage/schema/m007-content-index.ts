import type { Migration } from './migration.ts';

/**
 * What searches in contents ask, where it is kept in this database: a text by its content, folded, and null for what is not
 * text. The index on the text is made when a node starts, since it rests on an extension. SQLite has it in a file of its own.
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
