import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { oddNames } from '../../../tests/support/odd-characters.ts';
import { createKey, signUp } from '../../../tests/support/people.ts';
import { useTarget } from '../../../tests/support/target.ts';
import { createWorkspace } from '../../../tests/support/workspace-client.ts';
import { writeFolderConfig } from '../src/config/folder-config.ts';
import { runStoa } from './support/run-stoa.ts';
import { makeFolder } from './support/temporary-folder.ts';

const server = await useTarget();
const ada = await signUp(server);

/** Opens a separate workspace and the program with a key for it. */
async function openShell() {
  const workspace = await createWorkspace(ada);
  const key = await createKey(ada, { workspaceId: workspace.id, name: 'service-cli' });
  const files = workspace.as(key.client);
  const env = { STOA_URL: server.url, STOA_KEY: key.secret };
  const stoa = (
    words: string,
    stdin: string | Uint8Array = '',
    more: Readonly<Record<string, string>> = {},
  ) => runStoa(words.split(' '), { cwd: '/', env: { ...env, ...more }, stdin });
  const linkFolder = async (folder: string) =>
    writeFolderConfig(folder, {
      api_base: server.url,
      workspace_id: workspace.id,
      api_key_id: key.id,
      api_key: key.secret,
    });
  return { files, stoa, linkFolder };
}

test('put, ls, cat and history work on a file', async () => {
  const { stoa } = await openShell();
  assert.deepEqual(await outcome(stoa('put docs/plan.md', '# Plan\n')), [0, 'docs/plan.md 1\n', '']);
  assert.deepEqual(await outcome(stoa('put docs/plan.md --base 1', 'more\n')), [0, 'docs/plan.md 2\n', '']);
  assert.deepEqual(await outcome(stoa('cat docs/plan.md')), [0, 'more\n', '']);
  assert.deepEqual(await outcome(stoa('cat docs/plan.md --version 1')), [0, '# Plan\n', '']);
  assert.deepEqual(await outcome(stoa('ls')), [0, 'docs/plan.md\n', '']);
  const long = await stoa('ls --long');
  assert.equal(long.stdout, 'v2  5 B  text/markdown  docs/plan.md\n');
  assert.deepEqual((await stoa('ls --json')).json(), [
    {
      schemaVersion: 1,
      files: [{ path: 'docs/plan.md', version: 2, size: 5, type: 'text/markdown' }],
    },
  ]);
  const history = await stoa('history docs/plan.md');
  assert.match(history.stdout, /^v2 {2}5 B {2}20\d\d-.*service-cli {2}write\nv1 {2}7 B .*\n$/);
  const [reported] = (await stoa('--json history docs/plan.md')).json();
  assert.equal(reported?.path, 'docs/plan.md');
});

test('find prints paths with matching lines, and the total', async () => {
  const { files, stoa, linkFolder } = await openShell();
  await files.put('docs/plan.md', '# Launch plan\n\nThe budget of the launch.\n');
  await files.put('budget/launch.txt', 'x');
  assert.deepEqual(await outcome(stoa('find launch budget')), [
    0,
    'budget/launch.txt\ndocs/plan.md\n  1: # Launch plan\n  3: The budget of the launch.\n',
    '2 results.\n',
  ]);
  assert.deepEqual(await outcome(stoa('find -q budget')), [
    0,
    'budget/\nbudget/launch.txt\ndocs/plan.md\n  3: The budget of the launch.\n',
    '',
  ]);
  assert.deepEqual(await outcome(stoa('find -l --limit 1 launch budget')), [
    0,
    'budget/launch.txt\n',
    '1 of 2 results. For more use --limit.\n',
  ]);
  assert.deepEqual(await outcome(stoa('find launch -- -budget type:md')), [0, '', 'Nothing matches.\n']);
  const [reported] = (await stoa('find the --json')).json();
  assert.deepEqual(Object.keys(reported ?? {}), ['schemaVersion', 'results', 'total', 'isTotalExact']);
  assert.equal(reported?.total, 1);
  await using folder = await makeFolder();
  await linkFolder(folder.path);
  const inFolder = await runStoa(['find', '"of the launch"'], { cwd: folder.path });
  assert.deepEqual([inFolder.code, inFolder.stdout], [0, 'docs/plan.md\n  3: The budget of the launch.\n']);
});

