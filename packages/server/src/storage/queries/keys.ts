import { sql } from 'kysely';
import type { KeyReader, KeyRow, KeyWriter } from '../../service/ports/keys.ts';
import type { Executor } from './executor.ts';
import { columns, compileQuery, flag, type Placeholders, type StoredOf, type TableOf } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';

/** More than one new key can leave behind. */
const forgottenKeysPerKey = 10;

const key = columns<KeyRow & { readonly secretHash: string }>()('api_key', {
  id: 'id',
  secretHash: 'secret_hash',
  userId: 'user_id',
  workspaceId: 'workspace_id',
  name: 'name',
  start: 'start',
  principal: 'principal',
  access: 'access',
  path: 'path',
  expiresInDays: 'expires_in_days',
  disabled: flag('disabled'),
  expiresAt: 'expires_at',
  deletedAt: 'deleted_at',
  createdAt: 'created_at',
  lastUsedAt: 'last_used_at',
});

export type ApiKeyTable = TableOf<typeof key>;

type StoredKey = StoredOf<typeof key>;

export type KeyQueries = ReturnType<typeof keyQueries>;

export function keyQueries({ db }: QueryDialect) {
  const keys = db.selectFrom('api_key').select(key.selection);
  return {
    findByHash: compileQuery(({ secretHash }: Placeholders<{ secretHash: string }>) =>
      keys
        .innerJoin('user', 'user.id', 'api_key.user_id')
        .select(['user.name as user_name', 'user.disabledAt as user_disabled_at'])
        .where('api_key.secret_hash', '=', secretHash),
    ),
    find: compileQuery(({ keyId }: Placeholders<{ keyId: string }>) => keys.where('id', '=', keyId)),
    listOf: compileQuery(({ userId }: Placeholders<{ userId: string }>) =>
      keys.where('user_id', '=', userId).where('deleted_at', 'is', null).orderBy('created_at').orderBy('id'),
    ),
    insert: compileQuery((row: Placeholders<StoredKey>) => db.insertInto('api_key').values(key.values(row))),
    forgetRevoked: compileQuery(({ userId, kept }: Placeholders<{ userId: string; kept: number }>) =>
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
    revoke: compileQuery(({ keyId, deletedAt }: Placeholders<{ keyId: string; deletedAt: number }>) =>
      db
        .updateTable('api_key')
        .set({ deleted_at: deletedAt })
        .where('id', '=', keyId)
        .where('deleted_at', 'is', null),
    ),
    removeOf: compileQuery(({ userId }: Placeholders<{ userId: string }>) =>
      db.deleteFrom('api_key').where('user_id', '=', userId),
    ),
    touch: compileQuery(({ keyId, lastUsedAt }: Placeholders<{ keyId: string; lastUsedAt: number }>) =>
      db.updateTable('api_key').set({ last_used_at: lastUsedAt }).where('id', '=', keyId),
    ),
  };
}

export function createKeyReader(executor: Executor, queries: KeyQueries): KeyReader {
  return {
    async findByHash(secretHash) {
      const record = await queries.findByHash.get(executor, { secretHash });
      if (record === undefined) return null;
      const { user_name: userName, user_disabled_at: userDisabledAt, ...stored } = record;
      const key = toKeyRow(stored);
      return { key: { ...key, disabled: key.disabled || userDisabledAt !== null }, userName };
    },
    async find(keyId) {
      const record = await queries.find.get(executor, { keyId });
      return record === undefined ? null : toKeyRow(record);
    },
    async listOf(userId) {
      return (await queries.listOf.all(executor, { userId })).map(toKeyRow);
    },
  };
}

function toKeyRow(stored: StoredKey): KeyRow {
  const { secretHash: _, ...row } = key.toRow(stored);
  return row;
}

export function createKeyWriter(executor: Executor, queries: KeyQueries): KeyWriter {
  return {
    async insertKey(row) {
      await queries.insert.run(executor, { ...row, disabled: 0, deletedAt: null, lastUsedAt: null });
    },
    async forgetRevokedKeys(userId, kept) {
      await queries.forgetRevoked.run(executor, { userId, kept });
    },
    async revokeKey(keyId, deletedAt) {
      await queries.revoke.run(executor, { keyId, deletedAt });
    },
    async deleteKeysOf(userId) {
      return await queries.removeOf.run(executor, { userId });
    },
    async touchKey(keyId, lastUsedAt) {
      await queries.touch.run(executor, { keyId, lastUsedAt });
    },
  };
}
