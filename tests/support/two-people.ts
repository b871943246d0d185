import type { HttpClient } from './http-client.ts';
import { join } from './invites.ts';
import { openMcp } from './mcp-client.ts';
import { createKey, signUp } from './people.ts';
import { createWorkspace } from './workspace-client.ts';

/** Ada and Ben, each with a key, for actions of one and the view of the other, over REST and MCP alike. */
export async function signUpTwo(server: HttpClient) {
  const ada = await signUp(server, 'Ada');
  const ben = await signUp(server, 'Ben');
  const adasKey = await createKey(ada);
  const bensKey = await createKey(ben);
  const openWorkspace = async () => {
    const workspace = await createWorkspace(ada, adasKey.client);
    return { workspace, mcp: openMcp(server, adasKey, { workspaceId: workspace.id }) };
  };
  return {
    ada,
    ben,
    /** An empty workspace of Ada's. */
    openWorkspace,
    /** A workspace of Ada's that Ben is a member of. */
    async openShared() {
      const { workspace, mcp } = await openWorkspace();
      await join(ada, ben, workspace.id);
      return {
        adas: workspace,
        adasMcp: mcp,
        bens: workspace.as(bensKey.client),
        bensMcp: openMcp(server, bensKey, { workspaceId: workspace.id }),
      };
    },
  };
}
