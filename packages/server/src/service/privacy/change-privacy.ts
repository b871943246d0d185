import { anonymous, type WorkspacePath } from '@stoa/core';
import { type ChangeAuthor, recordChange } from '../changes/record-change.ts';
import type { PrivacyRow } from '../ports/nodes.ts';
import type { Transaction } from '../ports/transaction.ts';

/**
 * Puts a privacy record in place, ends the links to what it hides, and tells those who lost sight of something by it.
 * Implied records that a folder's record now covers vanish, so that sharing the folder later shares their files too.
 */
export async function makePrivate(tx: Transaction, author: ChangeAuthor, record: PrivacyRow): Promise<void> {
  const { workspaceId } = author;
  const wasVisibleToOthers = await tx.files.hasVisibleAtOrBelow(workspaceId, record.path, anonymous);
  await tx.write.setPrivacy(workspaceId, record);
  await endSharesUnder(tx, workspaceId, record);
  if (record.kind === 'folder') {
    await tx.write.clearImpliedPrivacyBelow(workspaceId, record.path, record.ownerId);
  }
  if (wasVisibleToOthers) await recordAccess(tx, author, 'access_revoked', record.path);
}

/** Takes the record at `path` away and tells those who can see something there now. */
export async function makeShared(tx: Transaction, author: ChangeAuthor, path: WorkspacePath): Promise<void> {
  const { workspaceId } = author;
  await tx.write.clearPrivacy(workspaceId, path);
  if (await tx.files.hasVisibleAtOrBelow(workspaceId, path, anonymous)) {
    await recordAccess(tx, author, 'access_granted', path);
  }
}

async function recordAccess(
  tx: Transaction,
  author: ChangeAuthor,
  op: 'access_revoked' | 'access_granted',
  path: WorkspacePath,
): Promise<void> {
  const seq = await tx.write.takeSeqs(author.workspaceId, 1, {});
  const audience = { onlyUserId: null, exceptUserId: author.actor.userId };
  await recordChange(tx, author, { seq, path, op, version: null, contentHash: null, audience });
}

/** Ends the links to items that a new privacy record hides. */
async function endSharesUnder(
  tx: Transaction,
  workspaceId: string,
  { path, kind }: Pick<PrivacyRow, 'path' | 'kind'>,
): Promise<void> {
  await tx.write.deleteSharesAt(workspaceId, path);
  if (kind === 'folder') await tx.write.deleteSharesBelow(workspaceId, path);
}
