import type { ColumnTypes } from '../column-types.ts';

export function feedTables({ text, integer, keyedTable }: ColumnTypes): string[] {
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
      conflict_base ${integer},
      primary key (workspace_id, seq)
    ) ${keyedTable}`,
    `create index change_by_time on change (workspace_id, created_at, seq)`,
    // Catch-up cursors: for each key and workspace two positions in the feed, with their times.
    `create table bookmark (
      key_id ${text} not null,
      workspace_id ${text} not null,
      start_seq ${integer} not null,
      start_at ${integer} not null,
      head_seq ${integer} not null,
      answered_at ${integer} not null,
      primary key (key_id, workspace_id)
    ) ${keyedTable}`,
  ];
}
