// docs/decisions/0026-content-index.md
import type { Migration } from './migration.ts';

/**
 * The content index, where it is in this database, has smaller parts. Existing entries are dropped: nodes rebuild them
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
