import type { DatabaseSync } from 'node:sqlite';
import { sqliteColumnTypes } from '../schema/column-types.ts';
import type { Migration } from '../schema/migration.ts';
import { migrations as allMigrations } from '../schema/migrations.ts';
import { pendingMigrations } from '../schema/pending-migrations.ts';

/**
 * Runs all pending migrations, or none. When several processes start together, one runs them and the others wait.
 * @throws Error when the database was written by another program.
 */
export function migrate(db: DatabaseSync, migrations: readonly Migration[] = allMigrations): void {
  db.exec('begin immediate');
  try {
    db.exec(
      'create table if not exists schema_migration (number integer not null primary key, name text not null) strict',
    );
    const recorded = db
      .prepare('select number, name from schema_migration order by number')
      .all()
      .map(({ number, name }) => ({ number: Number(number), name: String(name) }));
    const record = db.prepare('insert into schema_migration (number, name) values (?, ?)');
    for (const migration of pendingMigrations(migrations, recorded)) {
      for (const statement of migration.statements(sqliteColumnTypes)) db.exec(statement);
      record.run(migration.number, migration.name);
    }
    db.exec('commit');
  } catch (error) {
    if (db.isTransaction) db.exec('rollback');
    throw error;
  }
}
