import type { Migration } from './migration.ts';

/** A migration that a database has recorded. */
export interface RecordedStep {
  readonly number: number;
  readonly name: string;
}

/**
 * The migrations that a database with the `recorded` ones (in order; empty for a new database) still needs. The first of
 * `migrations` stands for all up to its number.
 * @throws Error when the database was written by another program: a newer one, or a state that was never released.
 * Guessing at its meaning could lose data.
 */
export function pendingMigrations(
  migrations: readonly Migration[],
  recorded: readonly RecordedStep[],
): readonly Migration[] {
  const [first] = migrations;
  const [oldest] = recorded;
  if (first === undefined || oldest === undefined) return migrations;
  const applied = recorded.filter(({ number }) => number >= first.number);
  for (const [index, { number, name }] of applied.entries()) {
    const expected = migrations[index];
    const isExpected = number === expected?.number && [expected.name, expected.formerName].includes(name);
    if (expected !== undefined && !isExpected) throw unreleased({ number, name });
  }
  if (applied.length === 0) throw unreleased(recorded.at(-1) ?? oldest);
  const reached = applied.at(-1)?.number ?? 0;
  const known = migrations.at(-1)?.number ?? 0;
  if (reached > known) {
    throw new Error(
      `The database has schema ${reached}, but this program knows only up to ${known}: start a newer version of the program.`,
    );
  }
  return migrations.slice(applied.length);
}

function unreleased({ number, name }: RecordedStep): Error {
  return new Error(
    `The database has a schema that no release has made: its step ${number} is "${name}". Use an empty database, or the program that made this one.`,
  );
}
