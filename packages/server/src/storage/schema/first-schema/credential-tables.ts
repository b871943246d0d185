import type { ColumnTypes } from '../column-types.ts';

/** API keys, codes of the device flow, and counted attempts. */
export function credentialTables({ text, integer, bytes, heapTable, keyedTable }: ColumnTypes): string[] {
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
      last_used_at ${integer},
      access ${text} not null default 'write',
      path ${text} not null default '',
      expires_in_days ${integer}
    ) ${heapTable}`,
    `create index api_key_by_user on api_key (user_id, created_at)`,
    `create table device_code (
      device_code_hash ${text} not null primary key,
      user_code ${text} not null unique,
      state ${text} not null,
      client_address ${text} not null,
      user_agent ${text} not null,
      created_at ${integer} not null,
      expires_at ${integer} not null,
      last_polled_at ${integer},
      claimed_by ${text},
      workspace_id ${text},
      key_id ${text},
      secret_hash ${text} not null,
      secret_start ${text} not null,
      sealed_secret ${bytes}
    ) ${heapTable}`,
    `create index device_code_by_expiry on device_code (expires_at)`,
    `create index device_code_sealed on device_code (expires_at) where sealed_secret is not null`,
    `create table rate_limit (
      bucket ${text} not null primary key,
      window_start ${integer} not null,
      window_end ${integer} not null,
      attempts ${integer} not null
    ) ${keyedTable}`,
    `create index rate_limit_by_end on rate_limit (window_end)`,
    `create table recent_attempt (
      bucket ${text} not null primary key,
      attempts ${text} not null,
      stale_at ${integer} not null
    ) ${keyedTable}`,
    `create index recent_attempt_by_end on recent_attempt (stale_at)`,
  ];
}
