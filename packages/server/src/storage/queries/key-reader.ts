import type { KeyReader } from '../../service/ports/reader.ts';
import type { KeyRow } from '../../service/ports/rows.ts';
import type { Executor } from './executor.ts';
import { compileQuery, type Placeholders } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';
import type { ApiKeyTable } from './tables.ts';

type KeyRecord = Omit<ApiKeyTable, 'secret_hash'>;

const keyColumns = [
  'api_key.id',
  'api_key.user_id',
  'api_key.workspace_id',
  'api_key.name',
  'api_key.start',
  'api_key.principal',
  'api_key.disabled',
  'api_key.expires_at',
  'api_key.deleted_at',
  'api_key.created_at',
  'api_key.last_used_at',
] as const;

export type KeyQueries = ReturnType<typeof keyQueries>;

export function keyQueries({ db }: QueryDialect) {
  const keys = db.selectFrom('api_key').select(keyColumns);
  return {
    findByHash: compileQuery(({ secretHash }: Placeholders<{ secretHash: string }>) =>
      keys
        .innerJoin('user', 'user.id', 'api_key.user_id')
        .select('user.name as user_name')
        .where('api_key.secret_hash', '=', secretHash),
    ),
    find: compileQuery(({ keyId }: Placeholders<{ keyId: string }>) => keys.where('id', '=', keyId)),
    listOf: compileQuery(({ userId }: Placeholders<{ userId: string }>) =>
      keys.where('user_id', '=', userId).where('deleted_at', 'is', null).orderBy('created_at').orderBy('id'),
    ),
  };
}

export function createKeyReader(executor: Executor, queries: KeyQueries): KeyReader {
  return {
    async findByHash(secretHash) {
      const record = await queries.findByHash.get(executor, { secretHash });
      return record === undefined ? null : { key: toKeyRow(record), userName: record.user_name };
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

function toKeyRow(record: KeyRecord): KeyRow {
  return {
    id: record.id,
    userId: record.user_id,
    workspaceId: record.workspace_id,
    name: record.name,
    start: record.start,
    principal: record.principal,
    disabled: record.disabled === 1,
    expiresAt: record.expires_at,
    deletedAt: record.deleted_at,
    createdAt: record.created_at,
    lastUsedAt: record.last_used_at,
  };
}
