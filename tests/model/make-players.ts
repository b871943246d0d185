import type { HttpClient } from '../support/http-client.ts';
import { joinWorkspace } from '../support/join-workspace.ts';
import { openMcp } from '../support/mcp-client.ts';
import { type ApiKey, createKey, type Person, signUp } from '../support/people.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import type { Caller, Player } from './player.ts';

/** Each person has a key for each workspace, and the number of keys per person is limited. */
const workspacesOfOnePair = 500;

/**
 * @returns a function that makes a workspace and its two members. A few hundred workspaces share the same
 * people.
 */
export async function playersOn(server: HttpClient): Promise<() => Promise<readonly [Player, Player]>> {
  let pair = makePair(server);
  let workspaces = 0;
  return async () => {
    workspaces += 1;
    if (workspaces % workspacesOfOnePair === 0) pair = makePair(server);
    const { ada, ben, robot, laptop } = await pair;
    const workspace = await createWorkspace(ada);
    await joinWorkspace(workspace, ada, ben);
    return [
      await makePlayer(server, ada, robot, workspace),
      await makePlayer(server, ben, laptop, workspace),
    ];
  };
}

async function makePair(server: HttpClient) {
  const ada = await signUp(server, 'Ada');
  const ben = await signUp(server, 'Ben');
  const robot = await createKey(ada, { name: 'Robot', actorType: 'agent' });
  const laptop = await createKey(ben, { name: 'Laptop', actorType: 'human' });
  return { ada, ben, robot, laptop };
}

async function makePlayer(
  server: HttpClient,
  person: Person,
  key: ApiKey,
  workspace: WorkspaceClient,
): Promise<Player> {
  const { id: workspaceId } = workspace;
  // The feed distinguishes the keys by name and actor type.
  const actorType = key.actorType === 'agent' ? 'human' : 'agent';
  const scoped = await createKey(person, { name: `${key.name} here`, actorType, workspaceId });
  return {
    'account-wide': callerOf(server, person, key, workspace, { workspaceId }),
    scoped: callerOf(server, person, scoped, workspace, {}),
  };
}

function callerOf(
  server: HttpClient,
  person: Person,
  key: ApiKey,
  workspace: WorkspaceClient,
  reach: { readonly workspaceId?: string },
): Caller {
  return {
    actor: { principal: key.actorType, actorId: person.id, actorKeyId: key.id, actorLabel: key.name },
    workspace: workspace.as(key.client),
    tools: {
      legacy: openMcp(server, key, { era: 'legacy', ...reach }),
      modern: openMcp(server, key, { era: 'modern', ...reach }),
    },
  };
}
