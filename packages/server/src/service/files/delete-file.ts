import {
  decideDelete,
  growthByDeleting,
  type SeenVersion,
  WorkspaceError,
  type WorkspacePath,
} from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import type { FileRow } from '../ports/files.ts';
import { defineScript } from '../ports/script.ts';
import type { Transaction } from '../ports/transaction.ts';
import { rejectHiddenFrom } from '../privacy/find-owner.ts';
import {
  type Authorship,
  audienceOf,
  authorOf,
  type ChangeAuthor,
  openForChange,
  recordChange,
  together,
} from '../script-steps.ts';
import type { ServiceDeps } from '../service-deps.ts';

export type DeleteOutcome =
  | { readonly kind: 'deleted'; readonly version: number }
  /** The file has changed since: nothing was deleted. */
  | { readonly kind: 'conflict'; readonly currentVersion: number };

interface DeleteFileCommand extends ChangeAuthor {
  readonly path: WorkspacePath;
  readonly expected: SeenVersion | null;
}

/**
 * Deletes a file at the version that the caller saw (interface: files, Delete). Keeps its versions, and the privacy
 * record of the path, so that a file recreated there is not suddenly shared.
 * @throws WorkspaceError `file_not_found`, then `precondition_required` when no version was given.
 */
export async function deleteFile(
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  access: WorkspaceAccess,
  target: { readonly path: WorkspacePath; readonly expected: SeenVersion | null },
): Promise<DeleteOutcome> {
  const author = authorOf(access, deps.clock());
  return deps.store.transact(deleteFileScript, { ...author, ...target });
}

export const deleteFileScript = defineScript<DeleteFileCommand, DeleteOutcome>(
  'files.delete',
  async (tx, command) => {
    const { path, expected } = command;
    const [{ workspace }, { file: current, ownerId }] = await together(
      openForChange(tx, command, 'write'),
      tx.files.findWithOwner(command.workspaceId, path),
    );
    rejectHiddenFrom(command.viewer, path, ownerId);
    if (current === null) throw new WorkspaceError('file_not_found');
    if (expected === null) {
      throw new WorkspaceError('precondition_required', {}, 'Deleting needs the version that you read');
    }
    const decision = decideDelete(current, expected);
    if (decision.kind === 'conflict') return decision;

    const seq = await tx.write.takeSeqs(workspace.id, 1, growthByDeleting(current));
    await removeAt(tx, command, current, ownerId, seq);
    return { kind: 'deleted', version: decision.version };
  },
);

/** Removes a file, at a seq that the caller has taken and counted. */
export async function removeAt(
  tx: Transaction,
  author: Authorship,
  { workspaceId, path, version }: FileRow,
  ownerId: string | null,
  seq: number,
): Promise<void> {
  const audience = audienceOf(ownerId);
  await together(
    tx.write.removeFile(workspaceId, path),
    recordChange(tx, author, { seq, path, op: 'delete', version, contentHash: null, audience }),
  );
}
