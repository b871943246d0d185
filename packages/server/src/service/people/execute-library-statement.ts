import { defineScript } from '../ports/script.ts';

export type LibraryParameter = string | number | bigint | null | Uint8Array;

interface LibraryStatement {
  readonly sql: string;
  readonly parameters: readonly LibraryParameter[];
}

interface LibraryOutcome {
  readonly rows: readonly Record<string, unknown>[];
  readonly changedRows: number;
}

/**
 * One changing statement of the sign-in library, through the same writer and the same durable commit as everything
 * else: there is no second connection that could hold the database up or lose a session.
 */
export const executeLibraryStatementScript = defineScript<LibraryStatement, LibraryOutcome>(
  'people.executeLibraryStatement',
  async (tx, { sql, parameters }) => await tx.write.execute(sql, parameters),
);
