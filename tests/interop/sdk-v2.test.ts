import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  Client,
  StreamableHTTPClientTransport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { claims } from '../conformance/claims.ts';
import { createKey, signUp } from '../support/people.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { addressOf, playSession, type Reach, type ToolSet } from './play-session.ts';

const server = await useTarget();
const ada = await signUp(server);
const { id: workspaceId } = await createWorkspace(ada);
const accountWide = await createKey(ada);
const scoped = await createKey(ada, { workspaceId });

/** The ways a client negotiates an era, and the revision that results here. */
const modes: readonly {
  readonly name: string;
  readonly mode: VersionNegotiationMode;
  readonly revision: string;
}[] = [
  { name: 'legacy', mode: 'legacy', revision: '2025-11-25' },
  { name: 'modern', mode: { pin: '2026-07-28' }, revision: '2026-07-28' },
  { name: 'automatic', mode: 'auto', revision: '2026-07-28' },
];

for (const { name, mode, revision } of modes) {
  test(
    ...claims('mcp.interop.sdk-v2', `a client of SDK 2 in ${name} mode works with an account-wide key`),
    () => play(mode, revision, accountWide.secret, { kind: 'account-wide', workspaceId }, name),
  );

  test(...claims('mcp.interop.sdk-v2', `a client of SDK 2 in ${name} mode works with a scoped key`), () =>
    play(mode, revision, scoped.secret, { kind: 'scoped' }, name),
  );

  test(
    ...claims('mcp.interop.sdk-v2', `a client of SDK 2 in ${name} mode gets an error for an invalid key`),
    async () => {
      await assert.rejects(connect(mode, 'stoa_none'), /401|invalid_api_key|unauthori[sz]ed/i);
    },
  );
}

for (const [toolSet, { mode, revision }] of [
  ['extended', { mode: { pin: '2026-07-28' }, revision: '2026-07-28' }],
  ['files', { mode: 'legacy', revision: '2025-11-25' }],
] as const) {
  test(...claims('mcp.interop.sdk-v2', `a client of SDK 2 works with the set ${toolSet}`), async () => {
    await play(mode, revision, accountWide.secret, { kind: 'account-wide', workspaceId }, toolSet, toolSet);
    await play(mode, revision, scoped.secret, { kind: 'scoped' }, toolSet, toolSet);
  });
}

async function play(
  mode: VersionNegotiationMode,
  revision: string,
  secret: string,
  reach: Reach,
  name: string,
  toolSet: ToolSet = 'standard',
): Promise<void> {
  const client = await connect(mode, secret, toolSet);
  try {
    assert.equal(client.getNegotiatedProtocolVersion(), revision);
    const connected = {
      instructions: client.getInstructions(),
      serverName: client.getServerVersion()?.name,
      listTools: () => client.listTools(),
      callTool: (call: Parameters<typeof client.callTool>[0]) => client.callTool(call),
    };
    await playSession(connected, reach, `sdk-2 ${name} ${reach.kind}`, toolSet);
  } finally {
    await client.close();
  }
}

async function connect(
  mode: VersionNegotiationMode,
  secret: string,
  toolSet: ToolSet = 'standard',
): Promise<Client> {
  const client = new Client({ name: 'stoa-tests', version: '1' }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL(server.url + addressOf(toolSet)), {
    requestInit: { headers: { 'x-api-key': secret } },
  });
  await client.connect(transport);
  return client;
}
