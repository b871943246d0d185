import { type AuditNote, defineAuditedScript } from '../auditing/audited-script.ts';

export type LibraryParameter = string | number | bigint | null | Uint8Array;

interface LibraryStatement {
  readonly sql: string;
  readonly parameters: readonly LibraryParameter[];
  /** What it does, if it changes any row; null or left out: nothing that the audit log tells of. */
  readonly note?: AuditNote | null;
}

interface LibraryOutcome {
  readonly rows: readonly Record<string, unknown>[];
  readonly changedRows: number;
}

/**
 * One changing statement of the sign-in library, through the same writer and the same durable commit as everything
 * else: there is no second connection that could hold the database up or lose a session.
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
