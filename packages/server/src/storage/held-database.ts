import type { AuditWriter } from '../service/ports/audit.ts';
import type { Reader } from '../service/ports/reader.ts';
import type { Executor, SqlValue } from './queries/executor.ts';

/** Column types that both databases name differently but store alike: times and flags are integers or ISO texts. */
export type ColumnType = 'text' | 'integer' | 'bytes';

/** A column as the database itself describes it. */
export interface HeldColumn {
  readonly name: string;
  /** Null for a type that no migration of this program uses. */
  readonly type: ColumnType | null;
  /** The database generates its values: they have a meaning in this database only. */
  readonly isMade: boolean;
}

/** A table as the database itself describes it, whatever migrations made it. */
export interface HeldTable {
  readonly name: string;
  readonly columns: readonly HeldColumn[];
  /** Unique keys without nullable columns, as the indexes define them; the primary key first. */
  readonly keys: readonly (readonly string[])[];
}

/** A complete database, as its tables describe it, opened exclusively: no other process can open it. */
export interface HeldDatabase extends AsyncDisposable {
  readonly executor: Executor;
  /** Runs the queries of a check. */
  readonly reader: Reader;
  readonly audit: Pick<AuditWriter, 'insertAuditEntry'>;
  /** In order of creation: a row refers only to tables before its own. */
  readonly tables: readonly HeldTable[];
  /** Selects a text column so that every stored byte is returned, even if it is not valid text. */
  selectText(column: string): string;
  /** The number of rows that one statement inserts, for a number of columns. */
  rowsAtOnce(columns: number): number;
  /** Runs a statement that is built at run time, with `?` for its values. */
  change(sql: string, values: readonly SqlValue[]): Promise<void>;
  /** All of it is durable when it resolves, or nothing. */
  inTransaction(work: () => Promise<void>): Promise<void>;
}

/** A database cannot be opened exclusively, or is not the expected one. Its message says why, and what to do. */
export class NotHeld extends Error {
  override readonly name = 'NotHeld';
}

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
