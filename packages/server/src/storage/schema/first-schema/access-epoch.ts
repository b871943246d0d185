import type { ColumnTypes } from '../column-types.ts';

/** The tables behind credentials, memberships and cached workspace settings. */
const accessTables = ['"user"', 'member', 'workspace'];

/**
 * An epoch that each change of access increments in its own transaction, in any process: cached access is valid as long
 * as the epoch is the same. Using a key does not change its access.
 */
export function accessEpoch({ integer, remembersAccess }: ColumnTypes): string[] {
  if (!remembersAccess) return [];
  return [
    `create table access_epoch (epoch ${integer} not null) strict`,
    'insert into access_epoch (epoch) values (1)',
    ...accessTables.flatMap((table) => ['insert', 'update', 'delete'].map((event) => moves(table, event))),
    moves('api_key', 'insert'),
    moves('api_key', 'delete'),
    moves(
      'api_key',
      'update of id, secret_hash, user_id, workspace_id, name, start, principal, access, path, expires_in_days, disabled, expires_at, deleted_at, created_at',
    ),
  ];
}

function moves(table: string, event: string): string {
  const name = `access_epoch_${table.replaceAll('"', '')}_${event.split(' ')[0]}`;
  return `create trigger ${name} after ${event} on ${table} begin update access_epoch set epoch = epoch + 1; end`;
}
