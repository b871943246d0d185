import { endOfDays, type UserCode } from '@stoa/core';
import { sql } from 'kysely';
import type { DeviceCodeReader, DeviceCodeRow, DeviceCodeWriter } from '../../service/ports/device-codes.ts';
import type { Executor } from './executor.ts';
import { columns, compileQuery, type Placeholders, type StoredOf, type TableOf } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';

/** In milliseconds, consistent with `endOfDays`. Null days make a null end. */
const dayMs = endOfDays(0, 1);

const deviceCode = columns<DeviceCodeRow>()('device_code', {
  deviceCodeHash: 'device_code_hash',
  userCode: 'user_code',
  state: 'state',
  clientAddress: 'client_address',
  userAgent: 'user_agent',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
  lastPolledAt: 'last_polled_at',
  claimedBy: 'claimed_by',
  workspaceId: 'workspace_id',
  keyId: 'key_id',
  secretHash: 'secret_hash',
  secretStart: 'secret_start',
  sealedSecret: 'sealed_secret',
});

export type DeviceCodeTable = TableOf<typeof deviceCode>;

export type DeviceQueries = ReturnType<typeof deviceQueries>;

export function deviceQueries({ db }: QueryDialect) {
  const codes = db.selectFrom('device_code').select(deviceCode.selection);
  return {
    findByDeviceCode: compileQuery(({ deviceCodeHash }: Placeholders<{ deviceCodeHash: string }>) =>
      codes.where('device_code_hash', '=', deviceCodeHash),
    ),
    findByUserCode: compileQuery(({ userCode }: Placeholders<{ userCode: UserCode }>) =>
      codes.where('user_code', '=', userCode),
    ),
    listSealed: compileQuery(({ expiredBy, limit }: Placeholders<{ expiredBy: number; limit: number }>) =>
      codes
        .where('sealed_secret', 'is not', null)
        .where('expires_at', '<=', expiredBy)
        .orderBy('expires_at')
        .limit(limit),
    ),
  };
}

export function createDeviceCodeReader(executor: Executor, queries: DeviceQueries): DeviceCodeReader {
  return {
    async findByDeviceCode(deviceCodeHash) {
      const record = await queries.findByDeviceCode.get(executor, { deviceCodeHash });
      return record === undefined ? null : deviceCode.toRow(record);
    },
    async findByUserCode(userCode) {
      const record = await queries.findByUserCode.get(executor, { userCode });
      return record === undefined ? null : deviceCode.toRow(record);
    },
    async listSealed(expiredBy, limit) {
      return (await queries.listSealed.all(executor, { expiredBy, limit })).map(deviceCode.toRow);
    },
  };
}

type Approval = { deviceCodeHash: string; userId: string; workspaceId: string; keyId: string };
type Poll = { deviceCodeHash: string; polledAt: number };
type OneCode = { deviceCodeHash: string };

export type DeviceWrites = ReturnType<typeof deviceWrites>;

