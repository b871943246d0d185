import type { Migration } from './migration.ts';

/**
 * Front matter by content: a file that is moved, restored or copied keeps it. Contents that existed before this
 * migration go to a list that running servers work through.
 */
export const m002FrontMatter: Migration = {
  number: 2,
  name: 'front matter',
  statements: ({ text, keyedTable }) => [
    `create table front_matter (
      workspace_id ${text} not null,
      content_hash ${text} not null,
      date ${text},
      title ${text},
      view ${text},
      primary key (workspace_id, content_hash)
    ) ${keyedTable}`,
    `create table front_matter_unread (
      workspace_id ${text} not null,
      content_hash ${text} not null,
      primary key (workspace_id, content_hash)
    ) ${keyedTable}`,
    // In the order of both keys, so that neither database reads the bytes, and rows are appended.
    `insert into front_matter_unread (workspace_id, content_hash)
      select workspace_id, content_hash from blob order by workspace_id, content_hash`,
  ],
};
