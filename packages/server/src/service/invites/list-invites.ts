import { invitesPerWorkspaceMax } from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import { requireManager } from '../members/require-manager.ts';
import type { InviteWithMaker } from '../ports/invites.ts';
import type { ServiceDeps } from '../service-deps.ts';

/**
 * Lists a workspace's invites without their tokens, newest first.
 * @throws WorkspaceError `forbidden_role`
 */
export async function listInvites(
  deps: Pick<ServiceDeps, 'store'>,
  access: WorkspaceAccess,
): Promise<readonly InviteWithMaker[]> {
  requireManager(access, 'list the invites');
  return deps.store.reader.invites.listOf(access.workspace.id, invitesPerWorkspaceMax);
}
