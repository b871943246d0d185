import { invalidRequest, isVisible, isWithin, rebasePath, type WorkspacePath } from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import { defineScript } from '../ports/script.ts';
import type { Transaction } from '../ports/transaction.ts';
import { makePrivate } from '../privacy/change-privacy.ts';
import { isHidden, rejectHidden } from '../privacy/find-owner.ts';
import { transferPrivacy } from '../privacy/transfer-privacy.ts';
import { authorOf, type ChangeAuthor, openForChange } from '../script-steps.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { transferFolderShares } from '../shares/transfer-shares.ts';

export interface MoveFolderCommand extends ChangeAuthor {
  readonly from: WorkspacePath;
  readonly to: WorkspacePath;
  /** The remainder of an earlier step: null for the first one. */
  readonly rest: TransferRest | null;
}

/**
 * In this order the new paths are private before anything arrives there, and the old ones until everything has left:
 * other transactions come in between.
 */
const transferSteps = ['protect', 'icons', 'orders', 'shares', 'privacy'] as const;

/** The remainder of a move: in this step the items after `afterPath`, and everything in the later steps. */
export interface TransferRest {
  readonly step: (typeof transferSteps)[number];
  readonly afterPath: WorkspacePath | null;
}

/** Items in one transaction: a folder may have any number, and other scripts wait for the writer. */
const transferredMax = 200;

/**
 * Moves the privacy, icon and order of a folder and of everything below it to a new path; moves no files (interface:
 * files, Move folder). Items that the caller cannot see stay, and so do items whose new path the caller cannot see. A
 * folder without such items is not an error. Many items take several transactions.
 * @throws WorkspaceError `file_not_found` when there are items and `to` is hidden from the caller; `invalid_request`
 * when `to` is inside `from`.
 */
export async function moveFolder(
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  access: WorkspaceAccess,
  move: { readonly from: WorkspacePath; readonly to: WorkspacePath },
): Promise<void> {
  await transferRest(deps, access, move, { rest: null });
}

/** Transfers the remainder of a first transaction, step by step. */
export async function transferRest(
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  access: WorkspaceAccess,
  move: { readonly from: WorkspacePath; readonly to: WorkspacePath },
  left: { readonly rest: TransferRest | null },
): Promise<void> {
  let { rest } = left;
  do {
    const author = authorOf(access, deps.clock());
    rest = await deps.store.transact(moveFolderScript, { ...author, ...move, rest });
  } while (rest !== null);
}

/** @returns the remainder. */
export const moveFolderScript = defineScript<MoveFolderCommand, TransferRest | null>(
  'files.move-folder',
  async (tx, command) => {
    const { from, to, rest } = command;
    await openForChange(tx, command, 'write');
    if (isWithin(to, from)) {
      throw invalidRequest('to: a folder cannot be moved into itself');
    }
    return rest === null ? transferFolder(tx, command) : transferItems(tx, command, rest);
  },
);

type Carrying = Omit<MoveFolderCommand, 'rest'>;

/**
 * Transfers the properties of a folder and of its contents, as far as the caller can see the old and the new path.
 * @returns the remainder.
 */
export async function transferFolder(tx: Transaction, command: Carrying): Promise<TransferRest | null> {
  const { workspaceId, from, to, viewer } = command;
  // Paths outside the key's grant are neither source nor destination.
  if (!isVisible(from, viewer) || !isVisible(to, viewer)) return null;
  // Another member's private folder behaves like a missing one, so that neither path reveals it.
  for (const step of ['privacy', 'shares', 'icons', 'orders'] as const) {
    if ((await itemsOf(tx, command, { step, afterPath: null }, 1)).length === 0) continue;
    await rejectHidden(tx, workspaceId, to, viewer);
    return transferItems(tx, command, { step: 'protect', afterPath: null });
  }
  return null;
}

/** Transfers as many items as one transaction may. @returns the remainder. */
async function transferItems(
  tx: Transaction,
  command: Carrying,
  rest: TransferRest,
): Promise<TransferRest | null> {
  const { workspaceId, from, to, viewer } = command;
  let { step, afterPath } = rest;
  for (let limit = transferredMax; ; ) {
    const items = await itemsOf(tx, command, { step, afterPath }, limit);
    for (const { path, moveTo: transfer } of items) {
      const destination = rebasePath(path, from, to);
      // A new path that is hidden would take it from another member, and show their files to the caller.
      if (!(await isHidden(tx, workspaceId, destination, viewer))) await transfer(destination);
    }
    if (items.length === limit) return { step, afterPath: items.at(-1)?.path ?? null };
    limit -= items.length;
    const next = transferSteps[transferSteps.indexOf(step) + 1];
    if (next === undefined) return null;
    step = next;
    afterPath = null;
  }
}

interface Item {
  readonly path: WorkspacePath;
  readonly moveTo: (destination: WorkspacePath) => Promise<void>;
}

async function itemsOf(
  tx: Transaction,
  command: Carrying,
  { step, afterPath }: TransferRest,
  limit: number,
): Promise<readonly Item[]> {
  const { workspaceId, from, to, viewer } = command;
  const page = { workspaceId, prefix: from, viewer, afterPath, limit };
  switch (step) {
    case 'protect': {
      // The new paths of such a move may be old paths of other items.
      if (isWithin(from, to)) return [];
      const records = await tx.nodes.privatePage(page);
      return records.map((record) => {
        return { path: record.path, moveTo: (path) => makePrivate(tx, command, { ...record, path }) };
      });
    }
    case 'icons':
      return (await tx.nodes.iconPage(page)).map((item) => itemAt(workspaceId, item, tx.write.setIcon));
    case 'orders':
      return (await tx.nodes.orderPage(page)).map((item) => itemAt(workspaceId, item, tx.write.setOrder));
    case 'shares': {
      const folders = await tx.shares.sharedFolderPage({ workspaceId, folder: from, afterPath, limit });
      return folders.map((path) => {
        return { path, moveTo: (destination) => transferFolderShares(tx, command, path, destination) };
      });
    }
    case 'privacy': {
      const records = await tx.nodes.privatePage(page);
      return records.map((record) => {
        return {
          path: record.path,
          moveTo: (destination) => transferPrivacy(tx, command, record, destination),
        };
      });
    }
  }
}

function itemAt<Value>(
  workspaceId: string,
  [path, value]: readonly [WorkspacePath, Value],
  set: (workspaceId: string, path: WorkspacePath, value: Value | null) => Promise<void>,
): Item {
  return {
    path,
    async moveTo(destination) {
      await set(workspaceId, path, null);
      await set(workspaceId, destination, value);
    },
  };
}
