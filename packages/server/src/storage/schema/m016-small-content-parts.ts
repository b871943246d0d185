// docs/decisions/0090-small-parts-and-a-sample-first.md
import type { Migration } from './migration.ts';

/**
 * The index of contents, where it is kept in this database, has smaller parts. What was there is forgotten: nodes make it anew
 * from the contents, and searches read the files until then.
 */
export const m016SmallContentParts: Migration = {
  number: 16,
  name: 'small parts in the content index',
  statements: ({ keepsContentIndex }) =>
    keepsContentIndex
      ? ['truncate content_index_part', 'truncate content_index', 'delete from content_index_place']
      : [],
};
