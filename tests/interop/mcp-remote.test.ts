import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { claims } from '../conformance/claims.ts';
import { createKey, signUp } from '../support/people.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { addressOf, playSession, type Reach, type ToolSet } from './play-session.ts';
import { makeProgramHome, packageFile } from './run-program.ts';

const bridge = packageFile('mcp-remote/dist/proxy.js');

const server = await useTarget();
const ada = await signUp(server);
const { id: workspaceId } = await createWorkspace(ada);
const accountWide = await createKey(ada);
const scoped = await createKey(ada, { workspaceId });

/** Starts the bridge as a desktop client does. Ending the connection ends it. */
async function connect(
  home: { readonly env: Record<string, string> },
  words: readonly string[],
  toolSet: ToolSet = 'standard',
) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bridge, server.url + addressOf(toolSet), ...words],
    env: home.env,
    stderr: 'pipe',
  });
  let said = '';
  const { stderr } = transport;
  assert.ok(stderr !== null);
  stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8');
  });
  const saidAll = once(stderr, 'end');
  const client = new Client({ name: 'stoa-tests', version: '1' });
  await client.connect(transport, { timeout: 120_000 }).catch(async (error: unknown) => {
    await transport.close();
    // The exit may be reported before the last output has arrived.
    await saidAll;
    throw new Error(`${error}\n${said}`);
  });
  return { client, said: () => said };
}

async function play(
  secret: string,
  reach: Reach,
  protocol: string,
  toolSet: ToolSet = 'standard',
): Promise<void> {
  await using home = await makeProgramHome();
  const words = ['--header', `x-api-key:${secret}`, '--protocol', protocol];
  const { client, said } = await connect(home, words, toolSet);
  try {
    const connected = {
      instructions: client.getInstructions(),
      serverName: client.getServerVersion()?.name,
      listTools: () => client.listTools(),
      callTool: (call: Parameters<typeof client.callTool>[0]) => client.callTool(call),
    };
    await playSession(connected, reach, `mcp-remote ${protocol} ${toolSet} ${reach.kind}`, toolSet);
    assert.doesNotMatch(said(), /authorize|browser|registration/i, 'mcp-remote tried to sign in');
  } finally {
    await client.close();
  }
}

for (const protocol of ['legacy', 'auto']) {
  test(...claims('mcp.interop.stdio-bridge', `a desktop client works through mcp-remote, ${protocol}`), () =>
    play(accountWide.secret, { kind: 'account-wide', workspaceId }, protocol),
  );

  test(...claims('mcp.interop.stdio-bridge', `a scoped key works through mcp-remote, ${protocol}`), () =>
    play(scoped.secret, { kind: 'scoped' }, protocol),
  );
}

for (const [toolSet, protocol] of [
  ['extended', 'auto'],
  ['files', 'legacy'],
] as const) {
  test(...claims('mcp.interop.stdio-bridge', `the set ${toolSet} works through mcp-remote`), () =>
    play(scoped.secret, { kind: 'scoped' }, protocol, toolSet),
  );
}

test(...claims('mcp.credential.no-oauth', 'a bad key ends mcp-remote without a sign-in'), async () => {
  await using home = await makeProgramHome();
  const words = ['--header', 'x-api-key:stoa_none', '--transport', 'http-only'];
  await assert.rejects(connect(home, words), /registration rejected \(HTTP 404\)/i);
});
