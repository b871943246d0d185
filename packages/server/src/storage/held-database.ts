import type { AuditWriter } from '../service/ports/audit.ts';
import type { Reader } from '../service/ports/reader.ts';
import type { Executor, SqlValue } from './queries/executor.ts';

/** What both databases call differently, and keep alike: times and flags are integers, or texts in ISO form. */
export type ColumnType = 'text' | 'integer' | 'bytes';

/** A column as the database itself describes it. */
export interface HeldColumn {
  readonly name: string;
  /** Null for a type that no migration of this program makes. */
  readonly type: ColumnType | null;
  /** Its values are made by the database: they mean something in this database alone. */
  readonly isMade: boolean;
}

/** A table as the database itself describes it, whichever migrations made it. */
export interface HeldTable {
  readonly name: string;
  readonly columns: readonly HeldColumn[];
  /** Columns that tell its rows apart, none of them null, where an index says so; the primary key first. */
  readonly keys: readonly (readonly string[])[];
}

/** A database that nobody else has open or opens meanwhile, whole, as its tables say it is. */
export interface HeldDatabase extends AsyncDisposable {
  readonly executor: Executor;
  /** Asks what a check asks. */
  readonly reader: Reader;
  readonly audit: Pick<AuditWriter, 'insertAuditEntry'>;
  /** In the order in which they were made: what a row refers to comes before it. */
  readonly tables: readonly HeldTable[];
  /** How a text column is selected so that it comes with every byte as it is kept, also where it is no text at all. */
  selectText(column: string): string;
  /** How many rows of so many columns one statement adds. */
  rowsAtOnce(columns: number): number;
  /** Runs a statement that is made at run time, with `?` for its values. */
  change(sql: string, values: readonly SqlValue[]): Promise<void>;
  /** All of it durable when it resolves, or none. */
  inTransaction(work: () => Promise<void>): Promise<void>;
}

/** A database cannot be had alone, or is not what is wanted. Its message says why, and what to do. */
export class NotHeld extends Error {
  override readonly name = 'NotHeld';
}

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
