import { createStoaClient, StoaApiError, type StoaClient } from '@stoa/client';
import { type Demo, locations } from './fill-workspace.ts';

/** Describes the demo and what to try with it. Reads the service, so that it is also true at a second start. */
export async function describeDemo(baseUrl: string, demo: Demo): Promise<string> {
  const { workspaceId, agentKey } = demo;
  const agent = createStoaClient({ baseUrl, apiKey: agentKey });
  const { entries } = await agent.list(workspaceId);
  const { threads } = await agent.listComments(workspaceId);
  const { head } = await agent.readChanges(workspaceId, { sinceSeq: 0, limit: 0 });
  const copies = entries.filter(({ path }) => path.includes('(conflicted copy'));
  const open = threads.filter(({ status }) => status === 'open').length;
  const curl = (address: string) => `  curl -H "x-api-key: $KEY" "$API/${address}"`;
  const account = ({ name, email, password }: Demo['people'][number]) => `  ${name}  ${email}  ${password}`;
  return [
    `Stoa is at ${baseUrl}, with the workspace "Harbour House" (${workspaceId}):`,
    `  ${entries.length} files, ${copies.length} of them conflicted copies; ${head} changes;`,
    `  ${threads.length} comment threads, ${open} open`,
    '',
    `Two people, with their e-mail addresses and passwords for ${baseUrl}:`,
    ...demo.people.map(account),
    '',
    'An agent that belongs to Ada, "Scribe", with its API key:',
    `  ${agentKey}`,
    '',
    'Open in a browser:',
    `  ${await link(agent, workspaceId, locations.publicLink)}  the guide, a public link`,
    `  ${await link(agent, workspaceId, locations.passwordLink)}  the budget; its password is ${demo.linkPassword}`,
    `  ${await link(agent, workspaceId, locations.memberLink)}  the calendar, for members: sign in as Ben`,
    '',
    'Try at the command line:',
    `  KEY=${agentKey}`,
    `  API=${baseUrl}/api/workspaces/${workspaceId}`,
    curl('list'),
    curl(`versions?path=${locations.plan}`),
    curl(`comments?path=${locations.plan}`),
    curl('changes?sinceSeq=0&includeComments=1'),
    '',
    'Connect an agent, and ask it to address the open comments:',
    `  claude mcp add --transport http stoa-demo ${baseUrl}/api/mcp --header 'x-api-key: ${agentKey}'`,
    '',
    `Look for: ${locations.plan} has earlier versions, and next to it the text that Ben saved too late;`,
    `${locations.deleted} was deleted and can be restored; ${locations.privateItem} is Ada's alone.`,
    '',
  ].join('\n');
}

async function link(client: StoaClient, workspaceId: string, path: string): Promise<string> {
  try {
    const { shares } = await client.listShares(workspaceId, path);
    if (shares[0]?.url) return shares[0].url;
  } catch (error) {
    if (!(error instanceof StoaApiError) || error.status !== 404) throw error;
  }
  return `(${path} has no link any more)`;
}
