import { WorkspaceError } from '@stoa/core';
import type { Caller } from '../access.ts';
import { type AuditNote, defineAuditedScript } from '../auditing/audited-script.ts';
import type { KeyRow } from '../ports/keys.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { requireSession } from './require-session.ts';

interface RevokeKey {
  readonly keyId: string;
  /** Whose key it must be; null for an operator, who may revoke anybody's. */
  readonly ownerId: string | null;
  readonly deletedAt: number;
}

/** The row of a revoked key. */
export function keyRevoked(
  { id, name, userId, workspaceId }: Pick<KeyRow, 'id' | 'name' | 'userId' | 'workspaceId'>,
  at: number,
): AuditNote {
  return { action: 'key.revoke', at, workspaceId, personId: userId, targetId: id, targetName: name };
}

/** Another person's key and an unknown one are the same refusal. */
export const revokeKeyScript = defineAuditedScript<RevokeKey, void>('keys.revoke', async (tx, command) => {
  const key = await tx.keys.find(command.keyId);
  const isTheirs = key !== null && (command.ownerId === null || key.userId === command.ownerId);
  if (!isTheirs || key.deletedAt !== null) throw new WorkspaceError('key_not_found');
  await tx.write.revokeKey(command.keyId, command.deletedAt);
  await tx.write.forgetBookmarks(command.keyId);
  tx.noteAudit(keyRevoked(key, command.deletedAt));
});

/**
 * Revokes one of the caller's own keys; it fails from the next request on.
 * @throws WorkspaceError `key_management_needs_session`, `key_not_found`
 */
export async function revokeKey(
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  caller: Caller,
  keyId: string,
): Promise<void> {
  requireSession(caller);
  await deps.store.transact(revokeKeyScript, {
    keyId,
    ownerId: caller.actor.userId,
    deletedAt: deps.clock(),
  });
}

/**
 * Revokes a key of any person, for the operator.
 * @throws WorkspaceError `key_not_found`
 */
export async function revokeAnyKey(deps: Pick<ServiceDeps, 'store' | 'clock'>, keyId: string): Promise<void> {
  await deps.store.transact(revokeKeyScript, { keyId, ownerId: null, deletedAt: deps.clock() });
}
