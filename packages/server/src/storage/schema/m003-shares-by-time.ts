import type { Migration } from './migration.ts';

/** Index for listing a workspace's links newest first, page by page. */
export const m003SharesByTime: Migration = {
  number: 3,
  name: 'shares by time',
  statements: () => ['create index share_by_time on share (workspace_id, created_at, id)'],
};
