import { type KeyRecord, routes } from '@stoa/contract';
import { listKeys } from '../../../service/keys/list-keys.ts';
import type { KeyRow } from '../../../service/ports/keys.ts';
import { json } from '../../answers/answer.ts';
import { operation } from '../../operation.ts';

export const listKeysOperation = operation(routes.listKeys, async ({ deps, caller }) => {
  const keys = await listKeys(deps.service, caller);
  return json(200, { keys: keys.map(keyRecord) });
});

function keyRecord({
  id,
  name,
  principal,
  workspaceId,
  createdAt,
  expiresAt,
  lastUsedAt,
}: KeyRow): KeyRecord {
  return {
    id,
    name,
    metadata: workspaceId === null ? { actorType: principal } : { actorType: principal, workspaceId },
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: isoTimeOrNull(expiresAt),
    lastUsedAt: isoTimeOrNull(lastUsedAt),
  };
}

function isoTimeOrNull(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
