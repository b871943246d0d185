import {
  conflictedCopyPaths,
  decideQuota,
  growthBy,
  guessContentType,
  type QuotaError,
  type SeenVersion,
  type WorkspacePath,
} from '@stoa/core';
import { planOf } from '../plans.ts';
import type { ConflictBase } from '../ports/files.ts';
import type { ScriptContext } from '../ports/script.ts';
import type { Transaction } from '../ports/transaction.ts';
import type { WorkspaceRow } from '../ports/workspaces.ts';
import { findOwner } from '../privacy/find-owner.ts';
import { type ChangeAuthor, together } from '../script-steps.ts';
import { putVersion, reportedQuota } from './put-version.ts';
import { type IncomingContent, keepContent } from './receive-content.ts';

export type KeepLosingBytesOutcome =
  | { readonly kind: 'kept'; readonly path: WorkspacePath; readonly contentKept: boolean }
  | QuotaError;

/**
 * Stores bytes that lost a version race as a conflicted copy next to the file, private to the same owner. When the same
 * bytes lose again, the newest copy is reused.
 */
export async function keepLosingBytes(
  tx: Transaction,
  context: ScriptContext,
  workspace: WorkspaceRow,
  author: ChangeAuthor,
  losing: {
    readonly path: WorkspacePath;
    readonly ownerId: string | null;
    readonly content: IncomingContent;
    readonly contentType: string | null;
    /** The version that the writer had read; null when it had read none. */
    readonly seen: SeenVersion | null;
  },
): Promise<KeepLosingBytesOutcome> {
  const { content, path, ownerId } = losing;
  const newest = await tx.files.newestConflictedCopyOf(workspace.id, path);
  if (newest !== null && newest.contentHash === content.contentHash) {
    const newestOwnerId = await findOwner(tx, workspace.id, newest.path);
    if (newestOwnerId === ownerId) {
      const contentKept = await keepContent(tx, workspace.id, content, author.now);
      return { kind: 'kept', path: newest.path, contentKept };
    }
  }
  const plan = planOf(context.plans, workspace.planId);
  const error = decideQuota(workspace, plan, growthBy(content.sizeBytes, null));
  if (error !== null) return reportedQuota(tx, author, error);

  const writer = author.actor.keyLabel ?? author.actor.userName;
  const candidates = conflictedCopyPaths(path, author.now, writer);
  const copyPath = await freeCopyPath(tx, workspace, candidates, ownerId);
  if (ownerId !== null && (await findOwner(tx, workspace.id, copyPath)) !== ownerId) {
    await tx.write.setPrivacy(workspace.id, { path: copyPath, kind: 'file', ownerId, implied: false });
  }
  const [contentKept] = await together(
    keepContent(tx, workspace.id, content, author.now),
    putVersion(tx, author, {
      path: copyPath,
      current: null,
      version: 1,
      op: 'conflict',
      contentHash: content.contentHash,
      sizeBytes: content.sizeBytes,
      contentType: losing.contentType ?? guessContentType(copyPath),
      ownerId,
      conflictOf: path,
      conflictBase: await baseOf(tx, author, path, losing.seen),
    }),
  );
  return { kind: 'kept', path: copyPath, contentKept };
}

/** Returns the version that the writer had read, if it exists with that number and content. */
async function baseOf(
  tx: Transaction,
  { workspaceId, viewer }: ChangeAuthor,
  path: WorkspacePath,
  seen: SeenVersion | null,
): Promise<ConflictBase | null> {
  if (seen === null) return null;
  const { version, contentHash } = seen;
  const found =
    contentHash === null
      ? await tx.files.findVersion(workspaceId, path, version)
      : await tx.files.findListedVersion({ workspaceId, viewer, path, version, contentHash });
  return found === null ? null : { version, contentHash: found.contentHash };
}

async function freeCopyPath(
  tx: Transaction,
  workspace: WorkspaceRow,
  candidates: Iterable<WorkspacePath>,
  ownerId: string | null,
): Promise<WorkspacePath> {
  for (const candidate of candidates) {
    if ((await tx.files.find(workspace.id, candidate)) !== null) continue;
    if (await tx.files.hasBelow(workspace.id, candidate)) continue;
    // A privacy record that a deleted file left at exactly this path would give the copy to its owner. A record on a
    // folder above is not an obstacle: a private file in another member's private folder gets its copy next to it, with
    // its own record.
    const privacy = await tx.nodes.decidingPrivacy(workspace.id, candidate);
    if (privacy?.path === candidate && privacy.ownerId !== ownerId) continue;
    return candidate;
  }
  throw new Error('no free path for a conflicted copy among all candidates');
}
