import type { Migration } from './migration.ts';

/**
 * The steps that a database at `schemaNumber` (0: empty) still needs.
 * @throws Error when the database was written by a newer program: guessing at its meaning could lose data.
 */
export function pendingMigrations(
  migrations: readonly Migration[],
  schemaNumber: number,
): readonly Migration[] {
  const known = migrations.at(-1)?.number ?? 0;
  if (schemaNumber > known) {
    throw new Error(
      `The database has schema ${schemaNumber}, but this program knows only up to ${known}: start a newer version of the program.`,
    );
  }
  return migrations.filter(({ number }) => number > schemaNumber);
}