test('find reads as many pages as it needs', async () => {
  const { files, stoa } = await openShell();
  await Promise.all(Array.from({ length: 120 }, (_, at) => files.put(`f${at}.txt`, 'shelf\n')));
  const { stdout, stderr } = await stoa('find -l --limit 110 shelf');
  assert.equal(new Set(stdout.trimEnd().split('\n')).size, 110);
  assert.equal(stderr, '110 of 120 results. For more use --limit.\n');
  assert.equal((await stoa('find -l shelf')).stdout.split('\n').length, 21);
});

test('find marks matches on a terminal only, and escapes control characters', async () => {
  const { files, stoa } = await openShell();
  await files.put('evil\u202e.md', 'a\u001b[31m launch \u001b[2J\n');
  const plain = await stoa('find launch');
  assert.equal(plain.stdout, 'evil\\u{202E}.md\n  1: a\\u{1B}[31m launch \\u{1B}[2J\n');
  const coloured = await stoa('find launch', '', { FORCE_COLOR: '1' });
  assert.equal(
    coloured.stdout,
    '\u001b[1mevil\\u{202E}.md\u001b[22m\n  1: a\\u{1B}[31m \u001b[33mlaunch\u001b[39m \\u{1B}[2J\n',
  );
});

test('find reports an invalid query as the server does', async () => {
  const { stoa } = await openShell();
  const { code, stderr } = await stoa(`find ${'w '.repeat(17).trim()}`);
  assert.equal(code, 1);
  assert.match(stderr, /the query has more than 16 words/);
  assert.equal((await stoa('find')).code, 2);
});

test('put overwrites a file only with --base or --replace', async () => {
  const { stoa } = await openShell();
  await stoa('put a.md', 'one');
  const rejected = await stoa('put a.md', 'two');
  assert.deepEqual([rejected.code, rejected.stdout], [1, '']);
  assert.match(rejected.stderr, /a\.md is there already\. Nothing was written\.\n +Read it with `stoa cat`/);
  assert.deepEqual(await outcome(stoa('put a.md --replace', 'three')), [0, 'a.md 2\n', '']);
  assert.deepEqual(await outcome(stoa('ls')), [0, 'a.md\n', '']);
  assert.deepEqual((await stoa('put a.md --json', 'four')).json(), [
    {
      schemaVersion: 1,
      ok: false,
      error: {
        code: 'exists',
        message: 'a.md is there already. Nothing was written.',
        next: 'Read it with `stoa cat`, then say --base <version>, or --replace for whatever is there.',
      },
    },
  ]);
});

test('put stores losing bytes in a copy and names it', async () => {
  const { stoa, files } = await openShell();
  await files.put('a.md', 'one');
  await files.put('a.md', 'two', { ifMatch: 1 });
  const lost = await stoa('put a.md --base 1', 'mine');
  assert.equal(lost.code, 6);
  assert.match(lost.stdout, /^a \(conflicted copy [^)]+ service-cli\)\.md\n$/);
  assert.match(lost.stderr, /first: it is at version 2/);
  const [reported] = (await stoa('put a.md --base 1 --json', 'other')).json();
  assert.match(String(reported?.copy), /conflicted copy/);
});

test('put and cat accept an empty file', async () => {
  const { stoa } = await openShell();
  assert.deepEqual(await outcome(stoa('put empty.txt')), [0, 'empty.txt 1\n', '']);
  assert.equal((await stoa('put empty.txt')).code, 1);
  assert.deepEqual(await outcome(stoa('put typed.txt --type application/x-own')), [0, 'typed.txt 1\n', '']);
  assert.match((await stoa('ls -l')).stdout, /^v1 {2}0 B {2}application\/x-own {2}typed\.txt$/m);
  await stoa('put full.txt', 'full');
  assert.deepEqual(await outcome(stoa('put full.txt --replace')), [0, 'full.txt 2\n', '']);
  assert.deepEqual(await outcome(stoa('cat full.txt')), [0, '', '']);
});

test('put and cat keep a megabyte unchanged', async () => {
  const { stoa } = await openShell();
  const bytes = Buffer.alloc(1024 * 1024, '0123456789');
  await stoa('put big.bin --type application/x-own', bytes);
  const back = await stoa('cat big.bin');
  assert.equal(back.stdout, bytes.toString());
  assert.match((await stoa('ls -l')).stdout, /application\/x-own/);
});

