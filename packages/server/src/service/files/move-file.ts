import {
  contentTypeAfterMove,
  decideDelete,
  isVisibleTo,
  type SeenVersion,
  WorkspaceError,
  type WorkspacePath,
} from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import type { FileRow } from '../ports/files.ts';
import type { PrivacyRow } from '../ports/nodes.ts';
import { defineScript } from '../ports/script.ts';
import type { Transaction } from '../ports/transaction.ts';
import type { WorkspaceRow } from '../ports/workspaces.ts';
import { findOwner, rejectHidden } from '../privacy/find-owner.ts';
import { audienceOf, authorOf, type ChangeAuthor, openForChange, recordChange } from '../script-steps.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { transferFileShares } from '../shares/transfer-shares.ts';
import { putVersionAt, rejectTakenPath } from './put-version.ts';

export type MoveOutcome =
  | { readonly kind: 'moved'; readonly path: WorkspacePath; readonly version: number }
  /** The source has changed since `base`: nothing was moved. */
  | { readonly kind: 'conflict'; readonly currentVersion: number };

interface MoveFileCommand extends ChangeAuthor {
  readonly from: WorkspacePath;
  readonly to: WorkspacePath;
  readonly base: SeenVersion | null;
}

/**
 * Moves or renames one file (interface: files, Move). It restarts at version 1 with two adjacent records; its icon,
 * order, links and privacy move with it. Works in a read-only workspace.
 * @throws WorkspaceError `file_not_found` (source, or a destination hidden from the caller), `destination_exists`,
 * `path_taken`
 */
export async function moveFile(
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  access: WorkspaceAccess,
  move: {
    readonly from: WorkspacePath;
    readonly to: WorkspacePath;
    readonly base: SeenVersion | null;
  },
): Promise<MoveOutcome> {
  const author = authorOf(access, deps.clock());
  return deps.store.transact(moveFileScript, { ...author, ...move });
}

export const moveFileScript = defineScript<MoveFileCommand, MoveOutcome>(
  'files.move',
  async (tx, command) => {
    const { from, to, viewer } = command;
    const { workspace } = await openForChange(tx, command, 'write');
    const sourcePrivacy = await tx.nodes.decidingPrivacy(workspace.id, from);
    const sourceOwnerId = sourcePrivacy?.ownerId ?? null;
    const source = await tx.files.find(workspace.id, from);
    if (source === null || !isVisibleTo(from, sourceOwnerId, viewer)) {
      throw new WorkspaceError('file_not_found');
    }
    await rejectHidden(tx, workspace.id, to, viewer);
    if (command.base !== null) {
      const decision = decideDelete(source, command.base);
      if (decision.kind === 'conflict') return decision;
    }
    if (from === to || (await tx.files.find(workspace.id, to)) !== null) {
      throw new WorkspaceError('destination_exists');
    }
    await tx.write.removeFile(workspace.id, from);
    // Checked after the source is removed: `a` may move to `a/b`, and the only file below `a` may become `a`.
    await rejectTakenPath(tx, workspace.id, to, viewer);
    await transferFile(tx, workspace, command, source, sourcePrivacy);
    return { kind: 'moved', path: to, version: 1 };
  },
);

/** Moves a file, whose move is already authorised, to a path that is known to be free. It restarts at version 1. */
export async function moveOneFile(
  tx: Transaction,
  workspace: WorkspaceRow,
  move: ChangeAuthor & { readonly from: WorkspacePath; readonly to: WorkspacePath },
  source: FileRow,
): Promise<void> {
  const sourcePrivacy = await tx.nodes.decidingPrivacy(workspace.id, move.from);
  await tx.write.removeFile(workspace.id, move.from);
  await transferFile(tx, workspace, move, source, sourcePrivacy);
}

type Transferred = Omit<MoveFileCommand, 'base'>;

/** Moves a removed file's properties to the new path, and creates the file there. */
async function transferFile(
  tx: Transaction,
  workspace: WorkspaceRow,
  command: Transferred,
  source: FileRow,
  sourcePrivacy: PrivacyRow | null,
): Promise<void> {
  await transferProperties(tx, workspace, command, sourcePrivacy);
  const destinationOwnerId = await findOwner(tx, workspace.id, command.to);
  await transferFileShares(tx, workspace.id, command, destinationOwnerId);
  await recordMove(tx, command, source, sourcePrivacy?.ownerId ?? null, destinationOwnerId);
}

async function recordMove(
  tx: Transaction,
  command: Transferred,
  source: FileRow,
  sourceOwnerId: string | null,
  destinationOwnerId: string | null,
): Promise<void> {
  const { from, to } = command;
  // A move adds no bytes, and the version that it leaves at the old path is the same as the new one: history does not
  // grow.
  const seq = await tx.write.takeSeqs(source.workspaceId, 2, {});
  await recordChange(tx, command, {
    seq,
    path: from,
    op: 'delete',
    version: source.version,
    contentHash: null,
    audience: audienceOf(sourceOwnerId),
  });
  const arrival = {
    op: 'move',
    ownerId: destinationOwnerId,
    movedFrom: { path: from, incarnation: source.incarnation },
  } as const;
  await putVersionAt(tx, command, arrival, seq + 1, {
    ...source,
    path: to,
    incarnation: seq + 1,
    version: 1,
    contentType: contentTypeAfterMove(source.contentType, from, to),
  });
}

/** Icon, order, threads and privacy follow the file, so that a move neither exposes nor loses anything. */
async function transferProperties(
  tx: Transaction,
  workspace: WorkspaceRow,
  { from, to, viewer }: Transferred,
  sourcePrivacy: PrivacyRow | null,
): Promise<void> {
  const icon = (await tx.nodes.icons(workspace.id, from, viewer)).get(from);
  if (icon !== undefined) {
    await tx.write.setIcon(workspace.id, from, null);
    await tx.write.setIcon(workspace.id, to, icon);
  }
  const order = (await tx.nodes.orders(workspace.id, from, viewer)).get(from);
  if (order !== undefined) {
    await tx.write.setOrder(workspace.id, from, null);
    await tx.write.setOrder(workspace.id, to, order);
  }
  await tx.write.moveThreads(workspace.id, from, to);
  if (sourcePrivacy === null) return;
  const ownRecord = sourcePrivacy.path === from ? sourcePrivacy : null;
  if (ownRecord !== null) await tx.write.clearPrivacy(workspace.id, from);
  if (ownRecord !== null && !ownRecord.implied) {
    await tx.write.setPrivacy(workspace.id, { ...ownRecord, path: to });
    return;
  }
  const covering = await tx.nodes.decidingPrivacy(workspace.id, to);
  if (covering?.ownerId === sourcePrivacy.ownerId) return;
  await tx.write.setPrivacy(workspace.id, {
    path: to,
    kind: 'file',
    ownerId: sourcePrivacy.ownerId,
    implied: true,
  });
}
