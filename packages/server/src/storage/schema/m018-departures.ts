import type { Migration } from './migration.ts';

/** Index of deletes by path: they are few among all changes of a workspace. */
export const m018Departures: Migration = {
  number: 18,
  name: 'departures by path',
  statements: ({ indexedPath }) => [
    `create index change_departures on change (workspace_id, ${indexedPath('path')}, seq) where op = 'delete'`,
  ],
};
