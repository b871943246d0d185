import type { Migration } from './migration.ts';

/** The links of a workspace are listed newest first, a page at a time. */
export const m003SharesByTime: Migration = {
  number: 3,
  name: 'shares by time',
  statements: () => ['create index share_by_time on share (workspace_id, created_at, id)'],
};
