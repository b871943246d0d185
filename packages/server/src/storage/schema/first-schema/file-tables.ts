import type { ColumnTypes } from '../column-types.ts';

/** Current files, all their stored versions, and the bytes of both. */
export function fileTables(types: ColumnTypes): string[] {
  const { text, integer, bytes, keyedTable, heapTable, indexesHoldAnyPath, indexedPath } = types;
  const fileKey = indexesHoldAnyPath ? 'path' : 'incarnation';
  return [
    `create table file (
      workspace_id ${text} not null,
      path ${text} not null,
      incarnation ${integer} not null,
      version ${integer} not null,
      size_bytes ${integer} not null,
      content_type ${text} not null,
      content_hash ${text} not null,
      primary key (workspace_id, ${fileKey})
    ) ${keyedTable}`,
    // A primary key cannot use functions. The file id also identifies files, for logical replication.
    ...(indexesHoldAnyPath
      ? []
      : [`create unique index file_by_path on file (workspace_id, ${indexedPath('path')})`]),
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
    // A file id has one path, so only its first version is indexed: later versions do not change this index.
    `create index file_version_incarnations on file_version (workspace_id, ${indexedPath('path')}, incarnation)
      where version = 1`,
    // With the path, the index alone lists the copies: otherwise the planner reads every version.
    `create index file_version_copies
      on file_version (workspace_id, ${indexedPath('conflict_of')}, incarnation${indexesHoldAnyPath ? ', path' : ''})
      where conflict_of is not null`,
    // The bytes are appended to the table, whatever their hash; only the index is in random order.
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
