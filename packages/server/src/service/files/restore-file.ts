import { contentTypeAfterMove, decideQuota, growthBy, type QuotaError, type WorkspacePath } from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import { planOf } from '../plans.ts';
import type { VersionRow } from '../ports/files.ts';
import { defineScript } from '../ports/script.ts';
import { rejectHidden } from '../privacy/find-owner.ts';
import { authorOf, type ChangeAuthor, openForChange, rejectReadOnly } from '../script-steps.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { putVersion, rejectTakenPath, reportedQuota } from './put-version.ts';
import { requireSeenVersion, requireVersion, type VersionTarget } from './require-version.ts';

export type RestoreOutcome =
  | {
      readonly kind: 'restored';
      readonly path: WorkspacePath;
      readonly version: number;
      /** Newer versions of the file, above a number, whose text the restore replaced. */
      readonly covered: { readonly incarnation: number; readonly above: number } | null;
    }
  /** The file is not at the version that the caller saw (null: no file is there). Nothing was restored. */
  | { readonly kind: 'conflict'; readonly currentVersion: number | null }
  | QuotaError;

interface RestoreFileCommand extends ChangeAuthor {
  readonly target: VersionTarget;
  /** The version, when a newer one that the author may not see has the same number; null: look it up. */
  readonly row: VersionRow | null;
  readonly baseVersion: number | null;
}

/**
 * Makes an earlier version's bytes and type the next version (interface: versions, Restore); a deleted file returns at
 * version 1. Even a restore of the current content makes a new version, because it is an explicit request. It is one
 * transaction under the workspace's lock, so concurrent writes wait instead of winning.
 * @param baseVersion the version that the caller saw; null: any.
 * @throws WorkspaceError `file_not_found` (hidden, or never existed), `version_not_found`, `workspace_read_only`,
 * `path_taken`
 */
export async function restoreFile(
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  access: WorkspaceAccess,
  target: VersionTarget,
  baseVersion: number | null = null,
): Promise<RestoreOutcome> {
  const from = { workspaceId: access.workspace.id, viewer: access.viewer };
  const { row, isBehindHidden } = await deps.store.snapshot(async (reader) => {
    await rejectHidden(reader, from.workspaceId, target.path, from.viewer);
    return requireSeenVersion(reader, from, target);
  });
  const author = authorOf(access, deps.clock());
  const command = { ...author, target, row: isBehindHidden ? row : null, baseVersion };
  return deps.store.transact(restoreFileScript, command);
}

export const restoreFileScript = defineScript<RestoreFileCommand, RestoreOutcome>(
  'files.restore',
  async (tx, command, context) => {
    const { path } = command.target;
    const { workspace } = await openForChange(tx, command, 'write');
    const ownerId = await rejectHidden(tx, workspace.id, path, command.viewer);
    const target = command.row ?? (await requireVersion(tx, command, command.target));
    rejectReadOnly(workspace);
    const current = await tx.files.find(workspace.id, path);
    const { baseVersion } = command;
    if (baseVersion !== null && current?.version !== baseVersion)
      return { kind: 'conflict', currentVersion: current?.version ?? null };
    if (current === null) await rejectTakenPath(tx, workspace.id, path, command.viewer);
    const { contentHash, sizeBytes } = target;
    // A version from before a move gets the type that the move would have given it.
    const contentType = contentTypeAfterMove(target.contentType, target.path, path);
    const plan = planOf(context.plans, workspace.planId);
    const error = decideQuota(workspace, plan, growthBy(sizeBytes, current));
    if (error !== null) return reportedQuota(tx, command, error);
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
    const isSameFile = target.incarnation === current?.incarnation;
    const covered =
      current === null ? null : { incarnation: current.incarnation, above: isSameFile ? target.version : 0 };
    return { kind: 'restored', path, version: await putVersion(tx, command, next), covered };
  },
);
