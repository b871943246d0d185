// docs/decisions/0026-content-index.md
import type { Migration } from './migration.ts';

/** The tokens of a list, each behind the label of its part. A query must have the same expression to use the index. */
export const indexedTokens = `array_to_tsvector(string_to_array(label || replace(words, e'\\n', e'\\n' || label), e'\\n'))`;

/**
 * The index of words, where it is in this database: the contents of each part of a workspace, and the words of each
 * content. Nodes rebuild it from the contents. SQLite has it in a file of its own.
 */
export const m020WordIndex: Migration = {
  number: 20,
  name: 'word index',
  statements: ({ text, integer, keepsWordIndex }) =>
    keepsWordIndex
      ? [
          'drop table if exists content_index, content_index_part, content_index_place',
          `create table word_index (
            workspace_id ${text} not null primary key,
            generation ${text} not null
          )`,
          `create table word_index_part (
            number ${integer} generated always as identity,
            workspace_id ${text} not null,
            name ${text} not null,
            primary key (workspace_id, name)
          )`,
          `create table word_index_entry (
            id ${integer} generated always as identity primary key,
            workspace_id ${text} not null,
            part ${integer} not null,
            content_hash ${text} not null,
            is_text ${integer} not null,
            unique (part, content_hash)
          )`,
          'create index word_index_entry_of_workspace on word_index_entry (workspace_id, id)',
          // A long text has several rows, because the tokens of a row have a limit.
          `create table word_index_list (
            entry_id ${integer} not null,
            label ${text} not null,
            words ${text} not null,
            long_words ${text} not null
          )`,
          'create index word_index_list_of_entry on word_index_list (entry_id)',
          // Without a list of pending rows, which every search would read whole.
          `create index word_index_list_tokens on word_index_list using gin (${indexedTokens}) with (fastupdate = off)`,
        ]
      : [],
};
