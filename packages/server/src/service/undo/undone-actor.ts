import { mayManageMembers, WorkspaceError } from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import type { ActorStamp } from '../ports/changes.ts';
import type { ServiceDeps } from '../service-deps.ts';

/** The author of the undone changes: a key, or a user in the browser. */
export type UndoneActor =
  | { readonly kind: 'key'; readonly keyId: string }
  | { readonly kind: 'person'; readonly userId: string };

/** The changes to undo: those of one actor in a period, in milliseconds since the epoch, both ends inclusive. */
export interface UndoneChanges {
  readonly actor: UndoneActor;
  readonly since: number;
  readonly until: number;
}

export function isUndone(
  { actor, since, until }: UndoneChanges,
  change: ActorStamp & { readonly createdAt: number },
): boolean {
  if (change.createdAt < since || change.createdAt > until) return false;
  switch (actor.kind) {
    case 'key':
      return change.actorKeyId === actor.keyId;
    case 'person':
      return change.actorKeyId === null && change.actorId === actor.userId;
  }
}

/** Whether these are the caller's own changes: those of the user and of their keys, as far as a key is still known. */
async function isOwn(
  { store }: Pick<ServiceDeps, 'store'>,
  { actor: { userId } }: WorkspaceAccess,
  actor: UndoneActor,
): Promise<boolean> {
  switch (actor.kind) {
    case 'key':
      return (await store.reader.keys.find(actor.keyId))?.userId === userId;
    case 'person':
      return actor.userId === userId;
  }
}

/**
 * @returns whether it requires an owner or an admin; the transaction checks it again.
 * @throws WorkspaceError `forbidden_role`
 */
export async function requireMayUndo(
  deps: Pick<ServiceDeps, 'store'>,
  access: WorkspaceAccess,
  actor: UndoneActor,
): Promise<{ readonly needsManager: boolean }> {
  const needsManager = !(await isOwn(deps, access, actor));
  if (needsManager) rejectOthers(access);
  return { needsManager };
}

/** @throws WorkspaceError `forbidden_role` */
export function rejectOthers({ role }: Pick<WorkspaceAccess, 'role'>): void {
  if (mayManageMembers(role)) return;
  throw new WorkspaceError(
    'forbidden_role',
    {},
    'Only owners and admins can undo changes of others: give your own actorId, or the actorKeyId of one of your keys',
  );
}
