// docs/decisions/0008-privacy-nearest-record.md
import type { ColumnTypes } from './column-types.ts';
import type { Migration } from './migration.ts';

const tables = ['file', 'node_icon', 'node_order'];

/**
 * Adds the owner in the privacy record of the row's own path, empty without a record. The index finds rows without
 * reading those that other members made private one by one. Triggers maintain the column, so that it is also right after
 * an import, a move to another database, or a change by an older program. They exist before the current rows are
 * updated. On PostgreSQL, creating them waits for running changes, and delays new ones.
 */
export const m019RecordOwner: Migration = {
  number: 19,
  name: 'record owner',
  statements: (types) => [
    ...tables.flatMap((table) => [
      `alter table ${table} add column record_owner ${types.text} not null default ''`,
      `create index ${table}_by_record_owner on ${table} (workspace_id, record_owner, ${types.indexedPath('path')})`,
    ]),
    ...(types.triggersCallFunctions ? triggerFunctions(types) : triggers(types)),
    ...tables.map(
      (table) => `update ${table} set record_owner = (${ownerOf(types, table)})
      where exists (${ownerOf(types, table)})`,
    ),
  ],
};

const samePath = ({ indexesHoldAnyPath }: ColumnTypes, one: string, other: string) =>
  indexesHoldAnyPath
    ? `${one} = ${other}`
    : `path_head(${one}) = path_head(${other}) and path_rest(${one}) = path_rest(${other})`;

/** The owner in the record of the row's path; no row without one. */
const ownerOf = (types: ColumnTypes, row: string) =>
  `select own.owner_id from node_privacy as own
    where own.workspace_id = ${row}.workspace_id and ${samePath(types, 'own.path', `${row}.path`)}`;

/** Statements that set the owner of all rows at the path of a record. */
const setAt = (types: ColumnTypes, record: string, owner: string) =>
  tables
    .map(
      (table) => `update ${table} set record_owner = ${owner}
        where workspace_id = ${record}.workspace_id and ${samePath(types, 'path', `${record}.path`)};`,
    )
    .join(' ');

function triggers(types: ColumnTypes): string[] {
  return [
    ...tables.map(
      (
        table,
      ) => `create trigger ${table}_record_owner after insert on ${table} when exists (${ownerOf(types, 'new')})
        begin update ${table} set record_owner = (${ownerOf(types, 'new')})
          where workspace_id = new.workspace_id and path = new.path; end`,
    ),
    `create trigger record_begins after insert on node_privacy begin ${setAt(types, 'new', 'new.owner_id')} end`,
    `create trigger record_changes after update of owner_id on node_privacy
      begin ${setAt(types, 'new', 'new.owner_id')} end`,
    `create trigger record_ends after delete on node_privacy begin ${setAt(types, 'old', "''")} end`,
  ];
}

function triggerFunctions(types: ColumnTypes): string[] {
  return [
    `create function set_record_owner() returns trigger language plpgsql as $$ begin
      new.record_owner := coalesce((${ownerOf(types, 'new')}), '');
      return new;
    end $$`,
    ...tables.map(
      (table) =>
        `create trigger ${table}_record_owner before insert on ${table} for each row execute function set_record_owner()`,
    ),
    `create function spread_record_owner() returns trigger language plpgsql as $$ begin
      if tg_op = 'DELETE' then ${setAt(types, 'old', "''")}
      else ${setAt(types, 'new', 'new.owner_id')} end if;
      return null;
    end $$`,
    `create trigger record_changes after insert or delete or update of owner_id on node_privacy
      for each row execute function spread_record_owner()`,
  ];
}
