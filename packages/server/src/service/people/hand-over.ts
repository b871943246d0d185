import { WorkspaceError } from '@stoa/core';
import { defineAuditedScript } from '../auditing/audited-script.ts';
import type { Transaction } from '../ports/transaction.ts';
import { operateReclaim } from '../privacy/reclaim-from-former-member.ts';
import type { ServiceDeps } from '../service-deps.ts';

interface HandOver {
  /** Must be disabled, or the transaction rejects. */
  readonly fromUserId: string;
  readonly toUserId: string;
}

/** Result of the handover in one workspace. */
export interface HandedOver {
  readonly workspaceId: string;
  readonly name: string;
  readonly ownership: boolean;
  /** Private items that are now private to the receiver. */
  readonly items: number;
  /** Private items that stay unchanged, because the receiver is not a member there. */
  readonly itemsLeft: number;
}

/** Page size; the items are handed over one by one. */
const itemsAtOnce = 200;

/**
 * Transfers a disabled user's property to another user. The receiver becomes an owner where the user was one, and a
 * member if necessary, and private items become private to the receiver. The disabled user stays a member. After an
 * interruption, the same call completes the rest.
 * @param workspaceId limits the handover to one workspace; null: all.
 * @throws WorkspaceError `forbidden_role` when `fromUserId` is not disabled, or `toUserId` is.
 */
export async function handOver(
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  { workspaceId: only, ...wanted }: HandOver & { readonly workspaceId: string | null },
  progress: (step: string) => void,
): Promise<readonly HandedOver[]> {
  const { reader } = deps.store;
  const owned = (await reader.workspaces.listOf(wanted.fromUserId)).filter(({ role }) => role === 'owner');
  const withItems = await reader.nodes.countPrivacyOwned(wanted.fromUserId);
  const ids = new Set([
    ...owned.map(({ workspace }) => workspace.id),
    ...withItems.map(({ workspaceId }) => workspaceId),
  ]);
  const results: HandedOver[] = [];
  for (const workspaceId of ids) {
    if (only !== null && only !== workspaceId) continue;
    const command = { ...wanted, workspaceId, now: deps.clock() };
    const { name, ownership, isMember } = await deps.store.transact(handOverScript, command);
    const existing = withItems.find((each) => each.workspaceId === workspaceId)?.items ?? 0;
    const items = isMember ? await handOverItems(deps, workspaceId, wanted, progress) : 0;
    results.push({ workspaceId, name, ownership, items, itemsLeft: isMember ? 0 : existing });
  }
  return results;
}

/** Terminates: each transferred item has another owner, and a disabled user makes no new ones. */
async function handOverItems(
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  workspaceId: string,
  { fromUserId, toUserId }: HandOver,
  progress: (step: string) => void,
): Promise<number> {
  let done = 0;
  for (;;) {
    const rows = await deps.store.reader.nodes.privacyOwnedIn(workspaceId, fromUserId, itemsAtOnce);
    if (rows.length === 0) return done;
    for (const { path } of rows) {
      await operateReclaim(deps, workspaceId, { path, toUserId });
      done += 1;
      progress(`${done} private items handed over in ${workspaceId}`);
    }
  }
}

export const handOverScript = defineAuditedScript<
  HandOver & { readonly workspaceId: string; readonly now: number },
  { readonly name: string; readonly ownership: boolean; readonly isMember: boolean }
>('people.handOver', async (tx, { workspaceId, fromUserId, toUserId, now }) => {
  const workspace = await tx.write.lockWorkspace(workspaceId);
  if (workspace === null) throw new WorkspaceError('workspace_not_found');
  await rejectHandOver(tx, fromUserId, toUserId);
  const from = await tx.members.find(workspaceId, fromUserId);
  const to = await tx.members.find(workspaceId, toUserId);
  if (from?.role !== 'owner') return { name: workspace.name, ownership: false, isMember: to !== null };
  if (to !== null) await tx.write.setMemberRole(workspaceId, toUserId, 'owner');
  else await tx.write.insertMember({ workspaceId, userId: toUserId, role: 'owner', createdAt: now });
  await tx.write.setMemberRole(workspaceId, fromUserId, 'member');
  const details = { toUserId, joined: to === null };
  tx.noteAudit({ action: 'workspace.hand-over', at: now, workspaceId, personId: fromUserId, details });
  return { name: workspace.name, ownership: true, isMember: true };
});

/** Private items of an active user are theirs: this keeps an operator from taking them by mistake. */
async function rejectHandOver(tx: Transaction, fromUserId: string, toUserId: string): Promise<void> {
  if ((await tx.users.find(fromUserId))?.disabledAt === null) {
    throw new WorkspaceError('forbidden_role', {}, `${fromUserId} is not disabled`);
  }
  if ((await tx.users.find(toUserId))?.disabledAt !== null) {
    throw new WorkspaceError('forbidden_role', {}, `${toUserId} is disabled, or has no account`);
  }
}
