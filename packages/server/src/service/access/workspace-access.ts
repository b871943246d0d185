import {
  type Actor,
  type Grant,
  type MemberRole,
  type Need,
  refuseBeyond,
  type Viewer,
  WorkspaceError,
} from '@stoa/core';
import type { MetadataStore } from '../ports/metadata-store.ts';
import type { WorkspaceRow } from '../ports/workspaces.ts';

/** What a caller authenticated with. It may end while a request is under way, so changes ask for it again. */
export interface CallerCredential {
  readonly via: 'session' | 'key';
  /** Of the session or of the key: no secret. */
  readonly credentialId: string;
  readonly userId: string;
}

/** An authenticated caller: who acts, through what, and how far the credential reaches. */
export interface Caller {
  readonly actor: Actor;
  readonly credential: CallerCredential;
  /** The one workspace that a scoped key reaches; null reaches all of the person's workspaces. */
  readonly scopedTo: string | null;
  /** What it may do of what its person may. */
  readonly grant: Grant;
}

/**
 * A caller who may act in this workspace: the only thing that a file use case accepts. `workspace` is as it was when
 * the request began; what a decision rests on is read again inside its transaction.
 */
export interface WorkspaceAccess {
  readonly workspace: WorkspaceRow;
  readonly role: MemberRole;
  readonly actor: Actor;
  readonly viewer: Viewer;
  readonly credential: CallerCredential;
}

/**
 * @param need what will be done there; a change asks again in its transaction.
 * @throws WorkspaceError `workspace_not_found`, then `key_not_scoped`, then `not_a_member`, then those of `refuseBeyond`
 * (interface: access, Access failures).
 */
export async function openWorkspace(
  deps: { readonly store: MetadataStore },
  caller: Caller,
  workspaceId: string,
  need: Need = 'read',
): Promise<WorkspaceAccess> {
  const found = await deps.store.reader.workspaces.findWithRole(workspaceId, caller.actor.userId);
  if (found === null) throw new WorkspaceError('workspace_not_found');
  if (caller.scopedTo !== null && caller.scopedTo !== workspaceId) throw new WorkspaceError('key_not_scoped');
  if (found.role === null) throw new WorkspaceError('not_a_member');
  refuseBeyond(caller.grant, need);
  const { actor, credential } = caller;
  return { workspace: found.workspace, role: found.role, actor, viewer: viewerOf(caller), credential };
}

export function viewerOf({ actor, grant }: Pick<Caller, 'actor' | 'grant'>): Viewer {
  return { userId: actor.userId, within: grant.path };
}
