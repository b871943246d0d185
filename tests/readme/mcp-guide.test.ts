import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { publishTools } from '@stoa/contract';
import { buildCli } from '../../scripts/building/build-cli.ts';
import { createKey, signUp } from '../support/people.ts';
import { recordOf, textAt } from '../support/response.ts';
import { startService } from '../support/service-process.ts';
import { useOwnService } from '../support/target.ts';
import { runInShell } from './run-in-shell.ts';
import { type Bindings, matchesPrinted, parseTranscript } from './transcript.ts';

const repository = join(import.meta.dirname, '../..');
const printedAddress = 'http://127.0.0.1:4700';
const guide = await readFile(join(repository, 'docs/mcp.md'), 'utf8');

test("every command of the agents' guide prints what the guide says", async () => {
  const steps = parseTranscript(guide);
  assert.ok(steps.length > 20, `the guide has only ${steps.length} commands`);
  const folder = await mkdtemp(join(tmpdir(), 'stoa-mcp-guide-'));
  // The settings of `npm start`: the first user may sign up, and a workspace begins with its two files.
  await using service = await startService({ STOA_SIGNUP: 'first', STOA_SEED_WORKSPACES: 'true' });
  try {
    // Only the address differs from the guide: the usual port may be taken on this machine.
    const commands = steps.map(({ command }) => command.replaceAll(printedAddress, service.url));
    const outputs = await runInShell(commands, folder);
    const bindings: Bindings = new Map();
    for (const [index, { command, printed, line }] of steps.entries()) {
      const actual = outputs[index] ?? '';
      if (matchesPrinted(printed, actual, bindings)) continue;
      assert.equal(actual, printed, `the command of docs/mcp.md:${line} has other output:\n${command}\n`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('every configuration in the guide has the address and the header of the endpoint', () => {
  const snippets = [...guide.matchAll(/```json\n(.*?)```/gs)].map(([, text = '']) => text);
  assert.equal(snippets.length, 3);
  for (const snippet of snippets) {
    const { mcpServers, servers } = recordOf(JSON.parse(snippet));
    const { stoa } = recordOf(mcpServers ?? servers);
    if ('command' in recordOf(stoa)) {
      assert.deepEqual(Object.keys(recordOf(recordOf(stoa).env)), ['STOA_URL', 'STOA_KEY'], snippet);
      continue;
    }
    assert.ok(JSON.stringify(stoa).includes(`"${printedAddress}/api/mcp"`), snippet);
    assert.match(JSON.stringify(stoa), /"x-api-key":"\$\{[\w:-]+\}"/, snippet);
  }
  assert.match(
    guide,
    /^claude mcp add --transport http stoa http:\/\/127\.0\.0\.1:4700\/api\/mcp --header "x-api-key: \$STOA_KEY"$/m,
  );
});

test('a desktop client that is configured as the guide says sees all tools', async () => {
  const snippet = /```json\n([^`]*stoa-cli\.tgz.*?)```/s.exec(guide)?.[1] ?? '';
  await buildCli();
  const { service, client } = await useOwnService();
  const key = await createKey(await signUp(client));
  const { stoa } = recordOf(recordOf(JSON.parse(snippet)).mcpServers);
  const { args, env } = recordOf(stoa);
  assert.ok(Array.isArray(args) && 'STOA_KEY' in recordOf(env));
  const home = await mkdtemp(join(tmpdir(), 'stoa-mcp-home-'));
  const transport = new StdioClientTransport({
    command: textAt(recordOf(stoa), 'command'),
    args: args.map((argument) => String(argument).replace(printedAddress, service.url)),
    // There is no registry: all packages come from the service.
    env: {
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      HOME: home,
      STOA_URL: service.url,
      STOA_KEY: key.secret,
      npm_config_registry: 'http://127.0.0.1:9',
    },
    cwd: home,
    stderr: 'ignore',
  });
  const agent = new Client({ name: 'stoa-tests', version: '1' });
  try {
    await agent.connect(transport, { timeout: 240_000 });
    const { tools } = await agent.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      publishTools('account-wide').map(({ name }) => name),
    );
  } finally {
    await agent.close();
    await rm(home, { recursive: true, force: true });
  }
});
