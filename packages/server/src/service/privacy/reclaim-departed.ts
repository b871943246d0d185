import { type NodeKind, WorkspaceError, type WorkspacePath } from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import { type AuditedTransaction, defineAuditedScript } from '../auditing/audited-script.ts';
import { operator } from '../auditing/origin.ts';
import { requireOwner } from '../members/require-manager.ts';
import { type Authorship, authorOf, type ChangeAuthor, openForChange } from '../script-steps.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { reclaim } from './change-privacy.ts';
import { findOwner } from './find-owner.ts';

interface Reclaim {
  readonly path: WorkspacePath;
  /** The member to whom the item becomes private; null: it is shared with all. */
  readonly toUserId: string | null;
}

/**
 * Takes back a private item whose owner is not a member any more (interface: privacy, Members who leave). For owners.
 * @returns what the record was for.
 * @throws WorkspaceError `forbidden_role`, `file_not_found` (no such record, or its owner is a member), `member_not_found`
 */
export async function reclaimDeparted(
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  access: WorkspaceAccess,
  wanted: Reclaim,
): Promise<NodeKind> {
  return deps.store.transact(reclaimDepartedScript, { ...authorOf(access, deps.clock()), ...wanted });
}

export const reclaimDepartedScript = defineAuditedScript<ChangeAuthor & Reclaim, NodeKind>(
  'privacy.reclaim',
  async (tx, command) => {
    requireOwner(
      await openForChange(tx, command, 'workspace'),
      'take back private items of people who have left',
    );
    return reclaimItem(tx, command, command);
  },
);

/**
 * As `reclaimDeparted`, for an operator command: also of a member whose account is disabled.
 * @throws WorkspaceError `workspace_not_found`, `file_not_found`, `member_not_found`
 */
export async function operateReclaim(
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  workspaceId: string,
  wanted: Reclaim,
): Promise<NodeKind> {
  const authorship = { workspaceId, actor: operator, now: deps.clock() };
  return deps.store.transact(operateReclaimScript, { ...authorship, ...wanted });
}

export const operateReclaimScript = defineAuditedScript<Authorship & Reclaim, NodeKind>(
  'privacy.operate-reclaim',
  async (tx, command) => {
    const workspace = await tx.write.lockWorkspace(command.workspaceId);
    if (workspace === null) throw new WorkspaceError('workspace_not_found');
    const isDisabled = async (id: string) => ((await tx.users.find(id))?.disabledAt ?? null) !== null;
    return reclaimItem(tx, command, command, isDisabled);
  },
);

/** @param takesFrom whether the item may be taken from this member: from those who have left it always is. */
async function reclaimItem(
  tx: AuditedTransaction,
  author: Authorship,
  { path, toUserId }: Reclaim,
  takesFrom: (memberId: string) => Promise<boolean> = async () => false,
): Promise<NodeKind> {
  const { workspaceId } = author;
  const record = await tx.nodes.decidingPrivacy(workspaceId, path);
  if (record === null || record.path !== path) throw new WorkspaceError('file_not_found');
  // A member's item, also of one who came back, is not there for anybody else.
  const isMembers = (await tx.members.find(workspaceId, record.ownerId)) !== null;
  if (isMembers && !(await takesFrom(record.ownerId))) throw new WorkspaceError('file_not_found');
  if (toUserId !== null && (await tx.members.find(workspaceId, toUserId)) === null) {
    throw new WorkspaceError('member_not_found');
  }
  await reclaim(tx, author, record, toUserId);
  tx.noteAudit({
    action: 'privacy.reclaim',
    at: author.now,
    workspaceId,
    personId: record.ownerId,
    path: { path, ownerId: await findOwner(tx, workspaceId, path) },
    details: { kind: record.kind, toUserId },
  });
  return record.kind;
}
