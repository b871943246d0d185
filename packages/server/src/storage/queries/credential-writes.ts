import { type Expression, sql } from 'kysely';
import type { Writer } from '../../service/ports/transaction.ts';
import type { Executor } from './executor.ts';
import { compileQuery, type Placeholders } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';
import type { AccountTable, ApiKeyTable, Tables, UserTable } from './tables.ts';

/** More than one new key can leave behind. */
const forgottenKeysPerKey = 10;
/** How many passed windows one attempt clears away: more than one attempt can add. */
const expiredBucketsPerAttempt = 10;

type NewUser = Omit<UserTable, 'emailVerified' | 'image'>;
type NewKey = Omit<ApiKeyTable, 'disabled' | 'deleted_at' | 'last_used_at'>;
type Attempt = Omit<Tables['rate_limit'], 'attempts'>;

export type CredentialWrites = ReturnType<typeof credentialWrites>;

export function credentialWrites({ db }: QueryDialect) {
  return {
    insertUser: compileQuery((row: Placeholders<NewUser>) =>
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
    insertKey: compileQuery((row: Placeholders<NewKey>) =>
      db.insertInto('api_key').values({
        id: row.id,
        secret_hash: row.secret_hash,
        user_id: row.user_id,
        workspace_id: row.workspace_id,
        name: row.name,
        start: row.start,
        principal: row.principal,
        disabled: 0,
        expires_at: row.expires_at,
        deleted_at: null,
        created_at: row.created_at,
        last_used_at: null,
      }),
    ),
    forgetRevokedKeys: compileQuery(({ userId, kept }: Placeholders<{ userId: string; kept: number }>) =>
      db
        .deleteFrom('api_key')
        .where('id', 'in', (of) =>
          of
            .selectFrom('api_key')
            .select('id')
            .where('user_id', '=', userId)
            .where('deleted_at', 'is not', null)
            .orderBy('created_at', 'desc')
            .limit(sql.lit(forgottenKeysPerKey))
            .offset(kept),
        ),
    ),
    revokeKey: compileQuery(({ keyId, deletedAt }: Placeholders<{ keyId: string; deletedAt: number }>) =>
      db
        .updateTable('api_key')
        .set({ deleted_at: deletedAt })
        .where('id', '=', keyId)
        .where('deleted_at', 'is', null),
    ),
    touchKey: compileQuery(({ keyId, lastUsedAt }: Placeholders<{ keyId: string; lastUsedAt: number }>) =>
      db.updateTable('api_key').set({ last_used_at: lastUsedAt }).where('id', '=', keyId),
    ),
    countAttempt: compileQuery((row: Placeholders<Attempt>) =>
      db
        .insertInto('rate_limit')
        .values({
          bucket: row.bucket,
          window_start: row.window_start,
          window_end: row.window_end,
          attempts: sql.lit(1),
        })
        .onConflict((conflict) =>
          conflict.column('bucket').doUpdateSet((of) => ({
            // Nodes' clocks differ: a window only ever gives way to a later one, or each node would begin anew.
            attempts: sql<number>`case when rate_limit.window_start < excluded.window_start
              then 1 else rate_limit.attempts + 1 end`,
            window_start: later(of.ref('rate_limit.window_start'), of.ref('excluded.window_start')),
            window_end: later(of.ref('rate_limit.window_end'), of.ref('excluded.window_end')),
          })),
        )
        .returning('attempts'),
    ),
    clearAttempts: compileQuery(({ now }: Placeholders<{ now: number }>) =>
      db
        .deleteFrom('rate_limit')
        .where('bucket', 'in', (of) =>
          of
            .selectFrom('rate_limit')
            .select('bucket')
            .where('window_end', '<=', now)
            .orderBy('window_end')
            .limit(sql.lit(expiredBucketsPerAttempt)),
        ),
    ),
  };
}

function later(one: Expression<number>, other: Expression<number>) {
  return sql<number>`case when ${one} > ${other} then ${one} else ${other} end`;
}

export function createCredentialWriter(
  executor: Executor,
  writes: CredentialWrites,
): Pick<
  Writer,
  'insertUser' | 'insertKey' | 'forgetRevokedKeys' | 'revokeKey' | 'touchKey' | 'countAttempt'
> {
  return {
    async insertUser({ id, email, name, accountRowId, passwordHash, createdAt }) {
      const at = new Date(createdAt).toISOString();
      await writes.insertUser.run(executor, { id, name, email, createdAt: at, updatedAt: at });
      await writes.insertAccount.run(executor, {
        id: accountRowId,
        accountId: id,
        providerId: 'credential',
        userId: id,
        password: passwordHash,
        createdAt: at,
        updatedAt: at,
      });
    },
    async insertKey(row) {
      await writes.insertKey.run(executor, {
        id: row.id,
        secret_hash: row.secretHash,
        user_id: row.userId,
        workspace_id: row.workspaceId,
        name: row.name,
        start: row.start,
        principal: row.principal,
        expires_at: row.expiresAt,
        created_at: row.createdAt,
      });
    },
    async forgetRevokedKeys(userId, kept) {
      await writes.forgetRevokedKeys.run(executor, { userId, kept });
    },
    async revokeKey(keyId, deletedAt) {
      await writes.revokeKey.run(executor, { keyId, deletedAt });
    },
    async touchKey(keyId, lastUsedAt) {
      await writes.touchKey.run(executor, { keyId, lastUsedAt });
    },
    async countAttempt(bucket, windowStart, windowEnd) {
      // The window's start is the only clock here: what ended before it is over for every bucket.
      await writes.clearAttempts.run(executor, { now: windowStart });
      const counted = await writes.countAttempt.get(executor, {
        bucket,
        window_start: windowStart,
        window_end: windowEnd,
      });
      if (counted === undefined) throw new Error('an attempt was not counted');
      return counted.attempts;
    },
  };
}
