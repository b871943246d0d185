import type { ColumnTypes } from '../column-types.ts';

/** Properties of files and folders by path: icon, order, privacy. */
export function nodeTables(types: ColumnTypes): string[] {
  const { text, integer } = types;
  return [
    ...tableByPath('node_icon', `icon ${text} not null`, types),
    ...tableByPath('node_order', `position ${integer} not null`, types),
    ...tableByPath(
      'node_privacy',
      `kind ${text} not null,
      owner_id ${text} not null,
      implied ${integer} not null`,
      types,
    ),
    'create index node_privacy_by_owner on node_privacy (owner_id, workspace_id)',
  ];
}

/**
 * A table by path. When its primary key cannot hold a path, the rows have no other identity, so logical replication
 * compares whole rows: they are small and few.
 */
function tableByPath(name: string, columns: string, types: ColumnTypes): string[] {
  const { text, keyedTable, indexesHoldAnyPath, indexedPath } = types;
  const primaryKey = indexesHoldAnyPath ? ', primary key (workspace_id, path)' : '';
  return [
    `create table ${name} (
      workspace_id ${text} not null,
      path ${text} not null,
      ${columns}${primaryKey}
    ) ${keyedTable}`,
    ...(indexesHoldAnyPath
      ? []
      : [
          `create unique index ${name}_by_path on ${name} (workspace_id, ${indexedPath('path')})`,
          `alter table ${name} replica identity full`,
        ]),
  ];
}
