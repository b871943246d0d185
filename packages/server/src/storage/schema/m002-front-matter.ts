import type { Migration } from './migration.ts';

/**
 * What markdown files say of themselves, by content: a file that moves, is restored or is copied keeps it. What was kept
 * before this step is put on a list, which the servers work off while they run.
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
    // In the order of both keys, so that neither database looks at the bytes, and rows are added at the end.
    `insert into front_matter_unread (workspace_id, content_hash)
      select workspace_id, content_hash from blob order by workspace_id, content_hash`,
  ],
};
