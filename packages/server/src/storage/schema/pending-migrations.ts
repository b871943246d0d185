import type { Migration } from './migration.ts';

/** A migration that a database has recorded. */
export interface RecordedStep {
  readonly number: number;
  readonly name: string;
}

/**
 * The migrations that a database with the `recorded` ones (in order; empty for a new database) still needs.
 * @throws Error when the database was written by another program: a newer one, or a state that was never released.
 * Guessing at its meaning could lose data.
 */
export function pendingMigrations(
  migrations: readonly Migration[],
  recorded: readonly RecordedStep[],
): readonly Migration[] {
  for (const [index, { number, name }] of recorded.entries()) {
    const expected = migrations[index];
    if (expected !== undefined && (expected.number !== number || expected.name !== name)) {
      throw new Error(
        `The database has a schema that no release has made: its step ${number} is "${name}". Use an empty database, or the program that made this one.`,
      );
    }
  }
  const reached = recorded.at(-1)?.number ?? 0;
  const known = migrations.at(-1)?.number ?? 0;
  if (reached > known) {
    throw new Error(
      `The database has schema ${reached}, but this program knows only up to ${known}: start a newer version of the program.`,
    );
  }
  return migrations.slice(recorded.length);
}
