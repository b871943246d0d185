import type { Migration } from './migration.ts';

/**
 * The time at which an operator disabled an account; null for all others. The table's existing triggers increment the
 * access epoch. The indexes find a user's links, invites and private items in all workspaces, to disable, hand over or
 * remove the account.
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
