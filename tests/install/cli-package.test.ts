import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { buildCli } from '../../scripts/building/build-cli.ts';
import { installStoa, newcomersEnvironment } from '../support/install-stoa.ts';
import { createKey, signUp } from '../support/people.ts';
import { useOwnService } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';

const run = promisify(execFile);
await buildCli();
const { client } = await useOwnService();
const ada = await signUp(client);
const workspace = await createWorkspace(ada);
const { secret } = await createKey(ada, { workspaceId: workspace.id });
const prefix = await mkdtemp(join(tmpdir(), 'stoa-prefix-'));
after(() => rm(prefix, { recursive: true, force: true }));

const env = { ...newcomersEnvironment(prefix), STOA_URL: client.url, STOA_KEY: secret };
const stoa = join(prefix, 'bin/stoa');

test('the CLI installs from a server alone, and needs only Node', async () => {
  assert.equal(await installStoa(client.url, prefix), stoa);
  const home = join(prefix, 'lib/node_modules/@stoa/cli');
  assert.deepEqual((await readdir(home)).toSorted(), [
    'LICENSE',
    'LICENSES-OF-LIBRARIES.txt',
    'README.md',
    'bin',
    'lib',
    'package.json',
  ]);
  assert.match(
    await readFile(join(home, 'LICENSES-OF-LIBRARIES.txt'), 'utf8'),
    /^commander 15\.1\.0 \(MIT\)$/m,
  );
  assert.match((await run(stoa, ['--version'], { env })).stdout, /^\d+\.\d+\.\d+\n$/);
  await workspace.put('plan.md', '# Plan\n');
  assert.equal((await run(stoa, ['cat', 'plan.md'], { env })).stdout, '# Plan\n');
  assert.match((await run(stoa, ['completion', 'zsh'], { env })).stdout, /#compdef stoa/);
  const shown = JSON.parse((await run(stoa, ['mcp', '--show-config'], { env })).stdout);
  assert.deepEqual(shown.mcpServers.stoa.args, [join(home, 'bin/stoa.js'), 'mcp']);
});

test('the installed CLI relays messages', async () => {
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'read_file', arguments: { path: 'plan.md' } },
  };
  const relay = execFile(stoa, ['mcp'], { env });
  relay.stdin?.end(`${JSON.stringify(message)}\n`);
  const said = await Array.fromAsync(relay.stdout ?? []);
  assert.equal(JSON.parse(said.join('')).result.structuredContent.content, '# Plan\n');
});
