import { sql } from 'kysely';
import type { UserReader, UserRow, UserWriter } from '../../service/ports/users.ts';
import type { Executor } from './executor.ts';
import { compileQuery, type Placeholders } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';
import type { AccountTable, UserTable } from './tables.ts';

type NewUser = Omit<UserTable, 'emailVerified' | 'image'>;
type UserRecord = Pick<UserTable, 'id' | 'name' | 'email' | 'image' | 'createdAt'>;

export type UserQueries = ReturnType<typeof userQueries>;

export function userQueries({ db }: QueryDialect) {
  const users = db.selectFrom('user').select(['id', 'name', 'email', 'image', 'createdAt']);
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
    insert: compileQuery((row: Placeholders<NewUser>) =>
      db.insertInto('user').values({
        id: row.id,
        name: row.name,
        email: row.email,
        emailVerified: 0,
        image: null,
        createdAt: row.createdAt,
        updatedAt: row.updatedAt,
      }),
    ),
    insertAccount: compileQuery((row: Placeholders<AccountTable>) =>
      db.insertInto('account').values({
        id: row.id,
        accountId: row.accountId,
        providerId: row.providerId,
        userId: row.userId,
        password: row.password,
        createdAt: row.createdAt,
        updatedAt: row.updatedAt,
      }),
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

function toUserRow({ id, name, email, image, createdAt }: UserRecord): UserRow {
  return { id, name, email, image, createdAt: Date.parse(createdAt) };
}

export function createUserWriter(executor: Executor, queries: UserQueries): UserWriter {
  return {
    async insertUser({ id, email, name, accountRowId, passwordHash, createdAt }) {
      const at = new Date(createdAt).toISOString();
      await queries.insert.run(executor, { id, name, email, createdAt: at, updatedAt: at });
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
