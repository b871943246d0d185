import { rebasePath, type Viewer, type WorkspacePath } from '@stoa/core';
import type { Transaction } from '../ports/transaction.ts';
import { isHidden } from '../privacy/find-owner.ts';

interface Move {
  readonly from: WorkspacePath;
  readonly to: WorkspacePath;
}

/** Moves a file's links with it, and ends them when the new path is private, as well as older links there. */
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

/** Moves the links of a folder and of the folders below it, and ends those whose new path is private. */
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