test('mv moves files and folders', async () => {
  const { stoa } = await openShell();
  for (const path of ['old/a.md', 'old/b/c.md', 'x.md']) await stoa(`put ${path}`, path);
  assert.deepEqual(await outcome(stoa('mv x.md old/')), [0, 'old/x.md 1\n', '']);
  assert.deepEqual(await outcome(stoa('mv -r old new')), [0, 'old/ → new/  3 files\n', '']);
  assert.deepEqual(await outcome(stoa('ls')), [0, 'new/a.md\nnew/b/c.md\nnew/x.md\n', '']);
  assert.equal((await stoa('mv -r new new/inner')).code, 2);
  assert.equal((await stoa('mv none.md other.md')).code, 1);
  assert.equal((await stoa('mv new/a.md b.md --base 7')).code, 1);
  const folderAt = await stoa('mv -r new newer --base 1');
  assert.deepEqual([folderAt.code, /--base is about one file/.test(folderAt.stderr)], [2, true]);
  assert.deepEqual(await outcome(stoa('ls')), [0, 'new/a.md\nnew/b/c.md\nnew/x.md\n', '']);
});

test('restore a deleted file', async () => {
  const { stoa } = await openShell();
  await stoa('put a.md', 'one');
  assert.deepEqual(await outcome(stoa('rm a.md')), [0, 'deleted a.md\n', '']);
  assert.equal((await stoa('rm a.md')).code, 1);
  assert.deepEqual(await outcome(stoa('restore a.md')), [0, 'a.md 1\n', '']);
  assert.equal((await stoa('restore a.md')).code, 2);
  await stoa('put a.md --replace', 'two');
  assert.deepEqual((await stoa('restore a.md --version 1 --json')).json(), [
    { schemaVersion: 1, path: 'a.md', version: 3, restoredFrom: 1 },
  ]);
});

test('rm asks for confirmation for more than ten files', async () => {
  const { stoa } = await openShell();
  for (let i = 0; i < 11; i += 1) await stoa(`put many/${i}.md`, 'x');
  const asked = await stoa('rm -r many');
  assert.equal(asked.code, 1);
  assert.match(asked.stderr, /Delete 11 files\? There is no terminal/);
  assert.equal((await stoa('rm -r many --yes')).stdout.split('\n').length, 12);
  assert.deepEqual(await outcome(stoa('ls')), [0, '', 'There are no such files.\n']);
});

test('changes lists the feed after a cursor and prints the next one', async () => {
  const { stoa } = await openShell();
  await stoa('put a.md', 'one');
  await stoa('mv a.md b.md');
  const newest = await stoa('changes');
  assert.match(
    newest.stdout,
    /write {5}a\.md {2}v1 {2}by service-cli\n.* move {6}b\.md {2}v1 {2}from a\.md/s,
  );
  const reported = (await stoa('changes --since 0 --json')).json();
  const last = reported.at(-1);
  assert.deepEqual(Object.keys(last ?? {}), ['schemaVersion', 'nextSeq', 'head']);
  assert.equal(last?.nextSeq, last?.head);
  assert.deepEqual((await stoa(`changes --since ${last?.head} --json`)).json(), [last]);
  assert.equal((await stoa('changes --since 0 --limit 1 --json')).json().length, 2);
});

test('changes --follow prints new changes until the run ends', async () => {
  const { stoa, files, linkFolder } = await openShell();
  await using folder = await makeFolder();
  await linkFolder(folder.path);
  await stoa('put a.md', 'one');
  const end = new AbortController();
  const words = ['changes', '--follow', '--json'];
  const followed = runStoa(words, {
    cwd: folder.path,
    signal: end.signal,
    heard: (said) => {
      if (said.includes('b.md')) end.abort();
      else if (said.includes('a.md')) void files.put('b.md', 'two');
    },
  });
  assert.deepEqual([(await followed).code, (await followed).json().at(-1)?.path], [0, 'b.md']);
});

