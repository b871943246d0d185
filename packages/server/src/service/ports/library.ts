export interface LibraryReader {
  /**
   * A select of the sign-in library, which brings its own SQL for its own tables (`user`, `session`, `account`,
   * `verification`). Dates are ISO 8601 text and booleans 0 or 1 on every database.
   */
  select(
    sql: string,
    parameters: readonly (string | number | bigint | null | Uint8Array)[],
  ): Promise<readonly Record<string, unknown>[]>;
}

export interface LibraryWriter {
  /**
   * A statement of the sign-in library, which brings its own SQL for its own tables.
   * @returns its rows, and how many rows it changed.
   */
  execute(
    sql: string,
    parameters: readonly (string | number | bigint | null | Uint8Array)[],
  ): Promise<{ readonly rows: readonly Record<string, unknown>[]; readonly changedRows: number }>;
}
