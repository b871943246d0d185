import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { claims } from '../conformance/claims.ts';
import { createKey, signUp } from '../support/people.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { addressOf, playSession, type ToolSet } from './play-session.ts';

const server = await useTarget();
const ada = await signUp(server);
const { id: workspaceId } = await createWorkspace(ada);
const accountWide = await createKey(ada);
const scoped = await createKey(ada, { workspaceId });

async function connect(secret: string, toolSet: ToolSet = 'standard') {
  const client = new Client({ name: 'stoa-tests', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(server.url + addressOf(toolSet)), {
    requestInit: { headers: { 'x-api-key': secret } },
  });
  await client.connect(transport);
  return { client, transport, toolSet, [Symbol.asyncDispose]: () => client.close() };
}

test(...claims('mcp.interop.sdk-v1', 'a client of SDK 1 works with an account-wide key'), async () => {
  await using connected = await connect(accountWide.secret);
  await play(connected, { kind: 'account-wide', workspaceId });
});

test(...claims('mcp.interop.sdk-v1', 'a client of SDK 1 works with a scoped key'), async () => {
  await using connected = await connect(scoped.secret);
  await play(connected, { kind: 'scoped' });
});

for (const toolSet of ['extended', 'files'] as const) {
  test(...claims('mcp.interop.sdk-v1', `a client of SDK 1 works with the set ${toolSet}`), async () => {
    await using wide = await connect(accountWide.secret, toolSet);
    await play(wide, { kind: 'account-wide', workspaceId });
    await using narrow = await connect(scoped.secret, toolSet);
    await play(narrow, { kind: 'scoped' });
  });
}

test(...claims('mcp.interop.sdk-v1', 'a client of SDK 1 gets an error for an invalid key'), async () => {
  await assert.rejects(connect('stoa_none'), /401|invalid_api_key|unauthori[sz]ed/i);
});

function play(
  { client, transport, toolSet }: Awaited<ReturnType<typeof connect>>,
  reach: Parameters<typeof playSession>[1],
) {
  assert.equal(transport.sessionId, undefined);
  assert.equal(transport.protocolVersion, '2025-11-25');
  const connected = {
    instructions: client.getInstructions(),
    serverName: client.getServerVersion()?.name,
    listTools: () => client.listTools(),
    callTool: (call: Parameters<typeof client.callTool>[0]) => client.callTool(call),
  };
  return playSession(connected, reach, `sdk-1 ${toolSet} ${reach.kind}`, toolSet);
}
