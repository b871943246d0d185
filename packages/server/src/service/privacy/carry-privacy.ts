import { rebasePath, type WorkspacePath } from '@stoa/core';
import type { PrivacyRow } from '../ports/nodes.ts';
import type { Transaction } from '../ports/transaction.ts';
import type { ChangeAuthor } from '../script-steps.ts';
import { makePrivate, makeShared } from './change-privacy.ts';

/**
 * Transfers the caller's privacy records at and below `from` to `to`. A record also stays at its old path while files
 * remain there: a folder that is half moved must not become visible.
 */
export async function carryPrivacy(
  tx: Transaction,
  author: ChangeAuthor,
  records: readonly PrivacyRow[],
  { from, to }: { readonly from: WorkspacePath; readonly to: WorkspacePath },
): Promise<void> {
  for (const record of records) {
    await makePrivate(tx, author, { ...record, path: rebasePath(record.path, from, to) });
    if (await tx.files.hasVisibleAtOrBelow(author.workspaceId, record.path, author.viewer)) continue;
    await makeShared(tx, author, record.path);
  }
}
