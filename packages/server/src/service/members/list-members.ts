import type { WorkspaceAccess } from '../access.ts';
import type { MemberRow } from '../ports/members.ts';
import type { ServiceDeps } from '../service-deps.ts';

/** Lists the members, owners first, without e-mail addresses. */
export async function listMembers(
  deps: Pick<ServiceDeps, 'store'>,
  access: WorkspaceAccess,
): Promise<readonly MemberRow[]> {
  return deps.store.reader.members.listOf(access.workspace.id);
}
