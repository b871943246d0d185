import type { Viewer, WorkspacePath } from '@stoa/core';
import type { Transaction } from '../ports/transaction.ts';
import { isHidden } from '../privacy/find-owner.ts';

interface Move {
  readonly from: WorkspacePath;
  readonly to: WorkspacePath;
}

/** Moves a file's links with it, and ends them when the new path is private, as well as older links there. */
export async function transferFileShares(
  tx: Transaction,
  workspaceId: string,
  { from, to }: Move,
  destinationOwnerId: string | null,
): Promise<void> {
  await tx.write.moveSharesAt(workspaceId, 'file', from, to);
  if (destinationOwnerId !== null) await tx.write.deleteSharesAt(workspaceId, to);
}

/** Moves the links of a folder that the viewer may see, and ends them if the new path is private. */
export async function transferFolderShares(
  tx: Transaction,
  { workspaceId, viewer }: { readonly workspaceId: string; readonly viewer: Viewer },
  from: WorkspacePath,
  to: WorkspacePath,
): Promise<void> {
  if (await isHidden(tx, workspaceId, from, viewer)) return;
  await tx.write.moveSharesAt(workspaceId, 'folder', from, to);
  if ((await tx.nodes.decidingPrivacy(workspaceId, to)) !== null) {
    await tx.write.deleteSharesAt(workspaceId, to);
  }
}
