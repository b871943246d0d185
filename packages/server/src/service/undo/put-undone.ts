import {
  decideQuota,
  fileBytesLimit,
  growthBy,
  growthByDeleting,
  isCurrent,
  type SeenVersion,
  WorkspaceError,
  type WorkspacePath,
} from '@stoa/core';
import { removeAt } from '../files/delete-file.ts';
import { putVersion, rejectTakenPath } from '../files/put-version.ts';
import { keepContent, type SettledContent } from '../files/receive-content.ts';
import { planOf } from '../plans.ts';
import { defineScript } from '../ports/script.ts';
import { rejectHidden } from '../privacy/find-owner.ts';
import { type ChangeAuthor, openForChange, rejectReadOnly, together } from '../script-steps.ts';
import { rejectOthers } from './undone-actor.ts';

export interface PutUndoneCommand extends ChangeAuthor {
  readonly path: WorkspacePath;
  /** Null when there was no file. */
  readonly seen: SeenVersion | null;
  /** The changes are not the author's own. */
  readonly needsManager: boolean;
  readonly result: { readonly kind: 'gone' } | SettledContent;
}

export type PutUndoneOutcome =
  /** The version of the new file, or the last one of a deleted file. */
  | { readonly kind: 'put'; readonly version: number }
  /** The file has changed since it was read. */
  | { readonly kind: 'moved_on' }
  | { readonly kind: 'workspace_full' };

/** Replaces a file by its content without the undone changes, or deletes it. */
export const putUndoneScript = defineScript<
  PutUndoneCommand,
  { readonly outcome: PutUndoneOutcome; readonly contentKept: boolean }
>('undo.put', async (tx, command, context) => {
  const { path, seen, result, workspaceId, viewer } = command;
  const [{ workspace, role }, ownerId, current] = await together(
    openForChange(tx, command, 'write'),
    rejectHidden(tx, workspaceId, path, viewer),
    tx.files.find(workspaceId, path),
  );
  if (command.needsManager) rejectOthers({ role });
  const isAsSeen = seen === null ? current === null : current !== null && isCurrent(current, seen);
  if (!isAsSeen) return { outcome: { kind: 'moved_on' }, contentKept: false };

  if (result.kind === 'gone') {
    if (current === null) return { outcome: { kind: 'moved_on' }, contentKept: false };
    const seq = await tx.write.takeSeqs(workspaceId, 1, growthByDeleting(current));
    await removeAt(tx, command, current, ownerId, seq);
    return { outcome: { kind: 'put', version: current.version }, contentKept: false };
  }

  rejectReadOnly(workspace);
  if (current === null) await rejectTakenPath(tx, workspaceId, path, viewer);
  const { contentHash, sizeBytes } = result.kind === 'merged' ? result.content : result;
  const plan = planOf(context.plans, workspace.planId);
  const limitBytes = fileBytesLimit(plan, context.plans.maxFileBytes);
  if (result.kind === 'merged' && sizeBytes > limitBytes) {
    throw new WorkspaceError('file_too_large', { limitBytes });
  }
  if (decideQuota(workspace, plan, growthBy(sizeBytes, current)) !== null) {
    return { outcome: { kind: 'workspace_full' }, contentKept: false };
  }
  const contentKept =
    result.kind === 'merged' && (await keepContent(tx, workspaceId, result.content, command.now));
  const version = await putVersion(tx, command, {
    path,
    current,
    version: (current?.version ?? 0) + 1,
    op: result.kind === 'merged' ? 'write' : 'restore',
    contentHash,
    sizeBytes,
    contentType: result.contentType,
    ownerId,
  });
  return { outcome: { kind: 'put', version }, contentKept };
});
