import { mayManageMembers, WorkspaceError } from '@stoa/core';
import type { Reader } from '../ports/reader.ts';
import type { MemberRow } from '../ports/rows.ts';

/**
 * The acting member as they are now: inside a script, so that what was decided when the request began is asked again.
 * @throws WorkspaceError `not_a_member`
 */
export async function findActor(
  { members }: Pick<Reader, 'members'>,
  workspaceId: string,
  actorId: string,
): Promise<MemberRow> {
  const actor = await members.find(workspaceId, actorId);
  if (actor === null) throw new WorkspaceError('not_a_member');
  return actor;
}

/** @throws WorkspaceError `forbidden_role` unless the member is an owner or an admin. */
export function requireManager({ role }: Pick<MemberRow, 'role'>, action: string): void {
  if (!mayManageMembers(role))
    throw new WorkspaceError('forbidden_role', {}, `Only owners and admins can ${action}`);
}
