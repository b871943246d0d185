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
      conflict_base ${integer},
      conflict_base_hash ${text},
      primary key (workspace_id, incarnation, version)
    ) ${keyedTable}`,
    ...formerIncarnations(types),
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
    // By content: a file that is moved, restored or copied keeps its front matter.
    `create table front_matter (
      workspace_id ${text} not null,
      content_hash ${text} not null,
      date ${text},
      title ${text},
      view ${text},
      primary key (workspace_id, content_hash)
    ) ${keyedTable}`,
    // Contents of an import or of an older version, which running servers work through.
    `create table front_matter_unread (
      workspace_id ${text} not null,
      content_hash ${text} not null,
      primary key (workspace_id, content_hash)
    ) ${keyedTable}`,
    // With any bytes that remain: the same content may be found corrupt, be written again, and be found corrupt again.
    `create table quarantined_content (
      workspace_id ${text} not null,
      content_hash ${text} not null,
      size_bytes ${integer} not null,
      bytes ${bytes},
      generation ${text},
      created_at ${integer} not null,
      fault ${text} not null,
      found_at ${integer} not null,
      primary key (workspace_id, content_hash, found_at)
    ) ${heapTable}`,
  ];
}

// docs/decisions/0006-file-ids.md
/** Former files of a path: a trigger adds a row when a file leaves the path. */
function formerIncarnations({
  text,
  integer,
  keyedTable,
  indexesHoldAnyPath,
  indexedPath,
}: ColumnTypes): string[] {
  const record = `insert into former_incarnation (workspace_id, path, incarnation)
    values (old.workspace_id, old.path, old.incarnation)`;
  return [
    `create table former_incarnation (
      workspace_id ${text} not null,
      path ${text} not null,
      incarnation ${integer} not null,
      primary key (workspace_id, ${indexesHoldAnyPath ? 'path, incarnation' : 'incarnation'})
    ) ${keyedTable}`,
    ...(indexesHoldAnyPath
      ? [`create trigger file_left after delete on file begin ${record}; end`]
      : [
          `create index former_incarnation_by_path
            on former_incarnation (workspace_id, ${indexedPath('path')}, incarnation)`,
          `create function keep_former_incarnation() returns trigger language plpgsql as
            $$ begin ${record}; return null; end $$`,
          'create trigger file_left after delete on file for each row execute function keep_former_incarnation()',
        ]),
  ];
}
