import { type KeyRecord, routes } from '@stoa/contract';
import { listKeys } from '../../../service/keys/list-keys.ts';
import type { KeyRow } from '../../../service/ports/keys.ts';
import { operation } from '../../operation.ts';
import { json } from '../../responses/response.ts';
import { narrownessOf } from './narrowness.ts';

export const listKeysOperation = operation(routes.listKeys, async ({ deps, caller }) => {
  const keys = await listKeys(deps.service, caller);
  return json(200, { keys: keys.map(keyRecord) });
});

function keyRecord({
  id,
  name,
  principal,
  workspaceId,
  access,
  path,
  expiresInDays,
  createdAt,
  expiresAt,
  lastUsedAt,
}: KeyRow): KeyRecord {
  return {
    id,
    name,
    metadata: {
      actorType: principal,
      ...(workspaceId === null ? {} : { workspaceId }),
      ...narrownessOf({ access, path, expiresInDays, createdAt }),
    },
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: isoTimeOrNull(expiresAt),
    lastUsedAt: isoTimeOrNull(lastUsedAt),
  };
}

function isoTimeOrNull(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
