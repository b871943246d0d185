import { type MemberRole, WorkspaceError } from '@stoa/core';
import type { Caller } from '../access.ts';
import type { KeyRow } from '../ports/keys.ts';
import type { WorkspaceRow } from '../ports/workspaces.ts';
import type { ServiceDeps } from '../service-deps.ts';

/** Lists the caller's workspaces, oldest first. */
export async function listWorkspaces(
  deps: Pick<ServiceDeps, 'store'>,
  caller: Caller,
): Promise<readonly { readonly workspace: WorkspaceRow; readonly role: MemberRole }[]> {
  return deps.store.reader.workspaces.listOf(caller.actor.userId);
}

/** Returns the caller's key; null for a session. */
export async function findOwnKey(
  deps: Pick<ServiceDeps, 'store'>,
  { credential: { via, credentialId } }: Caller,
): Promise<KeyRow | null> {
  return via === 'key' ? deps.store.reader.keys.find(credentialId) : null;
}

/**
 * Returns the workspace of a scoped key, else the caller's oldest.
 * @throws WorkspaceError `not_a_member` when a scoped key's user has left; `workspace_not_found` when the caller has
 * none.
 */
export async function requireOwnWorkspace(
  deps: Pick<ServiceDeps, 'store'>,
  caller: Caller,
): Promise<WorkspaceRow> {
  const { workspaces } = deps.store.reader;
  if (caller.scopedTo !== null) {
    const found = await workspaces.findWithRole(caller.scopedTo, caller.actor.userId);
    if (found === null) throw new WorkspaceError('workspace_not_found');
    if (found.role === null) throw new WorkspaceError('not_a_member');
    return found.workspace;
  }
  const oldest = (await workspaces.listOf(caller.actor.userId))[0];
  if (oldest === undefined) {
    throw new WorkspaceError(
      'workspace_not_found',
      {},
      'You are not a member of any workspace yet: create one, or accept an invite',
    );
  }
  return oldest.workspace;
}
