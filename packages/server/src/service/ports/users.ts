export interface UserRow {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly image: string | null;
  readonly createdAt: number;
  /** When an operator ended their access: no session and no key of theirs holds. Null: it is as usual. */
  readonly disabledAt: number | null;
}

/** A link by which somebody sets a new password, once: of its token only the hash. */
export interface PasswordResetRow {
  readonly id: string;
  readonly userId: string;
  readonly tokenHash: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** That somebody signs in by a provider. There is at most one row for a person of a provider. */
export interface ProviderSignInRow {
  readonly userId: string;
  readonly accountRowId: string;
  readonly providerId: string;
  /** Who they are to the provider. */
  readonly accountId: string;
  readonly createdAt: number;
}

export interface UserReader {
  find(userId: string): Promise<UserRow | null>;
  findByEmail(email: string): Promise<UserRow | null>;
  /** Who signs in by a provider: `accountId` is who they are there. */
  findBySignIn(providerId: string, accountId: string): Promise<UserRow | null>;
  /** By what somebody signs in: `credential` is a password, others are ids of providers. */
  listSignIns(userId: string): Promise<readonly string[]>;
  /** By creation, after `afterId`, at most `limit`: for operators. */
  page(afterId: string, limit: number): Promise<readonly UserRow[]>;
  count(): Promise<number>;
  /** Whose password a link is to set; null when it was used, has expired by `now`, or never was. */
  findPasswordReset(tokenHash: string, now: number): Promise<Pick<PasswordResetRow, 'userId'> | null>;
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
  /** A person who signs in by a provider and has no password. */
  insertUserOfProvider(
    row: ProviderSignInRow & {
      /** Lower case. */
      readonly email: string;
      readonly name: string;
    },
  ): Promise<void>;
  /** One more way in for somebody. */
  insertProviderSignIn(row: ProviderSignInRow): Promise<void>;
  /** Null lets them in again. */
  setUserDisabled(userId: string, disabledAt: number | null): Promise<void>;
  /** In place of the password they have, or as their first one. */
  setPassword(row: {
    readonly userId: string;
    /** Of the row that is made where there was no password. */
    readonly accountRowId: string;
    readonly passwordHash: string;
    readonly changedAt: number;
  }): Promise<void>;
  /** @returns how many there were. */
  endSessionsOf(userId: string): Promise<number>;
  /** In place of the person's earlier one; those of others that have expired by now go too. */
  putPasswordReset(row: PasswordResetRow): Promise<void>;
  /** Takes the link if it still holds. @returns whose password it is to set. */
  takePasswordReset(tokenHash: string, now: number): Promise<Pick<PasswordResetRow, 'userId'> | null>;
  endPasswordResetsOf(userId: string): Promise<void>;
  /** The account with all that signs in to it. Memberships, keys and what is private to it must be gone before. */
  deleteUser(userId: string): Promise<void>;
}
