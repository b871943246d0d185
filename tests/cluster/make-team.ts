import { assertStatus } from '../support/expect.ts';
import type { HttpClient } from '../support/http-client.ts';
import { join } from '../support/invites.ts';
import { type ApiKey, createKey, type Person, signUp } from '../support/people.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import { restSurface } from './rest-surface.ts';
import { type Cluster, firstOf } from './start-cluster.ts';
import { toolSurface } from './tool-surface.ts';
import type { Reach } from './writing-client.ts';

/** Only the owner of the workspaces sees the content of this folder. */
export const hiddenFolder = 'hidden';

/** Two people, each with a session and a key, in the same workspaces. */
export interface Team {
  readonly workspaces: readonly WorkspaceClient[];
  readonly owner: Member;
  readonly colleague: Member;
}

export interface Member {
  readonly person: Person;
  readonly key: ApiKey;
}

export async function makeTeam({ nodes }: Cluster, workspaceCount: number): Promise<Team> {
  const [owner, colleague] = [
    await makeMember(firstOf(nodes), 'Ada'),
    await makeMember(firstOf(nodes), 'Bob'),
  ];
  const workspaces: WorkspaceClient[] = [];
  for (let made = 0; made < workspaceCount; made += 1) {
    const workspace = await createWorkspace(owner.person);
    await join(owner.person, colleague.person, workspace.id);
    const hide = { path: hiddenFolder, kind: 'folder', private: true };
    assertStatus(await workspace.send('PUT', '/node-private', { json: hide }), 200);
    workspaces.push(workspace);
  }
  return { workspaces, owner, colleague };
}

async function makeMember(server: HttpClient, name: string): Promise<Member> {
  const person = await signUp(server, name);
  return { person, key: await createKey(person, { name: `${name}'s agent` }) };
}

/** Returns every way to a workspace: at each node by session, by key and by both protocols of MCP. */
export function reachOf(cluster: Cluster, workspace: WorkspaceClient, { person, key }: Member): Reach {
  const bySession = cluster.workspaceAt(workspace, person.session);
  const byKey = cluster.workspaceAt(workspace, key.client);
  const byTools = cluster
    .at(key.client)
    .flatMap((caller) => [
      toolSurface(caller, workspace.id, 'legacy'),
      toolSurface(caller, workspace.id, 'modern'),
    ]);
  return {
    workspaceId: workspace.id,
    surfaces: [...bySession.map(restSurface), ...byKey.map(restSurface), ...byTools],
    at: [...bySession, ...byKey],
  };
}
