import { WorkspaceError } from '@stoa/core';
import type { WorkspaceRow } from '../ports/rows.ts';
import type { Transaction } from '../ports/transaction.ts';

/**
 * The first step of every script that changes a workspace: from here to the commit no other change of it can come between.
 * @throws WorkspaceError `workspace_not_found`
 */
export async function lockForChange(tx: Transaction, workspaceId: string): Promise<WorkspaceRow> {
  const workspace = await tx.write.lockWorkspace(workspaceId);
  if (workspace === null) throw new WorkspaceError('workspace_not_found');
  return workspace;
}

/** @throws WorkspaceError `workspace_read_only`: reads, moves and deletes still work then, writes do not. */
export function refuseReadOnly(workspace: Pick<WorkspaceRow, 'lapsed'>): void {
  if (workspace.lapsed) throw new WorkspaceError('workspace_read_only');
}
