import { invalidRequest, isWithin, rebasePath, type WorkspacePath } from '@stoa/core';
import type { WorkspaceAccess } from '../access/workspace-access.ts';
import { authorOf, type ChangeAuthor } from '../changes/change-author.ts';
import { openForChange } from '../changes/open-for-change.ts';
import type { WorkspaceRow } from '../ports/rows.ts';
import { defineScript } from '../ports/script.ts';
import type { Transaction } from '../ports/transaction.ts';
import { carryPrivacy } from '../privacy/carry-privacy.ts';
import { refuseHidden } from '../privacy/find-owner.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { carryFolderShares } from '../shares/carry-shares.ts';

interface MoveFolderCommand extends ChangeAuthor {
  readonly from: WorkspacePath;
  readonly to: WorkspacePath;
}

/**
 * Carries a folder's privacy, icon and order, and those of everything below it, to a new path; moves no files
 * (interface: files, Move folder). Items that the caller cannot see stay where they are; having nothing to carry is fine.
 * @throws WorkspaceError `file_not_found` when either path is hidden from the caller; `invalid_request` when `to` is
 * inside `from`.
 */
export async function moveFolder(
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  access: WorkspaceAccess,
  move: { readonly from: WorkspacePath; readonly to: WorkspacePath },
): Promise<void> {
  const author = authorOf(access, deps.clock());
  return deps.store.transact(moveFolderScript, { ...author, ...move });
}

export const moveFolderScript = defineScript<MoveFolderCommand, void>(
  'files.move-folder',
  async (tx, command) => {
    const { from, to, viewer } = command;
    const { workspace } = await openForChange(tx, command);
    if (isWithin(to, from)) {
      throw invalidRequest('A folder cannot be moved into itself');
    }
    await refuseHidden(tx, workspace.id, from, viewer);
    await refuseHidden(tx, workspace.id, to, viewer);
    await carryIcons(tx, workspace, command);
    await carryOrders(tx, workspace, command);
    await carryPrivacy(tx, workspace, command, { from, to });
    await carryFolderShares(tx, workspace.id, { from, to });
  },
);

async function carryIcons(tx: Transaction, { id }: WorkspaceRow, { from, to, viewer }: MoveFolderCommand) {
  for (const [path, icon] of await tx.nodes.icons(id, from, viewer)) {
    await tx.write.setIcon(id, path, null);
    await tx.write.setIcon(id, rebasePath(path, from, to), icon);
  }
}

async function carryOrders(tx: Transaction, { id }: WorkspaceRow, { from, to, viewer }: MoveFolderCommand) {
  for (const [path, order] of await tx.nodes.orders(id, from, viewer)) {
    await tx.write.setOrder(id, path, null);
    await tx.write.setOrder(id, rebasePath(path, from, to), order);
  }
}
