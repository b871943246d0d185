import {
  decideQuota,
  growthBy,
  growthByDeleting,
  isCurrent,
  type QuotaError,
  type SeenVersion,
  type UsageGrowth,
  type WorkspacePath,
} from '@stoa/core';
import { removeAt } from '../files/delete-file.ts';
import { putVersionAt, rejectTakenPath, reportedQuota } from '../files/put-version.ts';
import { keepContent, type SettledContent } from '../files/receive-content.ts';
import { planOf } from '../plans.ts';
import { defineScript } from '../ports/script.ts';
import { rejectHidden } from '../privacy/find-owner.ts';
import { type ChangeAuthor, openForChange, rejectReadOnly, together } from '../script-steps.ts';

export interface SettleConflictCommand extends ChangeAuthor {
  /** As read. */
  readonly copy: SeenVersion & { readonly path: WorkspacePath };
  /** The file that the copy belongs to; `seen` is null when it did not exist. */
  readonly original: { readonly path: WorkspacePath; readonly seen: SeenVersion | null };
  readonly kept: { readonly kind: 'current' } | SettledContent;
}

export type SettleConflictOutcome =
  | { readonly kind: 'settled'; readonly version: number }
  /** The file or the copy has changed since it was read. */
  | { readonly kind: 'moved_on' }
  | QuotaError;

/** Writes the text to keep, unless the file already has it, and deletes the copy. */
export const settleConflictScript = defineScript<
  SettleConflictCommand,
  { readonly outcome: SettleConflictOutcome; readonly contentKept: boolean }
>('conflicts.settle', async (tx, command, context) => {
  const { copy: seenCopy, original, kept, workspaceId, viewer } = command;
  const { path } = original;
  const [{ workspace }, copyOwnerId, copy, ownerId, current] = await together(
    openForChange(tx, command, 'write'),
    rejectHidden(tx, workspaceId, seenCopy.path, viewer),
    tx.files.find(workspaceId, seenCopy.path),
    rejectHidden(tx, workspaceId, path, viewer),
    tx.files.find(workspaceId, path),
  );
  const isAsSeen =
    original.seen === null ? current === null : current !== null && isCurrent(current, original.seen);
  if (copy === null || !isCurrent(copy, seenCopy) || !isAsSeen) {
    return { outcome: { kind: 'moved_on' }, contentKept: false };
  }
  if (kept.kind !== 'current') rejectReadOnly(workspace);
  const removal = growthByDeleting(copy);
  const content = kept.kind === 'merged' ? kept.content : kept.kind === 'stored' ? kept : null;
  if (kept.kind === 'current' || content === null || content.contentHash === current?.contentHash) {
    const seq = await tx.write.takeSeqs(workspaceId, 1, removal);
    await removeAt(tx, command, copy, copyOwnerId, seq);
    return { outcome: { kind: 'settled', version: current?.version ?? 0 }, contentKept: false };
  }

  if (current === null) await rejectTakenPath(tx, workspaceId, path, viewer);
  const growth = sumOf(growthBy(content.sizeBytes, current), removal);
  const error = decideQuota(workspace, planOf(context.plans, workspace.planId), growth);
  if (error !== null) {
    return { outcome: await reportedQuota(tx, command, error), contentKept: false };
  }
  const contentKept =
    kept.kind === 'merged' && (await keepContent(tx, workspaceId, kept.content, command.now));
  const seq = await tx.write.takeSeqs(workspaceId, 2, growth);
  const { contentHash, sizeBytes } = content;
  const version = await putVersionAt(tx, command, { op: 'write', ownerId }, seq, {
    workspaceId,
    path,
    incarnation: current?.incarnation ?? seq,
    version: (current?.version ?? 0) + 1,
    sizeBytes,
    contentType: kept.contentType,
    contentHash,
  });
  await removeAt(tx, command, copy, copyOwnerId, seq + 1);
  return { outcome: { kind: 'settled', version }, contentKept };
});

function sumOf(one: UsageGrowth, other: UsageGrowth): UsageGrowth {
  return {
    bytes: one.bytes + other.bytes,
    files: one.files + other.files,
    historyBytes: one.historyBytes + other.historyBytes,
  };
}
