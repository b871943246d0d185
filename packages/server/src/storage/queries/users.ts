import { sql } from 'kysely';
import type {
  PasswordResetRow,
  ProviderSignInRow,
  UserReader,
  UserRow,
  UserWriter,
} from '../../service/ports/users.ts';
import type { Executor } from './executor.ts';
import { columns, compileQuery, type Placeholders, type StoredOf, type TableOf } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';

/** The sign-in library's tables: their dates are ISO 8601 text, and their columns have the names of its fields. */
export interface FlatUser extends Omit<UserRow, 'createdAt'> {
  readonly createdAt: string;
}

const user = columns<FlatUser>()('user', {
  id: 'id',
  name: 'name',
  email: 'email',
  image: 'image',
  createdAt: 'createdAt',
  disabledAt: 'disabledAt',
});

/** The columns of a password; the others are null. */
interface FlatAccount {
  readonly id: string;
  readonly accountId: string;
  readonly providerId: string;
  readonly userId: string;
  readonly password: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

const account = columns<FlatAccount>()('account', {
  id: 'id',
  accountId: 'accountId',
  providerId: 'providerId',
  userId: 'userId',
  password: 'password',
  createdAt: 'createdAt',
  updatedAt: 'updatedAt',
});

/**
 * The sign-in library's table for single-use tokens. Password links have a prefix that keeps them separate from its own
 * rows.
 */
interface FlatVerification {
  readonly id: string;
  readonly identifier: string;
  readonly value: string;
  readonly expiresAt: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

const verification = columns<FlatVerification>()('verification', {
  id: 'id',
  identifier: 'identifier',
  value: 'value',
  expiresAt: 'expiresAt',
  createdAt: 'createdAt',
  updatedAt: 'updatedAt',
});

const resetPrefix = 'stoa-password-reset:';
const isReset = sql<boolean>`"identifier" like ${sql.lit(`${resetPrefix}%`)}`;

/** The library's table; its other columns are not read here. */
export interface SessionTable {
  readonly id: string;
  readonly userId: string;
  readonly expiresAt: string;
}

export type VerificationTable = TableOf<typeof verification>;
export type UserTable = TableOf<typeof user> & { emailVerified: number; updatedAt: string };
export type AccountTable = TableOf<typeof account>;

type OfPerson = { userId: string };

export type UserQueries = ReturnType<typeof userQueries>;

export function userQueries({ db }: QueryDialect) {
  const users = db.selectFrom('user').select(user.selection);
  return {
    find: compileQuery(({ userId }: Placeholders<{ userId: string }>) => users.where('id', '=', userId)),
    findByEmail: compileQuery(({ email }: Placeholders<{ email: string }>) =>
      users.where('email', '=', email),
    ),
    firstPage: compileQuery(({ limit }: Placeholders<{ limit: number }>) =>
      users.orderBy('createdAt').orderBy('id').limit(limit),
    ),
    pageAfter: compileQuery(({ afterId, limit }: Placeholders<{ afterId: string; limit: number }>) =>
      users
        .where(
          sql<boolean>`("createdAt", "id") > (select "createdAt", "id" from "user" where "id" = ${afterId})`,
        )
        .orderBy('createdAt')
        .orderBy('id')
        .limit(limit),
    ),
    count: compileQuery((_: Placeholders<Record<never, never>>) =>
      db.selectFrom('user').select((of) => of.fn.countAll<number>().as('users')),
    ),
    insert: compileQuery((row: Placeholders<StoredOf<typeof user>>) =>
      db
        .insertInto('user')
        .values({ ...user.values(row), emailVerified: sql.lit(0), updatedAt: row.createdAt }),
    ),
    setDisabled: compileQuery(
      ({ userId, disabledAt }: Placeholders<{ userId: string; disabledAt: number | null }>) =>
        db.updateTable('user').set({ disabledAt }).where('id', '=', userId),
    ),
    remove: compileQuery(({ userId }: Placeholders<OfPerson>) =>
      db.deleteFrom('user').where('id', '=', userId),
    ),
    setPassword: compileQuery(
      ({ userId, passwordHash, at }: Placeholders<{ userId: string; passwordHash: string; at: string }>) =>
        db
          .updateTable('account')
          .set({ password: passwordHash, updatedAt: at })
          .where('userId', '=', userId)
          .where('providerId', '=', sql.lit('credential')),
    ),
    endSessions: compileQuery(({ userId }: Placeholders<OfPerson>) =>
      db.deleteFrom('session').where('userId', '=', userId),
    ),
    insertVerification: compileQuery((row: Placeholders<StoredOf<typeof verification>>) =>
      db.insertInto('verification').values(verification.values(row)),
    ),
    findReset: compileQuery(({ identifier, now }: Placeholders<{ identifier: string; now: string }>) =>
      db
        .selectFrom('verification')
        .select('value as userId')
        .where('identifier', '=', identifier)
        .where('expiresAt', '>', now),
    ),
    takeReset: compileQuery(({ identifier }: Placeholders<{ identifier: string }>) =>
      db.deleteFrom('verification').where('identifier', '=', identifier),
    ),
    endResets: compileQuery(({ userId }: Placeholders<OfPerson>) =>
      db.deleteFrom('verification').where('value', '=', userId).where(isReset),
    ),
    clearExpiredResets: compileQuery(({ now }: Placeholders<{ now: string }>) =>
      db.deleteFrom('verification').where('expiresAt', '<=', now).where(isReset),
    ),
    findBySignIn: compileQuery(
      ({ providerId, accountId }: Placeholders<{ providerId: string; accountId: string }>) =>
        users.where('id', 'in', (of) =>
          of
            .selectFrom('account')
            .select('userId')
            .where('providerId', '=', providerId)
            .where('accountId', '=', accountId),
        ),
    ),
    listSignIns: compileQuery(({ userId }: Placeholders<OfPerson>) =>
      db.selectFrom('account').select('providerId').where('userId', '=', userId),
    ),
    insertAccount: compileQuery((row: Placeholders<StoredOf<typeof account>>) =>
      db.insertInto('account').values(account.values(row)),
    ),
  };
}

export function createUserReader(executor: Executor, queries: UserQueries): UserReader {
  return {
    async find(userId) {
      const record = await queries.find.get(executor, { userId });
      return record === undefined ? null : toUserRow(record);
    },
    async findByEmail(email) {
      const record = await queries.findByEmail.get(executor, { email });
      return record === undefined ? null : toUserRow(record);
    },
    async page(afterId, limit) {
      const records =
        afterId === ''
          ? await queries.firstPage.all(executor, { limit })
          : await queries.pageAfter.all(executor, { afterId, limit });
      return records.map(toUserRow);
    },
    async count() {
      return (await queries.count.get(executor, {}))?.users ?? 0;
    },
    async findBySignIn(providerId, accountId) {
      const record = await queries.findBySignIn.get(executor, { providerId, accountId });
      return record === undefined ? null : toUserRow(record);
    },
    async listSignIns(userId) {
      return (await queries.listSignIns.all(executor, { userId })).map(({ providerId }) => providerId);
    },
    async findPasswordReset(tokenHash, now) {
      return (await findReset(executor, queries, tokenHash, now)) ?? null;
    },
  };
}

function findReset(
  executor: Executor,
  queries: UserQueries,
  tokenHash: string,
  now: number,
): Promise<Pick<PasswordResetRow, 'userId'> | undefined> {
  return queries.findReset.get(executor, { identifier: resetPrefix + tokenHash, now: dateOf(now) });
}

/** Formats a date like the sign-in library, so that text order is time order. */
const dateOf = (milliseconds: number) => new Date(milliseconds).toISOString();

function toUserRow(stored: StoredOf<typeof user>): UserRow {
  return { ...stored, createdAt: Date.parse(stored.createdAt) };
}

async function insertSignIn(
  executor: Executor,
  queries: UserQueries,
  { accountRowId, userId, providerId, accountId, createdAt }: ProviderSignInRow,
): Promise<void> {
  const at = dateOf(createdAt);
  const signIn = { id: accountRowId, accountId, providerId, userId, password: null };
  await queries.insertAccount.run(executor, { ...signIn, createdAt: at, updatedAt: at });
}

export function createUserWriter(executor: Executor, queries: UserQueries): UserWriter {
  return {
    async insertUser({ id, email, name, accountRowId, passwordHash, createdAt }) {
      const at = dateOf(createdAt);
      await queries.insert.run(executor, { id, name, email, image: null, disabledAt: null, createdAt: at });
      await queries.insertAccount.run(executor, {
        id: accountRowId,
        accountId: id,
        providerId: 'credential',
        userId: id,
        password: passwordHash,
        createdAt: at,
        updatedAt: at,
      });
    },
    async insertUserOfProvider({ email, name, ...signIn }) {
      const person = { id: signIn.userId, name, email, image: null, disabledAt: null };
      await queries.insert.run(executor, { ...person, createdAt: dateOf(signIn.createdAt) });
      await insertSignIn(executor, queries, signIn);
    },
    insertProviderSignIn: (row) => insertSignIn(executor, queries, row),
    async setUserDisabled(userId, disabledAt) {
      await queries.setDisabled.run(executor, { userId, disabledAt });
    },
    async setPassword({ userId, accountRowId, passwordHash, changedAt }) {
      const at = dateOf(changedAt);
      if ((await queries.setPassword.run(executor, { userId, passwordHash, at })) > 0) return;
      await queries.insertAccount.run(executor, {
        id: accountRowId,
        accountId: userId,
        providerId: 'credential',
        userId,
        password: passwordHash,
        createdAt: at,
        updatedAt: at,
      });
    },
    async endSessionsOf(userId) {
      return await queries.endSessions.run(executor, { userId });
    },
    async putPasswordReset({ id, userId, tokenHash, createdAt, expiresAt }) {
      const at = dateOf(createdAt);
      await queries.clearExpiredResets.run(executor, { now: at });
      await queries.endResets.run(executor, { userId });
      const times = { expiresAt: dateOf(expiresAt), createdAt: at, updatedAt: at };
      await queries.insertVerification.run(executor, {
        id,
        identifier: resetPrefix + tokenHash,
        value: userId,
        ...times,
      });
    },
    async takePasswordReset(tokenHash, now) {
      const found = await findReset(executor, queries, tokenHash, now);
      if (found === undefined) return null;
      // When two requests take it at once, one of them deletes the row.
      const taken = await queries.takeReset.run(executor, { identifier: resetPrefix + tokenHash });
      return taken === 1 ? found : null;
    },
    async endPasswordResetsOf(userId) {
      await queries.endResets.run(executor, { userId });
    },
    async deleteUser(userId) {
      await queries.remove.run(executor, { userId });
    },
  };
}
