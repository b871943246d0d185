/** Values that both databases accept as parameters. */
export type SqlValue = string | number | bigint | null | Uint8Array;

export type SqlRow = Readonly<Record<string, unknown>>;

/**
 * One connection, or one transaction on it. `all`, `get` and `run` prepare their statements, which are few and
 * repeated; `once` is for statements built at run time.
 */
export interface Executor {
  all(sql: string, values: readonly SqlValue[]): Promise<readonly SqlRow[]>;
  get(sql: string, values: readonly SqlValue[]): Promise<SqlRow | undefined>;
  /** @returns the number of changed rows. */
  run(sql: string, values: readonly SqlValue[]): Promise<number>;
  once(
    sql: string,
    values: readonly SqlValue[],
  ): Promise<{ readonly rows: readonly SqlRow[]; readonly changedRows: number }>;
  /**
   * Rows per statement that checks visibility for each row, which takes up to half a millisecond depending on the depth
   * of its path. Small where statements block the thread, large where each is a round trip.
   */
  readonly stepRows: number;
  /** Lets other work run between two steps of a long read. Inside a transaction it does not wait. */
  breathe(): Promise<void>;
}