export function deviceWrites({ db, locksRows }: QueryDialect) {
  return {
    insert: compileQuery((row: Placeholders<StoredOf<typeof deviceCode>>) =>
      db.insertInto('device_code').values(deviceCode.values(row)),
    ),
    lock: compileQuery(({ deviceCodeHash }: Placeholders<OneCode>) => {
      const found = db
        .selectFrom('device_code')
        .select(deviceCode.selection)
        .where('device_code_hash', '=', deviceCodeHash);
      return locksRows ? found.forUpdate() : found;
    }),
    claim: compileQuery(
      ({ deviceCodeHash, userId }: Placeholders<{ deviceCodeHash: string; userId: string }>) =>
        db
          .updateTable('device_code')
          .set({ claimed_by: userId })
          .where('device_code_hash', '=', deviceCodeHash)
          .where('claimed_by', 'is', null),
    ),
    approve: compileQuery(({ deviceCodeHash, userId, workspaceId, keyId }: Placeholders<Approval>) =>
      db
        .updateTable('device_code')
        .set({ state: 'approved', workspace_id: workspaceId, key_id: keyId })
        .where('device_code_hash', '=', deviceCodeHash)
        .where('state', '=', 'pending')
        .where('claimed_by', '=', userId),
    ),
    deny: compileQuery(({ deviceCodeHash }: Placeholders<OneCode>) =>
      db
        .updateTable('device_code')
        .set({ state: 'denied', sealed_secret: null })
        .where('device_code_hash', '=', deviceCodeHash)
        .where('state', 'in', ['pending', 'approved']),
    ),
    denyOf: compileQuery(({ userId }: Placeholders<{ userId: string }>) =>
      db
        .updateTable('device_code')
        .set({ state: 'denied', sealed_secret: null })
        .where('claimed_by', '=', userId)
        .where('state', 'in', ['pending', 'approved']),
    ),
    notePoll: compileQuery(({ deviceCodeHash, polledAt }: Placeholders<Poll>) =>
      db
        .updateTable('device_code')
        .set({ last_polled_at: polledAt })
        .where('device_code_hash', '=', deviceCodeHash),
    ),
    consume: compileQuery(({ deviceCodeHash, polledAt }: Placeholders<Poll>) =>
      db
        .updateTable('device_code')
        .set({ state: 'consumed', sealed_secret: null, last_polled_at: polledAt })
        .where('device_code_hash', '=', deviceCodeHash)
        .where('state', '=', 'approved')
        .where('sealed_secret', 'is not', null),
    ),
    dropSealed: compileQuery(({ deviceCodeHash }: Placeholders<OneCode>) =>
      db
        .updateTable('device_code')
        .set({ sealed_secret: null })
        .where('device_code_hash', '=', deviceCodeHash)
        .where('sealed_secret', 'is not', null),
    ),
    remove: compileQuery(({ expiredBy, limit }: Placeholders<{ expiredBy: number; limit: number }>) =>
      db
        .deleteFrom('device_code')
        .where('device_code_hash', 'in', (of) =>
          of
            .selectFrom('device_code')
            .select('device_code_hash')
            .where('expires_at', '<=', expiredBy)
            .orderBy('expires_at')
            .limit(limit),
        ),
    ),
    keepKey: compileQuery(({ keyId }: Placeholders<{ keyId: string }>) =>
      db
        .updateTable('api_key')
        .set({ expires_at: sql<number | null>`created_at + expires_in_days * ${sql.lit(dayMs)}` })
        .where('id', '=', keyId),
    ),
  };
}

export function createDeviceCodeWriter(executor: Executor, writes: DeviceWrites): DeviceCodeWriter {
  return {
    async insertDeviceCode(row) {
      const unanswered = { lastPolledAt: null, claimedBy: null, workspaceId: null, keyId: null };
      await writes.insert.run(executor, { ...row, ...unanswered, state: 'pending' });
    },
    async lockDeviceCode(deviceCodeHash) {
      const record = await writes.lock.get(executor, { deviceCodeHash });
      return record === undefined ? null : deviceCode.toRow(record);
    },
    async claimDeviceCode(deviceCodeHash, userId) {
      await writes.claim.run(executor, { deviceCodeHash, userId });
    },
    async approveDeviceCode(approval) {
      return (await writes.approve.run(executor, approval)) === 1;
    },
    async denyDeviceCode(deviceCodeHash) {
      return (await writes.deny.run(executor, { deviceCodeHash })) === 1;
    },
    async denyDeviceCodesOf(userId) {
      return await writes.denyOf.run(executor, { userId });
    },
    async noteDevicePoll(deviceCodeHash, polledAt) {
      await writes.notePoll.run(executor, { deviceCodeHash, polledAt });
    },
    async consumeDeviceCode(deviceCodeHash, polledAt) {
      return (await writes.consume.run(executor, { deviceCodeHash, polledAt })) === 1;
    },
    async dropSealedSecret(deviceCodeHash) {
      return (await writes.dropSealed.run(executor, { deviceCodeHash })) === 1;
    },
    async removeDeviceCodes(expiredBy, limit) {
      return await writes.remove.run(executor, { expiredBy, limit });
    },
    async keepKeyBeyondExpiry(keyId) {
      await writes.keepKey.run(executor, { keyId });
    },
  };
}
