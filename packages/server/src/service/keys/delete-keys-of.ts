import type { AuditedTransaction } from '../auditing/audited-script.ts';
import { keyRevoked } from './revoke-key.ts';

/**
 * Revokes a user's keys for one workspace, inside the transaction that ends their membership (interface: members,
 * Removal). Account-wide keys stay.
 * @returns the number of revoked keys.
 */
export async function deleteKeysOf(
  tx: AuditedTransaction,
  member: { readonly userId: string; readonly workspaceId: string },
  deletedAt: number,
): Promise<number> {
  const keys = await tx.keys.listOf(member.userId);
  const scoped = keys.filter(({ workspaceId }) => workspaceId === member.workspaceId);
  for (const key of scoped) {
    await tx.write.revokeKey(key.id, deletedAt);
    tx.noteAudit(keyRevoked(key, deletedAt));
  }
  return scoped.length;
}
