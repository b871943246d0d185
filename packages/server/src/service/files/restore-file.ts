import {
  contentTypeAfterMove,
  decideQuota,
  growthBy,
  type QuotaRefusal,
  type WorkspacePath,
} from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import { planOf } from '../plans.ts';
import type { VersionRow } from '../ports/files.ts';
import { defineScript } from '../ports/script.ts';
import { refuseHidden } from '../privacy/find-owner.ts';
import { authorOf, type ChangeAuthor, openForChange, refuseReadOnly } from '../script-steps.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { putVersion, refuseTakenPath, toldQuota } from './put-version.ts';
import { requireSeenVersion, requireVersion, type VersionTarget } from './require-version.ts';

export type RestoreOutcome =
  | { readonly kind: 'restored'; readonly path: WorkspacePath; readonly version: number }
  | QuotaRefusal;

interface RestoreFileCommand extends ChangeAuthor {
  readonly target: VersionTarget;
  /** The version, where a newer one that its author may not see has its number too; null: it is looked for. */
  readonly row: VersionRow | null;
}

/**
 * Makes an earlier version's bytes and type the next version (interface: versions, Restore); a deleted file comes back
 * at version 1. It is an explicit act: restoring what is current already still makes a version. One transaction under
 * the workspace's lock, so concurrent writes wait instead of winning.
 * @throws WorkspaceError `file_not_found` (hidden, or never existed), `version_not_found`, `workspace_read_only`,
 * `path_taken`
 */
export async function restoreFile(
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  access: WorkspaceAccess,
  target: VersionTarget,
): Promise<RestoreOutcome> {
  const from = { workspaceId: access.workspace.id, viewer: access.viewer };
  const { row, isBehindHidden } = await deps.store.snapshot(async (reader) => {
    await refuseHidden(reader, from.workspaceId, target.path, from.viewer);
    return requireSeenVersion(reader, from, target);
  });
  const author = authorOf(access, deps.clock());
  return deps.store.transact(restoreFileScript, { ...author, target, row: isBehindHidden ? row : null });
}

export const restoreFileScript = defineScript<RestoreFileCommand, RestoreOutcome>(
  'files.restore',
  async (tx, command, context) => {
    const { path } = command.target;
    const { workspace } = await openForChange(tx, command, 'write');
    const ownerId = await refuseHidden(tx, workspace.id, path, command.viewer);
    const target = command.row ?? (await requireVersion(tx, command, command.target));
    refuseReadOnly(workspace);
    const current = await tx.files.find(workspace.id, path);
    if (current === null) await refuseTakenPath(tx, workspace.id, path, command.viewer);
    const { contentHash, sizeBytes } = target;
    // Of a version from before a move: what the move would have made of it.
    const contentType = contentTypeAfterMove(target.contentType, target.path, path);
    const plan = planOf(context.plans, workspace.planId);
    const refusal = decideQuota(workspace, plan, growthBy(sizeBytes, current));
    if (refusal !== null) return toldQuota(tx, command, refusal);
    const version = (current?.version ?? 0) + 1;
    const next = {
      path,
      current,
      version,
      op: 'restore',
      contentHash,
      sizeBytes,
      contentType,
      ownerId,
    } as const;
    return { kind: 'restored', path, version: await putVersion(tx, command, next) };
  },
);
