import { anonymous, memberViewer, type WorkspacePath } from '@stoa/core';
import type { Audience } from '../ports/changes.ts';
import type { PrivacyRow } from '../ports/nodes.ts';
import type { Transaction } from '../ports/transaction.ts';
import { type Authorship, audienceOf, recordChange } from '../script-steps.ts';
import { findOwner } from './find-owner.ts';

/**
 * Sets a privacy record, ends the share links to items that it hides, and records the loss of access in the feed.
 * Deletes implied records that a folder's record now covers, so that sharing the folder later also shares their files.
 */
export async function makePrivate(tx: Transaction, author: Authorship, record: PrivacyRow): Promise<void> {
  const { workspaceId } = author;
  const wasVisibleToOthers = await tx.files.hasVisibleAtOrBelow(workspaceId, record.path, anonymous);
  await tx.write.setPrivacy(workspaceId, record);
  await endSharesUnder(tx, workspaceId, record);
  if (record.kind === 'folder') {
    await tx.write.clearImpliedPrivacyBelow(workspaceId, record.path, record.ownerId);
  }
  if (wasVisibleToOthers) await recordAccess(tx, author, 'access_revoked', record.path, othersThan(author));
}

/** Removes the record at `path` and records in the feed who can now see items there. */
export async function makeShared(tx: Transaction, author: Authorship, path: WorkspacePath): Promise<void> {
  const { workspaceId } = author;
  await tx.write.clearPrivacy(workspaceId, path);
  if (await tx.files.hasVisibleAtOrBelow(workspaceId, path, anonymous)) {
    await recordAccess(tx, author, 'access_granted', path, othersThan(author));
  }
}

/**
 * Removes a former member's record, or transfers it to the member `toUserId`, and records in the feed who can now see
 * items there. That includes its author: unlike an owner who shares their own item, they could not see it before.
 */
export async function reclaim(
  tx: Transaction,
  author: Authorship,
  { path, kind }: Pick<PrivacyRow, 'path' | 'kind'>,
  toUserId: string | null,
): Promise<void> {
  const { workspaceId } = author;
  if (toUserId === null) await tx.write.clearPrivacy(workspaceId, path);
  else await makePrivate(tx, author, { path, kind, ownerId: toUserId, implied: false });
  // A record further up may decide now. When it belongs to another former member, there is no one to notify.
  const ownerId = await findOwner(tx, workspaceId, path);
  if (ownerId !== null && (await tx.members.find(workspaceId, ownerId)) === null) return;
  if (await tx.files.hasVisibleAtOrBelow(workspaceId, path, memberViewer(ownerId))) {
    await recordAccess(tx, author, 'access_granted', path, audienceOf(ownerId));
  }
}

const othersThan = ({ actor }: Authorship): Audience => ({ onlyUserId: null, exceptUserId: actor.userId });

async function recordAccess(
  tx: Transaction,
  author: Authorship,
  op: 'access_revoked' | 'access_granted',
  path: WorkspacePath,
  audience: Audience,
): Promise<void> {
  const seq = await tx.write.takeSeqs(author.workspaceId, 1, {});
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
