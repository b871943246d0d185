import type { ColumnTypes } from './column-types.ts';
import type { Migration } from './migration.ts';

/**
 * People, workspaces, files with their versions and bytes, the feed, and API keys.
 *
 * A durable write pays for each page it touches, so indexes in random order are few: a file's path, a content's hash,
 * and, when a stay begins, the path of its first version. Everything else grows at its end.
 */
export const m001Foundation: Migration = {
  number: 1,
  name: 'foundation',
  statements: (types) => [
    ...peopleTables(types),
    ...workspaceTables(types),
    ...fileTables(types),
    ...feedTables(types),
    ...nodeTables(types),
    ...credentialTables(types),
  ],
};

// Names and nullability are the sign-in library's, which checks them at start.
function peopleTables({ text, integer, heapTable }: ColumnTypes): string[] {
  return [
    `create table "user" (
      "id" ${text} not null primary key,
      "name" ${text} not null,
      "email" ${text} not null unique,
      "emailVerified" ${integer} not null,
      "image" ${text},
      "createdAt" ${text} not null,
      "updatedAt" ${text} not null
    ) ${heapTable}`,
    `create index user_by_creation on "user" ("createdAt", "id")`,
    `create table "session" (
      "id" ${text} not null primary key,
      "expiresAt" ${text} not null,
      "token" ${text} not null unique,
      "createdAt" ${text} not null,
      "updatedAt" ${text} not null,
      "ipAddress" ${text},
      "userAgent" ${text},
      "userId" ${text} not null references "user" ("id") on delete cascade
    ) ${heapTable}`,
    `create index session_by_user on "session" ("userId")`,
    `create table "account" (
      "id" ${text} not null primary key,
      "accountId" ${text} not null,
      "providerId" ${text} not null,
      "userId" ${text} not null references "user" ("id") on delete cascade,
      "accessToken" ${text},
      "refreshToken" ${text},
      "idToken" ${text},
      "accessTokenExpiresAt" ${text},
      "refreshTokenExpiresAt" ${text},
      "scope" ${text},
      "password" ${text},
      "createdAt" ${text} not null,
      "updatedAt" ${text} not null
    ) ${heapTable}`,
    `create index account_by_user on "account" ("userId")`,
    `create table "verification" (
      "id" ${text} not null primary key,
      "identifier" ${text} not null,
      "value" ${text} not null,
      "expiresAt" ${text} not null,
      "createdAt" ${text} not null,
      "updatedAt" ${text} not null
    ) ${heapTable}`,
    `create index verification_by_identifier on "verification" ("identifier")`,
  ];
}

// Every write updates the counters: apart from the settings, so that it never rewrites a theme of 64 KiB.
function workspaceTables({ text, integer, keyedTable, heapTable }: ColumnTypes): string[] {
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
      privacy_records ${integer} not null
    ) ${keyedTable}`,
    `create table member (
      workspace_id ${text} not null references workspace (id),
      user_id ${text} not null,
      role ${text} not null,
      created_at ${integer} not null,
      primary key (workspace_id, user_id)
    ) ${keyedTable}`,
    `create index member_by_user on member (user_id, workspace_id)`,
  ];
}

function fileTables({
  text,
  integer,
  bytes,
  keyedTable,
  heapTable,
  indexesHoldAnyPath,
}: ColumnTypes): string[] {
  return [
    `create table file (
      workspace_id ${text} not null,
      path ${text} not null,
      incarnation ${integer} not null,
      version ${integer} not null,
      size_bytes ${integer} not null,
      content_type ${text} not null,
      content_hash ${text} not null,
      primary key (workspace_id, path)
    ) ${keyedTable}`,
    `create table file_version (
      workspace_id ${text} not null,
      incarnation ${integer} not null,
      version ${integer} not null,
      path ${text} not null,
      size_bytes ${integer} not null,
      content_type ${text} not null,
      content_hash ${text} not null,
      op ${text} not null,
      principal ${text} not null,
      actor_id ${text} not null,
      actor_key_id ${text},
      actor_label ${text},
      created_at ${integer} not null,
      moved_from_path ${text},
      moved_from_incarnation ${integer},
      conflict_of ${text},
      primary key (workspace_id, incarnation, version)
    ) ${keyedTable}`,
    // A stay has one path, so its first version stands for it: later versions leave this index alone.
    `create index file_version_stays on file_version (workspace_id, path, incarnation) where version = 1`,
    // With the path in it, the index alone answers which copies there are: else the planner reads every version.
    `create index file_version_copies on file_version (workspace_id, conflict_of, incarnation${indexesHoldAnyPath ? ', path' : ''})
      where conflict_of is not null`,
    // The bytes are written at the table's end whatever their hash; only the index is in random order.
    `create table blob (
      workspace_id ${text} not null,
      content_hash ${text} not null,
      size_bytes ${integer} not null,
      bytes ${bytes},
      generation ${text},
      created_at ${integer} not null,
      check ((bytes is null) <> (generation is null))
    ) ${heapTable}`,
    `create unique index blob_by_hash on blob (workspace_id, content_hash)`,
    `create index blob_by_generation on blob (workspace_id, generation) where generation is not null`,
  ];
}

function feedTables({ text, integer, keyedTable }: ColumnTypes): string[] {
  return [
    `create table change (
      workspace_id ${text} not null,
      seq ${integer} not null,
      path ${text} not null,
      op ${text} not null,
      version ${integer},
      content_hash ${text},
      principal ${text} not null,
      actor_id ${text} not null,
      actor_key_id ${text},
      actor_label ${text},
      created_at ${integer} not null,
      moved_from ${text},
      conflict_of ${text},
      only_user_id ${text},
      except_user_id ${text},
      primary key (workspace_id, seq)
    ) ${keyedTable}`,
    `create index change_by_time on change (workspace_id, created_at, seq)`,
  ];
}

function nodeTables({ text, integer, keyedTable }: ColumnTypes): string[] {
  return [
    `create table node_icon (
      workspace_id ${text} not null,
      path ${text} not null,
      icon ${text} not null,
      primary key (workspace_id, path)
    ) ${keyedTable}`,
    `create table node_order (
      workspace_id ${text} not null,
      path ${text} not null,
      position ${integer} not null,
      primary key (workspace_id, path)
    ) ${keyedTable}`,
    `create table node_privacy (
      workspace_id ${text} not null,
      path ${text} not null,
      kind ${text} not null,
      owner_id ${text} not null,
      implied ${integer} not null,
      primary key (workspace_id, path)
    ) ${keyedTable}`,
  ];
}

function credentialTables({ text, integer, heapTable, keyedTable }: ColumnTypes): string[] {
  return [
    `create table api_key (
      id ${text} not null primary key,
      secret_hash ${text} not null unique,
      user_id ${text} not null,
      workspace_id ${text},
      name ${text} not null,
      start ${text} not null,
      principal ${text} not null,
      disabled ${integer} not null,
      expires_at ${integer},
      deleted_at ${integer},
      created_at ${integer} not null,
      last_used_at ${integer}
    ) ${heapTable}`,
    `create index api_key_by_user on api_key (user_id, created_at)`,
    `create table rate_limit (
      bucket ${text} not null primary key,
      window_start ${integer} not null,
      window_end ${integer} not null,
      attempts ${integer} not null
    ) ${keyedTable}`,
    `create index rate_limit_by_end on rate_limit (window_end)`,
  ];
}
