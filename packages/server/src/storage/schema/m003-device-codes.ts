import type { Migration } from './migration.ts';

/** Codes of the device flow, and attempts that are counted over any stretch of time. */
export const m003DeviceCodes: Migration = {
  number: 3,
  name: 'device codes',
  statements: ({ text, integer, bytes, heapTable, keyedTable }) => [
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
    `create table recent_attempt (
      bucket ${text} not null primary key,
      attempts ${text} not null,
      stale_at ${integer} not null
    ) ${keyedTable}`,
    `create index recent_attempt_by_end on recent_attempt (stale_at)`,
  ],
};
