// docs/decisions/0072-people-who-leave.md

import { WorkspaceError } from '@stoa/core';
import { defineAuditedScript } from '../auditing/audited-script.ts';
import type { Reader } from '../ports/reader.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { disablePerson } from './disable-person.ts';

/** A workspace by its id, with its name for the reader. */
export interface NamedWorkspace {
  readonly id: string;
  readonly name: string;
}

/** What stands in the way of removing an account. */
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
 * Removes an account for good: memberships, keys, sessions, share links and invites end; what the person wrote stays, by a
 * former member. Nothing is done while a workspace would lose its last owner, or something is private to the person and would
 * be seen by nobody.
 *
 * It ends access first and then goes workspace by workspace, each in a transaction of its own; broken off, the same call
 * does the rest.
 * @throws WorkspaceError `last_owner`, `private_item` when that changed meanwhile.
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

/** @param reader holds one snapshot. */
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
  // As in the app: two owners who go at once must not both find the other.
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
    throw new WorkspaceError('private_item', {}, 'Something became private to this person meanwhile');
  }
  if ((await tx.workspaces.listOf(userId)).length > 0) {
    throw new Error('somebody became a member of a workspace while their access had ended');
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
