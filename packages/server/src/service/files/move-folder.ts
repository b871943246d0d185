import { invalidRequest, isInSight, isWithin, rebasePath, type WorkspacePath } from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import { defineScript } from '../ports/script.ts';
import type { Transaction } from '../ports/transaction.ts';
import { carryPrivacy } from '../privacy/carry-privacy.ts';
import { isHidden, refuseHidden } from '../privacy/find-owner.ts';
import { authorOf, type ChangeAuthor, openForChange } from '../script-steps.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { carryFolderShares, visibleSharedFolders } from '../shares/carry-shares.ts';

export interface MoveFolderCommand extends ChangeAuthor {
  readonly from: WorkspacePath;
  readonly to: WorkspacePath;
}

/**
 * Carries a folder's privacy, icon and order, and those of everything below it, to a new path; moves no files
 * (interface: files, Move folder). Items that the caller cannot see stay where they are, and so does what would come to a place
 * that the caller cannot see; having nothing to carry is fine.
 * @throws WorkspaceError `file_not_found` when there is something to carry and `to` is hidden from the caller;
 * `invalid_request` when `to` is inside `from`.
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
    const { from, to } = command;
    await openForChange(tx, command, 'write');
    if (isWithin(to, from)) {
      throw invalidRequest('A folder cannot be moved into itself');
    }
    await carryFolder(tx, command);
  },
);

/** What lies beside the files of a folder and below it follows it, as far as the caller sees it and the place where it comes. */
export async function carryFolder(tx: Transaction, command: MoveFolderCommand): Promise<void> {
  const { workspaceId, from, to, viewer } = command;
  // Beyond what a key reaches there is nothing, and nothing comes there by it.
  if (!isInSight(from, viewer) || !isInSight(to, viewer)) return;
  // A private folder of somebody else has nothing to carry, like one that is not there, so that neither path tells.
  const icons = await tx.nodes.icons(workspaceId, from, viewer);
  const orders = await tx.nodes.orders(workspaceId, from, viewer);
  const privacy = await tx.nodes.privateTo(workspaceId, from, viewer);
  const shared = await visibleSharedFolders(tx, workspaceId, from, viewer);
  if (icons.size + orders.size + privacy.length + shared.length === 0) return;
  await refuseHidden(tx, workspaceId, to, viewer);
  // A record would take its place from another member, whose files the caller would see from then on: it stays.
  const comesIntoSight = async (path: WorkspacePath) =>
    !(await isHidden(tx, workspaceId, rebasePath(path, from, to), viewer));
  await carryIcons(tx, command, await onlyThose(icons, ([path]) => comesIntoSight(path)));
  await carryOrders(tx, command, await onlyThose(orders, ([path]) => comesIntoSight(path)));
  await carryPrivacy(tx, command, await onlyThose(privacy, ({ path }) => comesIntoSight(path)), { from, to });
  await carryFolderShares(tx, workspaceId, await onlyThose(shared, comesIntoSight), { from, to });
}

async function onlyThose<Item>(
  items: Iterable<Item>,
  isWanted: (item: Item) => Promise<boolean>,
): Promise<readonly Item[]> {
  const wanted: Item[] = [];
  for (const item of items) if (await isWanted(item)) wanted.push(item);
  return wanted;
}

async function carryIcons(
  tx: Transaction,
  { workspaceId, from, to }: MoveFolderCommand,
  icons: Iterable<readonly [WorkspacePath, string]>,
): Promise<void> {
  for (const [path, icon] of icons) {
    await tx.write.setIcon(workspaceId, path, null);
    await tx.write.setIcon(workspaceId, rebasePath(path, from, to), icon);
  }
}

async function carryOrders(
  tx: Transaction,
  { workspaceId, from, to }: MoveFolderCommand,
  orders: Iterable<readonly [WorkspacePath, number]>,
): Promise<void> {
  for (const [path, order] of orders) {
    await tx.write.setOrder(workspaceId, path, null);
    await tx.write.setOrder(workspaceId, rebasePath(path, from, to), order);
  }
}
