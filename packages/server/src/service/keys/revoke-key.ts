import { WorkspaceError } from '@stoa/core';
import type { Caller } from '../access.ts';
import { type AuditNote, defineAuditedScript } from '../auditing/audited-script.ts';
import type { KeyRow } from '../ports/keys.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { requireSession } from './require-session.ts';

interface RevokeKey {
  readonly keyId: string;
  /** The required owner of the key; null for an operator, who may revoke any key. */
  readonly ownerId: string | null;
  readonly deletedAt: number;
}

export function keyRevoked(
  { id, name, userId, workspaceId }: Pick<KeyRow, 'id' | 'name' | 'userId' | 'workspaceId'>,
  at: number,
): AuditNote {
  return { action: 'key.revoke', at, workspaceId, personId: userId, targetId: id, targetName: name };
}

/** Another user's key and an unknown one cause the same error. */
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
 * Revokes any key, for the operator.
 * @throws WorkspaceError `key_not_found`
 */
export async function revokeAnyKey(deps: Pick<ServiceDeps, 'store' | 'clock'>, keyId: string): Promise<void> {
  await deps.store.transact(revokeKeyScript, { keyId, ownerId: null, deletedAt: deps.clock() });
}
