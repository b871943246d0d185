import type { Migration } from './migration.ts';

/**
 * When an operator ended somebody's access; null for everybody else. What triggers there are on the table move the access
 * epoch with it. The indexes find what somebody has in all workspaces, when they are disabled, handed over or removed.
 */
export const m010DisabledPeople: Migration = {
  number: 10,
  name: 'disabled people',
  statements: ({ integer }) => [
    `alter table "user" add column "disabledAt" ${integer}`,
    'create index share_by_creator on share (created_by)',
    'create index invite_by_creator on invite (created_by)',
    'create index node_privacy_by_owner on node_privacy (owner_id, workspace_id)',
  ],
};
