import type { Migration } from './migration.ts';

/** What a credential, a membership and what is remembered of a workspace rest on. */
const accessTables = ['"user"', 'member', 'workspace'];

/**
 * A number that moves in the transaction of every change of who may do what, whoever makes it: what a process remembers of
 * access holds as long as the number is the same. That a key was used says nothing about what it may do.
 */
export const m008AccessEpoch: Migration = {
  number: 8,
  name: 'access epoch',
  statements: ({ integer, remembersAccess }) =>
    remembersAccess
      ? [
          `create table access_epoch (epoch ${integer} not null) strict`,
          'insert into access_epoch (epoch) values (1)',
          ...accessTables.flatMap((table) =>
            ['insert', 'update', 'delete'].map((event) => moves(table, event)),
          ),
          moves('api_key', 'insert'),
          moves('api_key', 'delete'),
          moves(
            'api_key',
            'update of id, secret_hash, user_id, workspace_id, name, start, principal, access, path, expires_in_days, disabled, expires_at, deleted_at, created_at',
          ),
        ]
      : [],
};

function moves(table: string, event: string): string {
  const name = `access_epoch_${table.replaceAll('"', '')}_${event.split(' ')[0]}`;
  return `create trigger ${name} after ${event} on ${table} begin update access_epoch set epoch = epoch + 1; end`;
}
