// docs/decisions/0026-content-index.md
import type { Migration } from './migration.ts';

/**
 * The content index, where it is in this database, stores texts in parts, so that a search reads few parts of a long
 * text. Existing entries are dropped: nodes rebuild them from the contents, and searches read the files until then.
 */
export const m014ContentIndexParts: Migration = {
  number: 14,
  name: 'content index in parts',
  statements: ({ text, integer, keepsContentIndex }) =>
    keepsContentIndex
      ? [
          'drop table content_index',
          'delete from content_index_place',
          `create table content_index (
            id ${integer} generated always as identity,
            workspace_id ${text} not null,
            content_hash ${text} not null,
            is_text ${integer} not null,
            primary key (workspace_id, content_hash)
          )`,
          'create index content_index_by_id on content_index (workspace_id, id)',
          `create table content_index_part (
            content_id ${integer} not null,
            folded ${text} not null
          )`,
          // Stored in the row: reading a part then needs one page, and not those of a separate table.
          'alter table content_index_part alter column folded set storage main',
          'create index content_index_part_by_content on content_index_part (content_id)',
        ]
      : [],
};
