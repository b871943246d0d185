import { join } from './invites.ts';
import type { Person } from './people.ts';
import type { WorkspaceClient } from './workspace-client.ts';

/** Lets a person join by an invite of the owner's. @returns the workspace for that person, by session. */
export async function joinWorkspace(
  workspace: WorkspaceClient,
  owner: Person,
  person: Person,
): Promise<WorkspaceClient> {
  await join(owner, person, workspace.id);
  return workspace.as(person.session);
}
