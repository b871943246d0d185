import type { WorkspacePath } from '@stoa/core';
import type { PrivacyRow } from '../ports/nodes.ts';
import type { Transaction } from '../ports/transaction.ts';
import type { ChangeAuthor } from '../script-steps.ts';
import { makePrivate, makeShared } from './change-privacy.ts';

/**
 * Transfers one of the caller's privacy records to `to`. It also stays at its old path while files remain there: a
 * folder that is half moved must not become visible.
 */
export async function transferPrivacy(
  tx: Transaction,
  author: ChangeAuthor,
  record: PrivacyRow,
  to: WorkspacePath,
): Promise<void> {
  const there = await tx.nodes.decidingPrivacy(author.workspaceId, to);
  const isThere = there?.path === to && there.ownerId === record.ownerId && there.kind === record.kind;
  if (!isThere || there.implied !== record.implied) await makePrivate(tx, author, { ...record, path: to });
  if (await tx.files.hasVisibleAtOrBelow(author.workspaceId, record.path, author.viewer)) return;
  await makeShared(tx, author, record.path);
}
