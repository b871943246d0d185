import type { Migration } from './migration.ts';

/**
 * The version of the file that the writer of a conflicted copy had read. It includes the content hash, because numbers
 * restart after a delete or a move. Unknown for copies from before this migration.
 */
export const m005ConflictBase: Migration = {
  number: 5,
  name: 'conflict base',
  statements: ({ text, integer }) => [
    `alter table file_version add column conflict_base ${integer}`,
    `alter table file_version add column conflict_base_hash ${text}`,
    `alter table change add column conflict_base ${integer}`,
  ],
};
