import type { Migration } from './migration.ts';

/**
 * Indexes that hold paths of any length, where an entry of an index is smaller than the longest path (PostgreSQL: some
 * 2,700 bytes, while 1,024 characters have up to 4,096).
 *
 * Such an index has the first 512 characters of a path, which keep the order, and of longer ones a hash, which tells them
 * apart. The functions are part of the schema: indexes rest on them, so they are never changed.
 */
export const m009PathKeys: Migration = {
  number: 9,
  name: 'path-keys',
  statements: ({ indexesHoldAnyPath }) =>
    indexesHoldAnyPath
      ? []
      : [...functions, ...fileIndexes, ...nodeTables.flatMap(keyByFunctions), ...otherIndexes],
};

// The text's own bytes: a backslash would begin an escape. Nothing here depends on a setting, so both are immutable.
const functions = [
  `create function path_head(path text) returns text language sql immutable parallel safe
    return left(path, 512)`,
  `create function path_rest(path text) returns bytea language sql immutable parallel safe
    return case when char_length(path) <= 512 then ''::bytea
      else sha256(replace(path, chr(92), chr(92) || chr(92))::bytea) end`,
];

const key = (path: string) => `path_head(${path}), path_rest(${path})`;

// A stay is of one file. With it for a primary key, logical replication finds the row.
const fileIndexes = [
  'alter table file drop constraint file_pkey',
  'alter table file add primary key (workspace_id, incarnation)',
  `create unique index file_by_path on file (workspace_id, ${key('path')})`,
  'drop index file_version_stays',
  `create index file_version_stays on file_version (workspace_id, ${key('path')}, incarnation) where version = 1`,
  'drop index file_version_copies',
  `create index file_version_copies on file_version (workspace_id, ${key('conflict_of')}, incarnation)
    where conflict_of is not null`,
];

const nodeTables = ['node_icon', 'node_order', 'node_privacy'];

/** They have nothing else to be known by, so that logical replication compares whole rows: they are small and few. */
function keyByFunctions(table: string): string[] {
  return [
    `alter table ${table} drop constraint ${table}_pkey`,
    `create unique index ${table}_by_path on ${table} (workspace_id, ${key('path')})`,
    `alter table ${table} replica identity full`,
  ];
}

const otherIndexes = [
  'drop index share_by_path',
  `create index share_by_path on share (workspace_id, ${key('path')})`,
  'drop index comment_thread_by_path',
  `create index comment_thread_by_path on comment_thread (workspace_id, ${key('path')}, seq)`,
];
