import { postgresColumnTypes } from '../schema/column-types.ts';
import type { Migration } from '../schema/migration.ts';
import { migrations as allMigrations } from '../schema/migrations.ts';
import { pendingMigrations } from '../schema/pending-migrations.ts';
import type { Connection } from './connection.ts';

/** Key of the lock that serialises nodes which start together: any number, as long as it never changes. */
export const migrationLock = 5_786_337_512;

/**
 * Runs all pending migrations, or none. When several processes start together, one runs them and the others wait.
 * @throws Error when the database was written by another program; PostgresError.
 */
export async function migrate(
  connection: Connection,
  migrations: readonly Migration[] = allMigrations,
): Promise<void> {
  await connection.commands('begin isolation level read committed');
  try {
    // A slow migration, or waiting for another node's, is not a failure.
    await connection.commands('set local statement_timeout = 0; set local lock_timeout = 0');
    await connection.once('select pg_advisory_xact_lock($1)', [migrationLock]);
    await connection.commands(
      'create table if not exists schema_migration (number bigint not null primary key, name text not null)',
    );
    const { rows } = await connection.once('select number, name from schema_migration order by number', []);
    const recorded = rows.map(({ number, name }) => ({ number: Number(number), name: String(name) }));
    for (const migration of pendingMigrations(migrations, recorded)) {
      for (const statement of migration.statements(postgresColumnTypes)) await connection.commands(statement);
      await connection.once('insert into schema_migration (number, name) values ($1, $2)', [
        migration.number,
        migration.name,
      ]);
    }
    await connection.commands('commit');
  } catch (error) {
    await connection.commands('rollback').catch(() => undefined);
    throw error;
  }
}
