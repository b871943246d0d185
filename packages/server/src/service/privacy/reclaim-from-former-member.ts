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
  /** The member to whom the item becomes private; null: it becomes shared. */
  readonly toUserId: string | null;
}

/**
 * Reclaims a private item of a former member (interface: privacy, Members who leave). For owners.
 * @returns the kind of the item.
 * @throws WorkspaceError `forbidden_role`, `file_not_found` (no such record, or its owner is a member),
 * `member_not_found`
 */
export async function reclaimFromFormerMember(
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  access: WorkspaceAccess,
  wanted: Reclaim,
): Promise<NodeKind> {
  return deps.store.transact(reclaimFromFormerMemberScript, { ...authorOf(access, deps.clock()), ...wanted });
}

export const reclaimFromFormerMemberScript = defineAuditedScript<ChangeAuthor & Reclaim, NodeKind>(
  'privacy.reclaim',
  async (tx, command) => {
    requireOwner(await openForChange(tx, command, 'workspace'), 'reclaim private items of former members');
    return reclaimItem(tx, command, command);
  },
);

/**
 * As `reclaimFromFormerMember`, for an operator command: includes items of members whose account is disabled.
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

/** @param takesFrom whether the item may be taken from this member; items of former members always may. */
async function reclaimItem(
  tx: AuditedTransaction,
  author: Authorship,
  { path, toUserId }: Reclaim,
  takesFrom: (memberId: string) => Promise<boolean> = async () => false,
): Promise<NodeKind> {
  const { workspaceId } = author;
  const record = await tx.nodes.decidingPrivacy(workspaceId, path);
  if (record === null || record.path !== path) throw new WorkspaceError('file_not_found');
  // A current member's item, even of one who left and rejoined, is hidden from all others.
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
