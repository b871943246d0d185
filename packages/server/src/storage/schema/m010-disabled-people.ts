import type { Migration } from './migration.ts';

/**
 * When an operator ended somebody's access; null for everybody else. What triggers there are on the table move the access
 * epoch with it.
 */
export const m010DisabledPeople: Migration = {
  number: 10,
  name: 'disabled people',
  statements: ({ integer }) => [`alter table "user" add column "disabledAt" ${integer}`],
};
