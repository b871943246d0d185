// The row is deleted after a handover: an empty account would block its address for a new owner.

import { WorkspaceError } from '@stoa/core';
import { defineAuditedScript } from '../auditing/audited-script.ts';
import type { Reader } from '../ports/reader.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { disablePerson } from './disable-person.ts';

export interface NamedWorkspace {
  readonly id: string;
  readonly name: string;
}

/** Obstacles to the removal of an account. */
export interface RemovalReview {
  readonly onlyOwnerOf: readonly NamedWorkspace[];
  readonly privateItemsIn: readonly (NamedWorkspace & { readonly items: number })[];
}

export interface RemovedPerson {
  readonly workspaces: number;
  readonly keys: number;
  readonly links: number;
}

export type RemovalOutcome =
  | ({ readonly kind: 'removed' } & RemovedPerson)
  | ({ readonly kind: 'in_the_way' } & RemovalReview);

/**
 * Removes an account permanently: memberships, keys, sessions, share links and invites end; the user's texts stay,
 * attributed to a former member. Changes nothing while a workspace would lose its last owner, or a private item of the
 * user would become invisible to all.
 *
 * It ends access first and then processes the workspaces one by one, each in its own transaction; after an
 * interruption, the same call completes the rest.
 * @throws WorkspaceError `last_owner`, `private_item` when that changed during the removal.
 */
export async function removePerson(
  deps: Pick<ServiceDeps, 'store' | 'clock'>,
  userId: string,
): Promise<RemovalOutcome> {
  const review = await deps.store.snapshot((reader) => reviewRemoval(reader, userId));
  if (review.onlyOwnerOf.length > 0 || review.privateItemsIn.length > 0) {
    return { kind: 'in_the_way', ...review };
  }
  await disablePerson(deps, userId);
  const memberships = await deps.store.reader.workspaces.listOf(userId);
  for (const { workspace } of memberships) {
    await deps.store.transact(endMembershipScript, { workspaceId: workspace.id, userId, now: deps.clock() });
  }
  const erased = await deps.store.transact(erasePersonScript, { userId, now: deps.clock() });
  return { kind: 'removed', workspaces: memberships.length, ...erased };
}

/** @param reader must be one snapshot. */
async function reviewRemoval(reader: Reader, userId: string): Promise<RemovalReview> {
  const onlyOwnerOf: NamedWorkspace[] = [];
  for (const { workspace, role } of await reader.workspaces.listOf(userId)) {
    if (role !== 'owner' || (await reader.members.countOwners(workspace.id)) > 1) continue;
    onlyOwnerOf.push({ id: workspace.id, name: workspace.name });
  }
  const privateItemsIn: (NamedWorkspace & { items: number })[] = [];
  for (const { workspaceId, items } of await reader.nodes.countPrivacyOwned(userId)) {
    const name = (await reader.workspaces.find(workspaceId))?.name ?? '';
    privateItemsIn.push({ id: workspaceId, name, items });
  }
  return { onlyOwnerOf, privateItemsIn };
}

export const endMembershipScript = defineAuditedScript<
  { readonly workspaceId: string; readonly userId: string; readonly now: number },
  void
>('people.endMembership', async (tx, { workspaceId, userId, now }) => {
  // The lock serialises two owners who are removed at once: each would otherwise still count the other.
  if ((await tx.write.lockWorkspace(workspaceId)) === null) return;
  const member = await tx.members.find(workspaceId, userId);
  if (member?.role === 'owner' && (await tx.members.countOwners(workspaceId)) === 1) {
    throw new WorkspaceError('last_owner');
  }
  if (member === null) return;
  await tx.write.removeMember(workspaceId, userId);
  tx.noteAudit({
    action: 'member.remove',
    at: now,
    workspaceId,
    personId: userId,
    details: { role: member.role },
  });
});

export const erasePersonScript = defineAuditedScript<
  { readonly userId: string; readonly now: number },
  Pick<RemovedPerson, 'keys' | 'links'>
>('people.erase', async (tx, { userId, now }) => {
  if ((await tx.nodes.countPrivacyOwned(userId)).length > 0) {
    throw new WorkspaceError(
      'private_item',
      {},
      'An item became private to this user during the removal. Hand it over and try again',
    );
  }
  if ((await tx.workspaces.listOf(userId)).length > 0) {
    throw new Error('a user without access became a member of a workspace');
  }
  const keys = await tx.keys.listOf(userId);
  for (const { id } of keys) await tx.write.forgetBookmarks(id);
  await tx.write.deleteKeysOf(userId);
  await tx.write.deleteAllInvitesBy(userId);
  const links = await tx.write.deleteSharesBy(userId);
  await tx.write.deleteUser(userId);
  tx.noteAudit({ action: 'person.remove', at: now, personId: userId, details: { keys: keys.length, links } });
  return { keys: keys.length, links };
});
