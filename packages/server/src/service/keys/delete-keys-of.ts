import type { Transaction } from '../ports/transaction.ts';

/**
 * Revokes a person's keys for one workspace, inside the transaction that ends their membership (interface:
 * members, Removal). Account-wide keys stay. @returns how many were revoked.
 */
export async function deleteKeysOf(
  tx: Transaction,
  member: { readonly userId: string; readonly workspaceId: string },
  deletedAt: number,
): Promise<number> {
  const keys = await tx.keys.listOf(member.userId);
  const scoped = keys.filter(({ workspaceId }) => workspaceId === member.workspaceId);
  for (const { id } of scoped) await tx.write.revokeKey(id, deletedAt);
  return scoped.length;
}
