import type { ColumnTypes } from '../column-types.ts';

/** Share links, and their views by day. */
export function shareTables({ text, integer, heapTable, keyedTable, indexedPath }: ColumnTypes): string[] {
  return [
    `create table share (
      id ${text} not null primary key,
      workspace_id ${text} not null references workspace (id),
      path ${text} not null,
      kind ${text} not null,
      access ${text} not null,
      token_hash ${text} not null unique,
      password_hash ${text},
      pinned_version ${integer},
      pinned_hash ${text},
      pinned_bytes ${integer},
      pinned_type ${text},
      allow_scripts ${integer} not null,
      created_by ${text} not null,
      created_at ${integer} not null,
      views ${integer} not null
    ) ${heapTable}`,
    `create index share_by_path on share (workspace_id, ${indexedPath('path')})`,
    'create index share_by_time on share (workspace_id, created_at, id)',
    'create index share_by_creator on share (created_by)',
    `create table share_view_day (
      workspace_id ${text} not null references workspace (id),
      day ${integer} not null,
      views ${integer} not null,
      primary key (workspace_id, day)
    ) ${keyedTable}`,
  ];
}
