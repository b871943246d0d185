export interface LibraryReader {
  /**
   * Runs a select of the sign-in library, which generates the SQL for its own tables (`user`, `session`, `account`,
   * `verification`). Dates are ISO 8601 text and booleans 0 or 1 on every database.
   */
  select(
    sql: string,
    parameters: readonly (string | number | bigint | null | Uint8Array)[],
  ): Promise<readonly Record<string, unknown>[]>;
}

export interface LibraryWriter {
  /**
   * Runs a statement of the sign-in library, which generates the SQL for its own tables.
   * @returns its rows, and the number of rows it changed.
   */
  execute(
    sql: string,
    parameters: readonly (string | number | bigint | null | Uint8Array)[],
  ): Promise<{ readonly rows: readonly Record<string, unknown>[]; readonly changedRows: number }>;
}
