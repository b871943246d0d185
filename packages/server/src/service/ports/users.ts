export interface UserRow {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly image: string | null;
  readonly createdAt: number;
}

export interface UserReader {
  find(userId: string): Promise<UserRow | null>;
  findByEmail(email: string): Promise<UserRow | null>;
  /** By creation, after `afterId`, at most `limit`: for operators. */
  page(afterId: string, limit: number): Promise<readonly UserRow[]>;
  count(): Promise<number>;
}

export interface UserWriter {
  /**
   * A person and the password they sign in with: one row each in the sign-in library's `user` (e-mail not verified, no
   * image) and `account` (`providerId` `credential`, `accountId` and `userId` the person's id) tables.
   */
  insertUser(row: {
    readonly id: string;
    /** Lower case. */
    readonly email: string;
    readonly name: string;
    readonly accountRowId: string;
    readonly passwordHash: string;
    readonly createdAt: number;
  }): Promise<void>;
}
