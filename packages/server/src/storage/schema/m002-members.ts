import type { Migration } from './migration.ts';

/**
 * Invites, who was removed when, and the images that workspaces have for icons.
 *
 * Settings from before the server looked at them are cleared: theme CSS was kept as it came, and an icon could be the
 * address of anything.
 */
export const m002Members: Migration = {
  number: 2,
  name: 'members',
  statements: ({ text, integer, bytes, keyedTable, heapTable }) => [
    `create table invite (
      id ${text} not null primary key,
      token_hash ${text} not null unique,
      workspace_id ${text} not null references workspace (id),
      created_by ${text} not null,
      created_at ${integer} not null,
      expires_at ${integer} not null,
      max_uses ${integer},
      uses_left ${integer}
    ) ${heapTable}`,
    `create index invite_by_workspace on invite (workspace_id, created_at, id)`,
    `create table removed_member (
      workspace_id ${text} not null references workspace (id),
      user_id ${text} not null,
      removed_at ${integer} not null,
      primary key (workspace_id, user_id)
    ) ${keyedTable}`,
    `create table workspace_image (
      workspace_id ${text} not null primary key references workspace (id),
      content_hash ${text} not null,
      image_type ${text} not null,
      bytes ${bytes} not null
    ) ${heapTable}`,
    `update workspace set theme_css = null where theme_css is not null`,
    `update workspace set icon = null where icon like '%/%' or icon like 'image:%'`,
  ],
};
