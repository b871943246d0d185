import type { UserCode } from '@stoa/core';
import type { DeviceCodeReader, DeviceCodeRow } from '../../service/ports/device-store.ts';
import type { DeviceCodeTable } from './device-tables.ts';
import type { Executor } from './executor.ts';
import { compileQuery, type Placeholders } from './query.ts';
import type { QueryDialect } from './query-dialect.ts';

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
