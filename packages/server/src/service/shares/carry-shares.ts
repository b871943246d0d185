import { rebasePath, type Viewer, type WorkspacePath } from '@stoa/core';
import type { Transaction } from '../ports/transaction.ts';
import { isHidden } from '../privacy/find-owner.ts';

interface Move {
  readonly from: WorkspacePath;
  readonly to: WorkspacePath;
}

/** A file's links follow it, and end where it becomes private: so do those left at the path that it comes to. */
export async function carryFileShares(
  tx: Transaction,
  workspaceId: string,
  { from, to }: Move,
  destinationOwnerId: string | null,
): Promise<void> {
  await tx.write.moveSharesAt(workspaceId, 'file', from, to);
  if (destinationOwnerId !== null) await tx.write.deleteSharesAt(workspaceId, to);
}

/** The folders at and below `folder` that have links and that the viewer may see. */
export async function visibleSharedFolders(
  tx: Transaction,
  workspaceId: string,
  folder: WorkspacePath,
  viewer: Viewer,
): Promise<readonly WorkspacePath[]> {
  const visible: WorkspacePath[] = [];
  const shares = await tx.shares.listFoldersWithin(workspaceId, folder);
  for (const path of new Set(shares.map((share) => share.path))) {
    if (!(await isHidden(tx, workspaceId, path, viewer))) visible.push(path);
  }
  return visible;
}

/** The links of a folder and of the folders below it follow it, and end where they come into a private place. */
export async function carryFolderShares(
  tx: Transaction,
  workspaceId: string,
  folders: readonly WorkspacePath[],
  { from, to }: Move,
): Promise<void> {
  for (const path of folders) {
    const destination = rebasePath(path, from, to);
    await tx.write.moveSharesAt(workspaceId, 'folder', path, destination);
    if ((await tx.nodes.decidingPrivacy(workspaceId, destination)) !== null) {
      await tx.write.deleteSharesAt(workspaceId, destination);
    }
  }
}
