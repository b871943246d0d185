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
  /** The remainder of an earlier step: null for the first one. */
  readonly rest: CarryRest | null;
}

/** Icons and orders that still have to be transferred: those after `afterPath`, and all orders after the icons. */
export interface CarryRest {
  readonly table: 'icons' | 'orders';
  readonly afterPath: WorkspacePath | null;
}

/** Icons or orders in one transaction: a folder may have any number, and other scripts wait for the writer. */
const carriedMax = 500;

/**
 * Moves the privacy, icon and order of a folder and of everything below it to a new path; moves no files (interface:
 * files, Move folder). Items that the caller cannot see stay, and so do items whose new path the caller cannot see. A
 * folder without such items is not an error. Many icons and orders take several transactions.
 * @throws WorkspaceError `file_not_found` when there are items and `to` is hidden from the caller; `invalid_request`
 * when `to` is inside `from`.
 */
export async function moveFolder(
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  access: WorkspaceAccess,
  move: { readonly from: WorkspacePath; readonly to: WorkspacePath },
): Promise<void> {
  await carryRest(deps, access, move, { rest: null });
}

/** Transfers the remainder of a first transaction, step by step. */
export async function carryRest(
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  access: WorkspaceAccess,
  move: { readonly from: WorkspacePath; readonly to: WorkspacePath },
  left: { readonly rest: CarryRest | null },
): Promise<void> {
  let { rest } = left;
  do {
    const author = authorOf(access, deps.clock());
    rest = await deps.store.transact(moveFolderScript, { ...author, ...move, rest });
  } while (rest !== null);
}

/** @returns the remainder. */
export const moveFolderScript = defineScript<MoveFolderCommand, CarryRest | null>(
  'files.move-folder',
  async (tx, command) => {
    const { from, to, rest } = command;
    await openForChange(tx, command, 'write');
    if (isWithin(to, from)) {
      throw invalidRequest('A folder cannot be moved into itself');
    }
    return rest === null ? carryFolder(tx, command) : carryLooks(tx, command, rest);
  },
);

type Carrying = Omit<MoveFolderCommand, 'rest'>;

/**
 * Transfers the properties of a folder and of its contents, as far as the caller can see the old and the new path.
 * @returns the remainder.
 */
export async function carryFolder(tx: Transaction, command: Carrying): Promise<CarryRest | null> {
  const { workspaceId, from, to, viewer } = command;
  // Paths outside the key's grant are neither source nor destination.
  if (!isInSight(from, viewer) || !isInSight(to, viewer)) return null;
  // Another member's private folder behaves like a missing one, so that neither path reveals it.
  const first = { workspaceId, prefix: from, viewer, afterPath: null, limit: 1 };
  const hasLooks = (await tx.nodes.iconPage(first)).length + (await tx.nodes.orderPage(first)).length > 0;
  const privacy = await tx.nodes.privateTo(workspaceId, from, viewer);
  const shared = await visibleSharedFolders(tx, workspaceId, from, viewer);
  if (!hasLooks && privacy.length + shared.length === 0) return null;
  await refuseHidden(tx, workspaceId, to, viewer);
  const rest = await carryLooks(tx, command, { table: 'icons', afterPath: null });
  const comesIntoSight = (path: WorkspacePath) => comesToSight(tx, command, path);
  await carryPrivacy(tx, command, await onlyThose(privacy, ({ path }) => comesIntoSight(path)), { from, to });
  await carryFolderShares(tx, workspaceId, await onlyThose(shared, comesIntoSight), { from, to });
  return rest;
}

/**
 * False for a record whose new path is hidden: it would take that path from another member and show their files to the
 * caller.
 */
async function comesToSight(
  tx: Transaction,
  { workspaceId, from, to, viewer }: Carrying,
  path: WorkspacePath,
): Promise<boolean> {
  return !(await isHidden(tx, workspaceId, rebasePath(path, from, to), viewer));
}

async function onlyThose<Item>(
  items: Iterable<Item>,
  isWanted: (item: Item) => Promise<boolean>,
): Promise<readonly Item[]> {
  const wanted: Item[] = [];
  for (const item of items) if (await isWanted(item)) wanted.push(item);
  return wanted;
}

/** Transfers icons, then orders, as many as one transaction may. @returns the remainder. */
async function carryLooks(tx: Transaction, command: Carrying, rest: CarryRest): Promise<CarryRest | null> {
  const { workspaceId, from, to, viewer } = command;
  const page = { workspaceId, prefix: from, viewer, afterPath: rest.afterPath, limit: carriedMax };
  let last: WorkspacePath | undefined;
  let count = 0;
  const carryAll = async <Value>(
    items: readonly (readonly [WorkspacePath, Value])[],
    set: (workspaceId: string, path: WorkspacePath, value: Value | null) => Promise<void>,
  ) => {
    for (const [path, value] of items) {
      if (!(await comesToSight(tx, command, path))) continue;
      await set(workspaceId, path, null);
      await set(workspaceId, rebasePath(path, from, to), value);
    }
    last = items.at(-1)?.[0];
    count = items.length;
  };
  if (rest.table === 'icons') await carryAll(await tx.nodes.iconPage(page), tx.write.setIcon);
  else await carryAll(await tx.nodes.orderPage(page), tx.write.setOrder);
  if (last !== undefined && count === carriedMax) return { table: rest.table, afterPath: last };
  return rest.table === 'icons' ? carryLooks(tx, command, { table: 'orders', afterPath: null }) : null;
}
