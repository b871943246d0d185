import type { ColumnTypes } from '../column-types.ts';

/**
 * Comment threads and their replies.
 *
 * The text is the last column, so that counting and filtering threads does not read it. A move changes only the index
 * by path.
 */
export function commentTables({ text, integer, heapTable, indexedPath }: ColumnTypes): string[] {
  return [
    `create table comment_thread (
      id ${text} not null primary key,
      workspace_id ${text} not null,
      seq ${integer} not null,
      path ${text} not null,
      actor_id ${text} not null,
      resolved_at ${integer},
      resolved_at_version ${integer},
      resolved_by ${text},
      principal ${text} not null,
      actor_key_id ${text},
      actor_label ${text},
      created_at ${integer} not null,
      pinned_version ${integer} not null,
      pinned_content_hash ${text} not null,
      pinned_size_bytes ${integer} not null,
      anchor_start ${integer} not null,
      anchor_end ${integer} not null,
      anchor ${text} not null,
      body ${text} not null
    ) ${heapTable}`,
    `create unique index comment_thread_in_order on comment_thread (workspace_id, seq)`,
    `create index comment_thread_by_path on comment_thread (workspace_id, ${indexedPath('path')}, seq)`,
    `create table comment_entry (
      id ${text} not null primary key,
      workspace_id ${text} not null,
      thread_id ${text} not null references comment_thread (id),
      seq ${integer} not null,
      dedupe_key ${text},
      principal ${text} not null,
      actor_id ${text} not null,
      actor_key_id ${text},
      actor_label ${text},
      created_at ${integer} not null,
      body ${text} not null
    ) ${heapTable}`,
    `create unique index comment_entry_in_order on comment_entry (thread_id, seq)`,
    `create unique index comment_entry_by_key on comment_entry (thread_id, actor_id, dedupe_key)
      where dedupe_key is not null`,
  ];
}
