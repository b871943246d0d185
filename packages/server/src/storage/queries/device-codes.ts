import type { DeviceCodeState, UserCode } from '@stoa/core';
import type { DeviceCodeReader, DeviceCodeRow, DeviceCodeWriter } from '../../service/ports/device-codes.ts';
import type { Executor } from './executor.ts';
import { compileQuery, type Placeholders } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';

export interface DeviceCodeTable {
  device_code_hash: string;
  user_code: UserCode;
  state: DeviceCodeState;
  client_address: string;
  user_agent: string;
  created_at: number;
  expires_at: number;
  last_polled_at: number | null;
  claimed_by: string | null;
  workspace_id: string | null;
  key_id: string | null;
  secret_hash: string;
  secret_start: string;
  sealed_secret: Uint8Array | null;
}

export interface RecentAttemptTable {
  bucket: string;
  /** A JSON list of times. */
  attempts: string;
  stale_at: number;
}

export type DeviceQueries = ReturnType<typeof deviceQueries>;

export function deviceQueries({ db }: QueryDialect) {
  const codes = db.selectFrom('device_code').selectAll();
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
      return record === undefined ? null : toDeviceCodeRow(record);
    },
    async findByUserCode(userCode) {
      const record = await queries.findByUserCode.get(executor, { userCode });
      return record === undefined ? null : toDeviceCodeRow(record);
    },
    async listSealed(expiredBy, limit) {
      return (await queries.listSealed.all(executor, { expiredBy, limit })).map(toDeviceCodeRow);
    },
  };
}

export function toDeviceCodeRow(record: DeviceCodeTable): DeviceCodeRow {
  return {
    deviceCodeHash: record.device_code_hash,
    userCode: record.user_code,
    state: record.state,
    clientAddress: record.client_address,
    userAgent: record.user_agent,
    createdAt: record.created_at,
    expiresAt: record.expires_at,
    lastPolledAt: record.last_polled_at,
    claimedBy: record.claimed_by,
    workspaceId: record.workspace_id,
    keyId: record.key_id,
    secretHash: record.secret_hash,
    secretStart: record.secret_start,
    sealedSecret: record.sealed_secret,
  };
}

type NewCode = Omit<DeviceCodeTable, 'state' | 'last_polled_at' | 'claimed_by' | 'workspace_id' | 'key_id'>;
type Approval = { deviceCodeHash: string; userId: string; workspaceId: string; keyId: string };
type Poll = { deviceCodeHash: string; polledAt: number };
type OneCode = { deviceCodeHash: string };

export type DeviceWrites = ReturnType<typeof deviceWrites>;

export function deviceWrites({ db, locksRows }: QueryDialect) {
  return {
    insert: compileQuery((row: Placeholders<NewCode>) =>
      db.insertInto('device_code').values({
        device_code_hash: row.device_code_hash,
        user_code: row.user_code,
        state: 'pending',
        client_address: row.client_address,
        user_agent: row.user_agent,
        created_at: row.created_at,
        expires_at: row.expires_at,
        last_polled_at: null,
        claimed_by: null,
        workspace_id: null,
        key_id: null,
        secret_hash: row.secret_hash,
        secret_start: row.secret_start,
        sealed_secret: row.sealed_secret,
      }),
    ),
    lock: compileQuery(({ deviceCodeHash }: Placeholders<OneCode>) => {
      const found = db.selectFrom('device_code').selectAll().where('device_code_hash', '=', deviceCodeHash);
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
      db.updateTable('api_key').set({ expires_at: null }).where('id', '=', keyId),
    ),
  };
}

export function createDeviceCodeWriter(executor: Executor, writes: DeviceWrites): DeviceCodeWriter {
  return {
    async insertDeviceCode(row) {
      await writes.insert.run(executor, {
        device_code_hash: row.deviceCodeHash,
        user_code: row.userCode,
        client_address: row.clientAddress,
        user_agent: row.userAgent,
        created_at: row.createdAt,
        expires_at: row.expiresAt,
        secret_hash: row.secretHash,
        secret_start: row.secretStart,
        sealed_secret: row.sealedSecret,
      });
    },
    async lockDeviceCode(deviceCodeHash) {
      const record = await writes.lock.get(executor, { deviceCodeHash });
      return record === undefined ? null : toDeviceCodeRow(record);
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
