import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, type VersionNegotiationMode } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioClientTransportV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { claims } from '../conformance/claims.ts';
import { createKey, signUp } from '../support/people.ts';
import { recordOf, textAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { playSession, type Reach } from './play-session.ts';
import { makeProgramHome, packageFile, runProgram } from './run-program.ts';

const stoa = new URL('../../packages/cli/bin/stoa.js', import.meta.url).pathname;
const inspector = packageFile('@modelcontextprotocol/inspector/clients/launcher/build/index.js');

const server = await useTarget();
const ada = await signUp(server);
const workspace = await createWorkspace(ada);
const accountWide = await createKey(ada);
const scoped = await createKey(ada, { workspaceId: workspace.id });
const everywhere: Reach = { kind: 'account-wide', workspaceId: workspace.id };

/** Returns the command and environment with which a desktop program starts `stoa mcp`. */
async function startWith(secret: string) {
  const home = await makeProgramHome();
  const env = { ...home.env, STOA_URL: server.url, STOA_KEY: secret };
  return { home, start: { command: process.execPath, args: [stoa, 'mcp'], env, stderr: 'pipe' as const } };
}

const modes: readonly (readonly [name: string, mode: VersionNegotiationMode, revision: string])[] = [
  ['legacy', 'legacy', '2025-11-25'],
  ['modern', { pin: '2026-07-28' }, '2026-07-28'],
  ['automatic', 'auto', '2026-07-28'],
];

for (const [name, mode, revision] of modes) {
  test(
    ...claims('mcp.interop.stdio-bridge', `a client of SDK 2 in ${name} mode works through stoa mcp`),
    async () => {
      const { home, start } = await startWith(accountWide.secret);
      await using _home = home;
      const client = new Client({ name: 'stoa-tests', version: '1' }, { versionNegotiation: { mode } });
      await client.connect(new StdioClientTransport(start));
      try {
        assert.equal(client.getNegotiatedProtocolVersion(), revision);
        await playSession(connectedBy(client), everywhere, `stoa-mcp ${name}`);
      } finally {
        await client.close();
      }
    },
  );
}

test(
  ...claims('mcp.interop.stdio-bridge', 'a client of SDK 1 works through stoa mcp with a scoped key'),
  async () => {
    const { home, start } = await startWith(scoped.secret);
    await using _home = home;
    const client = new ClientV1({ name: 'stoa-tests', version: '1' });
    // The client reports each line that is not a message of the protocol.
    const strange: Error[] = [];
    client.onerror = (error) => strange.push(error);
    await client.connect(new StdioClientTransportV1(start));
    try {
      await playSession(connectedBy(client), { kind: 'scoped' }, 'stoa-mcp sdk-1');
    } finally {
      await client.close();
    }
    assert.deepEqual(strange, []);
  },
);

test(
  ...claims('mcp.interop.stdio-bridge', "two programs through stoa mcp do not get each other's responses"),
  async () => {
    const started = await Promise.all([startWith(accountWide.secret), startWith(accountWide.secret)]);
    const clients = started.map(() => new Client({ name: 'stoa-tests', version: '1' }));
    try {
      await Promise.all(
        clients.map((client, location) =>
          client.connect(new StdioClientTransport(started[location]?.start ?? { command: '' })),
        ),
      );
      await Promise.all(
        clients.map(async (client, location) => {
          for (let i = 0; i < 10; i += 1) {
            const given = {
              workspaceId: workspace.id,
              path: `two/${location}-${i}.md`,
              content: `${location}-${i}`,
            };
            await client.callTool({ name: 'write_file', arguments: given });
            const read = await client.callTool({ name: 'read_file', arguments: given });
            assert.equal(textAt(recordOf(read.structuredContent), 'content'), `${location}-${i}`);
          }
        }),
      );
    } finally {
      for (const client of clients) await client.close();
      for (const { home } of started) await home[Symbol.asyncDispose]();
    }
  },
);

test(...claims('mcp.interop.stdio-bridge', 'the Inspector works through stoa mcp'), async () => {
  await workspace.put('inspected.md', '# Hello\n');
  const variables = ['-e', `STOA_URL=${server.url}`, '-e', `STOA_KEY=${scoped.secret}`];
  const words = [
    '--method',
    'tools/call',
    '--tool-name',
    'read_file',
    '--tool-args-json',
    '{"path":"inspected.md"}',
  ];
  const run = await runProgram(
    inspector,
    ['--cli', ...variables, process.execPath, stoa, 'mcp', ...words],
    120,
  );
  assert.equal(run.code, 0, run.stdout + run.stderr);
  assert.equal(textAt(recordOf(recordOf(JSON.parse(run.stdout)).structuredContent), 'content'), '# Hello\n');
});

function connectedBy(client: Client | ClientV1) {
  return {
    instructions: client.getInstructions(),
    serverName: client.getServerVersion()?.name,
    listTools: () => client.listTools(),
    callTool: (call: { name: string; arguments: Record<string, unknown> }) => client.callTool(call),
  };
}
