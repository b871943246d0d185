import type { Migration } from './migration.ts';

/**
 * The confirmed position of a key, and the cursors of single paths as JSON. Those are read and written only with the
 * row of the whole workspace, and paths are too long for a key on PostgreSQL.
 */
export const m017BookmarksByPath: Migration = {
  number: 17,
  name: 'bookmarks by path',
  statements: ({ text, integer }) => [
    `alter table bookmark add column confirmed_seq ${integer} not null default 0`,
    `alter table bookmark add column by_path ${text}`,
    'update bookmark set confirmed_seq = start_seq',
  ],
};
