// docs/decisions/0086-signs-are-letters-to-the-index.md
import type { Migration } from './migration.ts';

/**
 * The index of contents, where it is kept in this database, has letters for signs. What was there is forgotten: nodes make it
 * anew from the contents, and searches read the files until then.
 */
export const m015SignsAsLetters: Migration = {
  number: 15,
  name: 'signs as letters in the content index',
  statements: ({ keepsContentIndex }) =>
    keepsContentIndex
      ? ['truncate content_index_part', 'truncate content_index', 'delete from content_index_place']
      : [],
};
