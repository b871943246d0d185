export interface UserRow {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly image: string | null;
  readonly createdAt: number;
  /** Time at which an operator disabled the account: its sessions and keys are invalid. Null: active. */
  readonly disabledAt: number | null;
}

/** A link that sets a new password, once. Only a hash of its token is stored. */
export interface PasswordResetRow {
  readonly id: string;
  readonly userId: string;
  readonly tokenHash: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** A user's sign-in by a provider, at most one per user and provider. */
export interface ProviderSignInRow {
  readonly userId: string;
  readonly accountRowId: string;
  readonly providerId: string;
  /** The user's id at the provider. */
  readonly accountId: string;
  readonly createdAt: number;
}

export interface UserReader {
  find(userId: string): Promise<UserRow | null>;
  findByEmail(email: string): Promise<UserRow | null>;
  /** Finds the user of a provider's account. `accountId` is the id at the provider. */
  findBySignIn(providerId: string, accountId: string): Promise<UserRow | null>;
  /** Sign-in methods: `credential` is a password, others are ids of providers. */
  listSignIns(userId: string): Promise<readonly string[]>;
  /** In order of creation, after `afterId`, at most `limit`: for operators. */
  page(afterId: string, limit: number): Promise<readonly UserRow[]>;
  count(): Promise<number>;
  /** Finds the user of a password link; null when it was used, has expired by `now`, or never existed. */
  findPasswordReset(tokenHash: string, now: number): Promise<Pick<PasswordResetRow, 'userId'> | null>;
}

export interface UserWriter {
  /**
   * Inserts a user with a password: one row each in the sign-in library's `user` (e-mail not verified, no image) and
   * `account` (`providerId` `credential`, `accountId` and `userId` the user's id) tables.
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
  /** Inserts a user who signs in by a provider and has no password. */
  insertUserOfProvider(
    row: ProviderSignInRow & {
      /** Lower case. */
      readonly email: string;
      readonly name: string;
    },
  ): Promise<void>;
  insertProviderSignIn(row: ProviderSignInRow): Promise<void>;
  /** Null enables the account again. */
  setUserDisabled(userId: string, disabledAt: number | null): Promise<void>;
  /** Replaces the password or sets the first one. */
  setPassword(row: {
    readonly userId: string;
    /** Of the row that is inserted when there was no password. */
    readonly accountRowId: string;
    readonly passwordHash: string;
    readonly changedAt: number;
  }): Promise<void>;
  /** @returns their number. */
  endSessionsOf(userId: string): Promise<number>;
  /** Replaces the user's earlier link and removes other users' expired ones. */
  putPasswordReset(row: PasswordResetRow): Promise<void>;
  /** Consumes the link if it is still valid. @returns the user whose password it sets. */
  takePasswordReset(tokenHash: string, now: number): Promise<Pick<PasswordResetRow, 'userId'> | null>;
  endPasswordResetsOf(userId: string): Promise<void>;
  /** Deletes the account with its sign-in methods. Its memberships, keys and private items must already be deleted. */
  deleteUser(userId: string): Promise<void>;
}
