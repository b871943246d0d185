import assert from 'node:assert/strict';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createKey, signUp } from '../../../tests/support/people.ts';
import { useTarget } from '../../../tests/support/target.ts';
import { createWorkspace } from '../../../tests/support/workspace-client.ts';
import { writeFolderConfig } from '../src/config/folder-config.ts';
import { hashBytes } from '../src/local/read-contents.ts';
import { runStoa } from './support/run-stoa.ts';
import { makeFolder } from './support/temporary-folder.ts';

const server = await useTarget();
const ada = await signUp(server);

const long = 'l'.repeat(100);
// The last is decomposed, a form that no workspace uses. Its composed twin is in `harmless`.
const outside = ['../x', '/x', 'a/../../x', 'a//b', 'nul\0x', 'new\nline', 'e\u0301.md'];
const ownOrRun = [
  '.stoa/config.json',
  '.STOA/x',
  '.st\u200coa/x',
  'sub/.stoa/config.json',
  '.git/config',
  'git~1/x',
];
const longest = 's'.repeat(255);
const harmless = [
  ...['bidi\u202egpj.exe', 'C:x', 'x:stream', 'CON.md', 'dot.', 'Case.md', 'case.md'],
  ...['\u00e9.md', longest],
];
/** A path of 1,024 characters: folders that end with a file. */
const deepest = `${Array.from({ length: 10 }, () => long).join('/')}/${'d'.repeat(1024 - 10 * 101)}`;
const tooLong = [`${longest}s`, `${deepest}d`];
const escapes = ['esc\u001b[31m.md', 'bell\u0007/\u009b2J.md'];
const hostile = [...outside, ...ownOrRun, ...harmless, deepest, ...tooLong, ...escapes, 'file', 'file/below'];

test('hostile names change nothing outside the folder, in `.stoa` or on the terminal', async () => {
  const workspace = await createWorkspace(ada);
  const key = await createKey(ada, { workspaceId: workspace.id });
  await workspace.put('fine.md', 'fine\n');
  await using home = await makeFolder();
  const folder = join(home.path, 'in', 'a');
  await mkdir(folder, { recursive: true });
  await writeFolderConfig(folder, {
    api_base: server.url,
    workspace_id: workspace.id,
    api_key_id: null,
    api_key: key.secret,
  });
  const config = join(folder, '.stoa', 'config.json');
  const before = await readFile(config, 'utf8');
  const contentHash = hashBytes(new TextEncoder().encode('hostile\n'));
  const lie: typeof fetch = async (input, init) => {
    const { pathname } = new URL(String(input));
    const asked = decodeURIComponent(pathname.split('/files/')[1] ?? '');
    const headers = { 'X-Service-Version': '1', 'X-Service-Content-Hash': contentHash };
    if (hostile.includes(asked)) return new Response('hostile\n', { headers });
    const response = await fetch(input, init);
    if (!pathname.endsWith('/list')) return response;
    const list = (await response.json()) as { readonly entries: readonly object[] };
    const lies = hostile.map((path) => ({ ...list.entries[0], path, version: 1, size: 8, contentHash }));
    return Response.json({ ...list, entries: [...list.entries, ...lies] });
  };
  const run = (...words: string[]) => runStoa(words, { cwd: folder, fetch: lie });
  const synced = await run('sync', '--verbose');
  // A path that is both a file and a folder becomes a conflicted copy or is skipped.
  assert.ok([6, 8].includes(synced.code), synced.stdout + synced.stderr);
  assert.equal(await readFile(config, 'utf8'), before);
  assert.deepEqual([await readdir(home.path), await readdir(join(home.path, 'in'))], [['in'], ['a']]);
  const names = await readdir(folder, { recursive: true });
  const visible = names.filter((name) => !/^(?:\.stoa|file|l{100}(?:\/l{100})*$)/.test(name));
  assert.deepEqual(visible.toSorted(), [...harmless, deepest, 'fine.md'].toSorted());
  for (const said of [
    synced,
    await run('status', '--verbose'),
    await run('ls', '--long'),
    await run('log', '-n', '100'),
    await run('sync', '--dry-run', '--verbose'),
    await run('conflicts'),
    await run('ignore', 'why', 'esc\u001b[31m.md'),
    await run('cat', 'esc\u001b[31m.md/x'),
    await run('esc\u001b[31m'),
    await run('doctor'),
  ]) {
    assert.doesNotMatch(`${said.stdout}${said.stderr}`.replaceAll('\n', ''), /[\p{Cc}\u202e]/u);
  }
});
