import { type AuditNote, defineAuditedScript } from '../auditing/audited-script.ts';

export type LibraryParameter = string | number | bigint | null | Uint8Array;

interface LibraryStatement {
  readonly sql: string;
  readonly parameters: readonly LibraryParameter[];
  /** The audit entry to write if the statement changes a row; null or absent: none. */
  readonly note?: AuditNote | null;
}

interface LibraryOutcome {
  readonly rows: readonly Record<string, unknown>[];
  readonly changedRows: number;
}

/**
 * Runs one changing statement of the sign-in library, with the same writer and durable commit as everything else. There
 * is no second connection that could block the database or lose a session.
 */
export const executeLibraryStatementScript = defineAuditedScript<LibraryStatement, LibraryOutcome>(
  'people.executeLibraryStatement',
  async (tx, { sql, parameters, note = null }) => {
    const outcome = await tx.write.execute(sql, parameters);
    const { changedRows: sessions } = outcome;
    if (note === null || sessions === 0) return outcome;
    tx.noteAudit(note.action === 'session.end' ? { ...note, details: { sessions } } : note);
    return outcome;
  },
);
