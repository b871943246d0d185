import { sql } from 'kysely';
import type { UserReader, UserRow, UserWriter } from '../../service/ports/users.ts';
import type { Executor } from './executor.ts';
import { columns, compileQuery, type Placeholders, type StoredOf, type TableOf } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';

/** The sign-in library's tables: their dates are ISO 8601 text, and their columns are named as it names fields. */
export interface FlatUser extends Omit<UserRow, 'createdAt'> {
  readonly createdAt: string;
}

const user = columns<FlatUser>()('user', {
  id: 'id',
  name: 'name',
  email: 'email',
  image: 'image',
  createdAt: 'createdAt',
});

/** What a password needs; the other columns are null. */
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

export type UserTable = TableOf<typeof user> & { emailVerified: number; updatedAt: string };
export type AccountTable = TableOf<typeof account>;

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
  };
}

function toUserRow(stored: StoredOf<typeof user>): UserRow {
  return { ...stored, createdAt: Date.parse(stored.createdAt) };
}

export function createUserWriter(executor: Executor, queries: UserQueries): UserWriter {
  return {
    async insertUser({ id, email, name, accountRowId, passwordHash, createdAt }) {
      const at = new Date(createdAt).toISOString();
      await queries.insert.run(executor, { id, name, email, image: null, createdAt: at });
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
  };
}
