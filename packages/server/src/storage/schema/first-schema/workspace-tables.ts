import type { ColumnTypes } from '../column-types.ts';

/**
 * Workspaces, their members, invites and images.
 *
 * Every write updates the counters, so they are separate from the settings: otherwise it would rewrite a theme of 64
 * KiB.
 */
export function workspaceTables({ text, integer, bytes, keyedTable, heapTable }: ColumnTypes): string[] {
  return [
    `create table workspace (
      id ${text} not null primary key,
      name ${text} not null,
      icon ${text},
      color ${text},
      theme ${text},
      theme_css ${text},
      plan_id ${text},
      lapsed ${integer} not null,
      created_at ${integer} not null
    ) ${heapTable}`,
    `create table workspace_counter (
      workspace_id ${text} not null primary key references workspace (id),
      seq ${integer} not null,
      used_bytes ${integer} not null,
      used_files ${integer} not null,
      history_bytes ${integer} not null,
      comments ${integer} not null,
      privacy_records ${integer} not null
    ) ${keyedTable}`,
    `create table workspace_image (
      workspace_id ${text} not null primary key references workspace (id),
      content_hash ${text} not null,
      image_type ${text} not null,
      bytes ${bytes} not null
    ) ${heapTable}`,
    `create table member (
      workspace_id ${text} not null references workspace (id),
      user_id ${text} not null,
      role ${text} not null,
      created_at ${integer} not null,
      joined_seq ${integer} not null,
      primary key (workspace_id, user_id)
    ) ${keyedTable}`,
    `create index member_by_user on member (user_id, workspace_id)`,
    `create table removed_member (
      workspace_id ${text} not null references workspace (id),
      user_id ${text} not null,
      removed_at ${integer} not null,
      primary key (workspace_id, user_id)
    ) ${keyedTable}`,
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
    'create index invite_by_creator on invite (created_by)',
  ];
}
