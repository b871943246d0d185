import { type MemberRole, mayManageMembers, WorkspaceError } from '@stoa/core';

/** @throws WorkspaceError `forbidden_role` unless the member is an owner or an admin. */
export function requireManager({ role }: { readonly role: MemberRole }, action: string): void {
  if (!mayManageMembers(role))
    throw new WorkspaceError('forbidden_role', {}, `Only owners and admins can ${action}`);
}

/** @throws WorkspaceError `forbidden_role` unless the member is an owner. */
export function requireOwner({ role }: { readonly role: MemberRole }, action: string): void {
  if (role !== 'owner') throw new WorkspaceError('forbidden_role', {}, `Only owners can ${action}`);
}
