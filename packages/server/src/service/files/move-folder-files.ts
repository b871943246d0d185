import {
  invalidRequest,
  isWithin,
  parsePathPrefix,
  parseWorkspacePath,
  rebasePath,
  WorkspaceError,
  type WorkspacePath,
} from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import type { PrivacyRow } from '../ports/nodes.ts';
import { defineScript } from '../ports/script.ts';
import type { Transaction } from '../ports/transaction.ts';
import { makePrivate } from '../privacy/change-privacy.ts';
import { isHidden, rejectHidden } from '../privacy/find-owner.ts';
import { authorOf, type ChangeAuthor, openForChange } from '../script-steps.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { moveOneFile } from './move-file.ts';
import { type TransferRest, transferFolder, transferRest } from './move-folder.ts';
import { rejectTakenPath } from './put-version.ts';

/** Maximum number of files in one call: the workspace is locked during the move. */
export const movedFilesMax = 1000;
/** Above this, the error message counts "or more". */
const countedMax = 20_000;

interface MoveFolderFilesCommand extends ChangeAuthor {
  readonly from: WorkspacePath;
  readonly to: WorkspacePath;
}

/**
 * Moves a folder with all files in it that the caller can see, and the properties that `moveFolder` transfers, in one
 * transaction (interface: files, Move folder). Each file restarts at version 1. Files that the caller cannot see stay.
 * @returns the number of moved files.
 * @throws WorkspaceError `file_not_found` (no file there, or a destination hidden from the caller),
 * `destination_exists`, `path_taken`, `invalid_path`; `invalid_request` when `to` is inside `from` or there are more
 * than `movedFilesMax` files.
 */
export async function moveFolderFiles(
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  access: WorkspaceAccess,
  move: { readonly from: WorkspacePath; readonly to: WorkspacePath },
): Promise<number> {
  const author = authorOf(access, deps.clock());
  const { count, rest } = await deps.store.transact(moveFolderFilesScript, { ...author, ...move });
  if (rest !== null) await transferRest(deps, access, move, { rest });
  return count;
}

export const moveFolderFilesScript = defineScript<
  MoveFolderFilesCommand,
  { readonly count: number; readonly rest: TransferRest | null }
>('files.move-folder-files', async (tx, command) => {
  const { from, to, viewer, workspaceId } = command;
  const { workspace } = await openForChange(tx, command, 'write');
  if (isWithin(to, from)) throw invalidRequest('to: a folder cannot be moved into itself');
  await rejectHidden(tx, workspaceId, from, viewer);
  const prefix = parsePathPrefix(from);
  const page = { workspaceId, viewer, prefix, afterPath: null, limit: countedMax };
  const files = (await tx.files.page(page)).filter(({ path }) => path !== from);
  if (files.length === 0) throw new WorkspaceError('file_not_found');
  if (files.length > movedFilesMax) {
    const count = files.length < countedMax - 1 ? `${files.length}` : `${files.length} or more`;
    throw invalidRequest(
      `"${from}" is a folder of ${count} files; one call moves up to ${movedFilesMax}: move the folders in it one by one`,
    );
  }
  await rejectHidden(tx, workspaceId, to, viewer);
  await rejectOccupied(tx, command);
  const moves = files.map((file) => {
    return { file, destination: parseWorkspacePath(rebasePath(file.path, from, to)) };
  });
  // The destination may contain an empty private folder of another member: files moved there would be visible to that
  // member only.
  for (const { destination } of moves) await rejectHidden(tx, workspaceId, destination, viewer);
  // Before the files, so that they arrive in a folder that is already private.
  const covering = new Map<WorkspacePath, PrivacyRow>();
  for (const { file } of moves) {
    const record = await tx.nodes.decidingPrivacy(workspaceId, file.path);
    if (record?.kind === 'folder' && isWithin(record.path, from)) covering.set(record.path, record);
  }
  for (const record of covering.values()) {
    const path = rebasePath(record.path, from, to);
    if (!(await isHidden(tx, workspaceId, path, viewer))) await makePrivate(tx, command, { ...record, path });
  }
  for (const { file, destination } of moves) {
    await moveOneFile(tx, workspace, { ...command, from: file.path, to: destination }, file);
  }
  return { count: files.length, rest: await transferFolder(tx, command) };
});

/**
 * @throws WorkspaceError `destination_exists`, `path_taken`, or `file_not_found` when the obstacle belongs to another
 * member.
 */
async function rejectOccupied(
  tx: Transaction,
  { workspaceId, to, viewer }: MoveFolderFilesCommand,
): Promise<void> {
  if (await tx.files.hasVisibleAtOrBelow(workspaceId, to, viewer)) {
    throw new WorkspaceError('destination_exists');
  }
  await rejectTakenPath(tx, workspaceId, to, viewer);
}