test('put writes into a folder that is named with a slash or a dot', async () => {
  const { stoa } = await openShell();
  await using location = await makeFolder();
  const file = join(location.path, 'a.txt');
  await writeFile(file, 'text');
  const put = (...words: string[]) => stoa(`put ${words.join(' ')}`, 'text');
  assert.deepEqual(await outcome(put('docs/', file)), [0, 'docs/a.txt 1\n', '']);
  assert.deepEqual(await outcome(put('.', file)), [0, 'a.txt 1\n', '']);
  const nameless = await put('docs/', '-');
  assert.equal(nameless.code, 2);
  assert.match(
    nameless.stderr,
    /docs\/ is a folder, and the file to write has no name\.\n +Name it: docs\/notes\.md/,
  );
  assert.deepEqual(await outcome(stoa('ls')), [0, 'a.txt\ndocs/a.txt\n', '']);
});

test('paths in a linked folder are relative to the current directory', async () => {
  const { stoa, linkFolder } = await openShell();
  await using folder = await makeFolder();
  await linkFolder(folder.path);
  await mkdir(join(folder.path, 'docs'));
  await writeFile(join(folder.path, 'docs/plan.md'), '# Plan\n');
  const inDocs = (...words: string[]) => runStoa(words, { cwd: join(folder.path, 'docs') });
  assert.deepEqual(await outcome(inDocs('put', 'plan.md')), [0, 'docs/plan.md 1\n', '']);
  assert.deepEqual(await outcome(inDocs('cat', ':/docs/plan.md')), [0, '# Plan\n', '']);
  assert.deepEqual(await outcome(inDocs('cat', '../docs/plan.md')), [0, '# Plan\n', '']);
  assert.deepEqual(await outcome(inDocs('cat', join(folder.path, 'docs/plan.md'))), [0, '# Plan\n', '']);
  for (const path of ['../../x.md', '/etc/passwd', ':/../x', '../.stoa/config.json']) {
    assert.equal((await inDocs('cat', path)).code, 2, path);
  }
  const missing = await inDocs('cat', 'none.md');
  assert.deepEqual(
    [missing.code, /^stoa: There is no file docs\/none\.md\./.test(missing.stderr)],
    [1, true],
  );
  assert.equal((await stoa('cat docs/../../x')).code, 2);
  for (const [from, to, moved] of [
    ['plan.md', '..', 'plan.md'],
    ['../plan.md', '.', 'docs/plan.md'],
    ['plan.md', './../other/..', 'plan.md'],
    ['../plan.md', ':/docs/.', 'docs/plan.md'],
  ] as const) {
    assert.deepEqual(await outcome(inDocs('mv', from, to)), [0, `${moved} 1\n`, ''], `${from} to ${to}`);
  }
  const elsewhere = await runStoa(['-C', folder.path, 'ls'], {
    cwd: '/',
    env: { STOA_KEY: 'k', STOA_URL: 'x' },
  });
  assert.deepEqual([elsewhere.code, elsewhere.stdout], [0, 'docs/plan.md\n']);
});

test('ls escapes control characters in names', async () => {
  const { stoa, files } = await openShell();
  await files.put('evil \u202egpj.exe', 'x');
  assert.equal((await stoa('ls')).stdout, 'evil \\u{202E}gpj.exe\n');
  for (const [name] of oddNames) await files.put(`odd/${name}`, 'x');
  const odd = (await stoa('ls odd')).stdout;
  for (const [, shown] of oddNames) assert.ok(odd.split('\n').includes(`odd/${shown}`), `${shown} in ${odd}`);
  const { stdout } = await stoa('ls --json');
  assert.doesNotMatch(stdout, /\u202e/);
  assert.equal(JSON.parse(stdout).files[0].path, 'evil \u202egpj.exe');
});

test('ls globs match whole paths, and ls hides `.keep` files', async () => {
  const { stoa } = await openShell();
  for (const path of ['a.md', 'docs/b.md', 'docs/c.txt', 'empty/.keep']) await stoa(`put ${path}`, 'x');
  assert.equal((await stoa('ls --match **/*.md')).stdout, 'a.md\ndocs/b.md\n');
  assert.equal((await stoa('ls docs')).stdout, 'docs/b.md\ndocs/c.txt\n');
  assert.equal((await stoa('ls empty')).stdout, '');
  assert.equal((await stoa('ls empty --all')).stdout, 'empty/.keep\n');
});

async function outcome(run: ReturnType<typeof runStoa>) {
  const { code, stdout, stderr } = await run;
  return [code, stdout, stderr];
}
