/** Values that both databases take as parameters. */
export type SqlValue = string | number | bigint | null | Uint8Array;

export type SqlRow = Readonly<Record<string, unknown>>;

/**
 * One connection, or one transaction on it. The statements given to `all`, `get` and `run` are few and repeated, so
 * they stay prepared; `once` is for statements made at run time.
 */
export interface Executor {
  all(sql: string, values: readonly SqlValue[]): Promise<readonly SqlRow[]>;
  get(sql: string, values: readonly SqlValue[]): Promise<SqlRow | undefined>;
  /** @returns how many rows were changed. */
  run(sql: string, values: readonly SqlValue[]): Promise<number>;
  once(
    sql: string,
    values: readonly SqlValue[],
  ): Promise<{ readonly rows: readonly SqlRow[]; readonly changedRows: number }>;
  /** Lets other work in between two steps of a long read. Inside a transaction it does not wait. */
  breathe(): Promise<void>;
}
