import type { Migration } from './migration.ts';

/**
 * What the writer of a conflicted copy had read of the file: the version, and its content, since numbers begin again after
 * a delete or a move. Not known of copies that were made before this step.
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
