import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { createKey, signUp } from '../support/people.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { runInShell } from './run-in-shell.ts';
import { type Bindings, matchesPrinted, parseTranscript } from './transcript.ts';

const repository = join(import.meta.dirname, '../..');
const printedAddress = '127.0.0.1:4700';
const guide = await readFile(join(repository, 'docs/cli.md'), 'utf8');
const client = await useTarget();

test('every command of the guide to the command line prints what the guide says', async () => {
  const steps = parseTranscript(guide);
  assert.ok(steps.length > 10, `the guide has only ${steps.length} commands`);
  const ada = await signUp(client);
  const workspace = await createWorkspace(ada, ada.session, 'Notes');
  const key = await createKey(ada, { workspaceId: workspace.id, name: 'service-cli' });
  const folder = await mkdtemp(join(tmpdir(), 'stoa-cli-guide-'));
  try {
    await symlink(join(repository, 'packages/cli/bin/stoa.js'), join(folder, 'stoa'));
    const path = `${folder}:${dirname(process.execPath)}`;
    const start = `export PATH="${path}:$PATH" KEY="${key.secret}" WORKSPACE="${workspace.id}"; unset STOA_URL STOA_KEY`;
    const address = new URL(client.url).host;
    const commands = steps.map(({ command }) => command.replaceAll(printedAddress, address));
    const outputs = (await runInShell([start, ...commands], folder)).slice(1);
    const bindings: Bindings = new Map();
    for (const [index, { command, printed, line }] of steps.entries()) {
      const actual = (outputs[index] ?? '').replaceAll(address, printedAddress);
      if (matchesPrinted(printed, actual, bindings)) continue;
      assert.equal(actual, printed, `the command of docs/cli.md:${line} has other output:\n${command}\n`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('the guide names every command and every exit code', async () => {
  const { commandFiles } = await import('../../packages/cli/src/commands/command-files.ts');
  const { exitCodes } = await import('../../packages/cli/src/output/exit-codes.ts');
  const count = commandFiles.reduce((sum, [, files]) => sum + files.length, 0);
  const named = new Set([...guide.matchAll(/`stoa ([a-z]+)/g)].map(([, name]) => name));
  assert.ok(named.size >= count, `${[...named].join(', ')}: the program has ${count} commands`);
  for (const code of Object.values(exitCodes)) assert.match(guide, new RegExp(`^\\| ${code} \\|`, 'm'));
});
