import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { uploadResponseMsMax } from '@stoa/core';
import { recordOf, recordsAt, textAt } from '../../../tests/support/response.ts';
import { readFolderConfig, writeFolderConfig } from '../src/config/folder-config.ts';
import { openFolder } from '../src/create-engine.ts';
import { openLinkedWorkspace, server } from './support/linked-workspace.ts';
import { runStoa } from './support/run-stoa.ts';
import { makeFolder } from './support/temporary-folder.ts';

test('two folders and a workspace converge and stay in sync', async (t) => {
  await using home = await makeFolder();
  const { link, clone, files } = await openLinkedWorkspace();
  const a = join(home.path, 'a');
  const inA = await link(a);
  await mkdir(join(a, 'docs'));
  await writeFile(join(a, 'docs/plan.md'), '# Plan\n');
  await files.put('there.md', 'there\n');
  assert.match((await inA('status')).stdout, /^Notes · http.*\nNever synced: run `stoa sync`\.\n$/);
  const dry = await inA('sync', '--dry-run');
  assert.equal(
    dry.stdout,
    'would fetch  there.md  v1\nwould send  docs/plan.md  new\n2 steps. Nothing was changed.\n',
  );
  const planned = recordsAt(recordOf((await inA('sync', '--dry-run', '--json')).json()[0]), 'planned');
  assert.deepEqual(
    planned.map(({ action, path, side }) => [action, path, side]),
    [
      ['fetch', 'there.md', 'here'],
      ['send', 'docs/plan.md', 'there'],
    ],
  );
  assert.equal((await files.get('docs/plan.md')).status, 404);

  const timers = t.mock.method(globalThis, 'setTimeout');
  const first = await inA('sync');
  assert.equal(first.code, 0, first.stderr);
  // An upload has an idle timeout but no total one. With a total one, a slow line could never send a large file.
  const limits = timers.mock.calls.map(({ arguments: [, ms] }) => ms ?? 0);
  assert.deepEqual(
    [limits.includes(uploadResponseMsMax), limits.filter((ms) => ms > uploadResponseMsMax)],
    [true, []],
  );
  timers.mock.restore();
  assert.match(first.stdout, /^↑ docs\/plan\.md {2}v1$/m);
  assert.match(first.stdout, /^↓ there\.md {2}v1$/m);
  assert.match(first.stdout, /In sync at change \d+: 1 up, 1 down\.\n$/);
  const again = (await inA('sync', '--json')).json();
  assert.equal(again.length, 1);
  assert.deepEqual([again[0]?.up, again[0]?.down, again[0]?.inSync], [0, 0, true]);
  assert.equal((await inA('status', '--exit-code')).code, 0);

  const cloned = await clone(home.path);
  assert.equal(cloned.code, 0, cloned.stderr);
  const b = join(home.path, 'Notes');
  assert.deepEqual((await readdir(b)).toSorted(), ['.stoa', 'docs', 'there.md']);
  assert.equal(await readFile(join(b, 'docs/plan.md'), 'utf8'), '# Plan\n');
  const overFiles = await clone(home.path, 'Notes');
  assert.deepEqual([overFiles.code, overFiles.stdout], [2, '']);
  assert.match(overFiles.stderr, /^stoa: .*Notes is not empty\.\n +Choose another folder\. .*`stoa link`/);
  assert.equal((await clone(home.path, '-C', 'named')).code, 0);
  assert.deepEqual(await readdir(join(home.path, 'named')), await readdir(b));

  await files.put('there.md', 'changed\n', { ifMatch: 1 });
  assert.equal((await inA('status', '--exit-code')).code, 1);
  await writeFile(join(a, 'there.md'), 'mine\n');
  const lost = await inA('sync');
  assert.equal(lost.code, 6, lost.stdout + lost.stderr);
  assert.match(
    lost.stdout,
    /^! there\.md {2}changed on both sides: yours is there \(conflicted copy .*\)\.md$/m,
  );

  const listed = (await inA('conflicts', '--json')).json()[0]?.conflicts;
  assert.ok(Array.isArray(listed) && listed.length === 1);
  const copy = String(listed[0].path);
  // The copies of the folder are listed even if the environment names another workspace.
  const env = { STOA_URL: server.url, STOA_KEY: 'stoa_of_another_workspace' };
  assert.deepEqual((await runStoa(['conflicts', '--json'], { cwd: a, env })).json()[0]?.conflicts, listed);
  const shown = await inA('conflicts', 'show', `:/${copy}`);
  assert.match(
    shown.stdout,
    /^--- there\.md\n\+\+\+ there \(conflicted copy .*\n@@ -1,1 \+1,1 @@\n-changed\n\+mine\n$/,
  );
  assert.equal((await inA('conflicts', 'keep', `:/${copy}`)).code, 2);
  assert.match(
    (await inA('conflicts', 'keep', `:/${copy}`, '--mine')).stdout,
    /^there\.md 3; the copy is gone/,
  );
  const settled = await inA('sync');
  assert.equal(settled.code, 0, settled.stdout + settled.stderr);
  assert.equal(await readFile(join(a, 'there.md'), 'utf8'), 'mine\n');
  assert.deepEqual((await inA('conflicts')).stdout, '');
  assert.match(
    (await inA('log', '-n', '100')).stdout,
    /conflict +there\.md {2}5 B {2}kept as there \(conflicted copy .*\)\.md$/m,
  );
});

test('trash restore brings back a file that sync deleted locally', async () => {
  await using home = await makeFolder();
  const { link, files } = await openLinkedWorkspace();
  const stoa = await link(join(home.path, 'a'));
  await files.put('a.md', 'one\n');
  await files.put('b.md', 'stays\n');
  await stoa('sync');
  await files.remove('a.md', 1);
  const removed = await stoa('sync');
  assert.match(removed.stdout, /× a\.md {2}deleted here: it is in the trash/);
  const [listed] = (await stoa('trash', '--json')).json();
  const row = recordsAt(recordOf(listed), 'trash')[0];
  assert.equal(row?.path, 'a.md');
  const id = textAt(recordOf(row), 'id');
  assert.ok((await stoa('trash')).stdout.startsWith(`${id.slice(0, 8)}  `));
  assert.match((await stoa('trash', 'restore', id)).stdout, /a\.md is back/);
  assert.equal(await readFile(join(home.path, 'a/a.md'), 'utf8'), 'one\n');
  assert.equal((await stoa('sync')).code, 0);
  assert.equal((await files.get('a.md')).bytes.toString(), 'one\n');
  await files.remove('a.md', 1);
  const gone = await stoa('sync');
  assert.match(gone.stdout, /deleted here/, gone.stderr);
  assert.match((await stoa('trash', 'empty')).stderr, /no terminal to ask/);
  assert.match((await stoa('trash', 'empty', '--yes')).stdout, /Removed 1 file/);
  assert.equal((await stoa('trash')).stdout, '');
});

test('the trash keeps files for the configured days', async () => {
  await using home = await makeFolder();
  const { link, files } = await openLinkedWorkspace();
  const folder = join(home.path, 'a');
  const stoa = await link(folder);
  const { fields } = await readFolderConfig(folder);
  await writeFolderConfig(folder, { ...fields, trash_days: 3 });
  await files.put('a.md', 'one\n');
  await stoa('sync');
  await files.remove('a.md', 1);
  await stoa('sync');
  const opened = await openFolder(folder);
  assert.ok(opened !== null);
  const [row] = await opened.store.listTrash(1);
  assert.ok(row !== undefined);
  const at = row.at - 4 * 24 * 3600_000;
  await opened.store.commit([{ table: 'trash', id: row.id, row: { ...row, at } }], 'durable');
  await opened[Symbol.asyncDispose]();
  await stoa('sync');
  assert.equal((await stoa('trash')).stdout, '');
});

test('conflicts keep resolves a copy after it and its file were renamed', async () => {
  await using home = await makeFolder();
  const { link, files } = await openLinkedWorkspace();
  const folder = join(home.path, 'a');
  const stoa = await link(folder);
  await writeFile(join(folder, 'a.bin'), Uint8Array.of(255));
  await stoa('sync');
  await files.put('a.bin', Uint8Array.of(255, 2, 2), { ifMatch: 1 });
  await writeFile(join(folder, 'a.bin'), Uint8Array.of(255, 3, 3, 3));
  assert.equal((await stoa('sync')).code, 6);
  const [copy = ''] = (await readdir(folder)).filter((name) => name.includes('conflicted copy'));
  const shown = await stoa('conflicts', 'show', copy);
  assert.match(
    shown.stdout,
    /^a\.bin {2}3 B {2}[0-9a-f]{64}\na \(conflicted copy .*\)\.bin {2}4 B {2}[0-9a-f]{64}\n$/,
  );
  const facts = recordOf((await stoa('conflicts', 'show', copy, '--json')).json()[0]);
  assert.deepEqual([facts.size, facts.ofSize], [4, 3]);

  await rename(join(folder, copy), join(folder, 'mine.bin'));
  await rename(join(folder, 'a.bin'), join(folder, 'b.bin'));
  assert.equal((await stoa('sync')).code, 0);
  const [listed] = recordsAt(recordOf((await stoa('conflicts', '--json')).json()[0]), 'conflicts');
  assert.deepEqual(listed, { path: 'mine.bin', of: 'b.bin', size: 4, ofSize: 3, writer: '', at: null });
  assert.equal((await stoa('rm', 'b.bin')).code, 0);
  const kept = await stoa('conflicts', 'keep', 'mine.bin', '--mine');
  assert.match(kept.stdout, /^b\.bin \d+; the copy is gone\.\n$/, kept.stderr);
  assert.deepEqual([...(await files.get('b.bin')).bytes], [255, 3, 3, 3]);
  assert.equal((await files.get('mine.bin')).status, 404);
});

test('unlink asks for confirmation when changes were never synced', async () => {
  await using home = await makeFolder();
  const { link } = await openLinkedWorkspace();
  const folder = join(home.path, 'a');
  const stoa = await link(folder);
  for (const name of ['edited.md', 'gone.md', 'touched.md']) await writeFile(join(folder, name), name);
  await stoa('sync');
  await writeFile(join(folder, 'touched.md'), 'touched.md');
  assert.equal((await stoa('unlink')).code, 0);

  const again = await link(folder);
  await again('sync');
  await writeFile(join(folder, 'edited.md'), 'edited');
  await writeFile(join(folder, 'new.md'), 'new');
  await rm(join(folder, 'gone.md'));
  const asked = await again('unlink');
  assert.equal(asked.code, 1);
  assert.match(asked.stderr, /3 changes were not sent\. End the link all the same\?/);
  assert.equal((await again('status')).code, 0);
  assert.equal((await again('unlink', '--yes')).code, 0);
  assert.equal(await readFile(join(folder, 'edited.md'), 'utf8'), 'edited');
});

test('bulk deletes wait for confirmation', async () => {
  await using home = await makeFolder();
  const { link, files } = await openLinkedWorkspace();
  const stoa = await link(join(home.path, 'a'));
  for (let i = 0; i < 6; i += 1) await writeFile(join(home.path, `a/${i}.md`), `${i}\n`);
  await stoa('sync');
  for (let i = 0; i < 6; i += 1) await rm(join(home.path, `a/${i}.md`));
  const pending = await stoa('sync');
  assert.equal(pending.code, 7, pending.stdout);
  assert.match(pending.stdout, /held {2}6 deletes on the server: 0\.md, 1\.md, 2\.md, …/);
  assert.match(
    pending.stdout,
    /\nIn sync at change \d+, except for changes that wait for confirmation: 0 up, 0 down\.\n$/,
  );
  assert.equal((await stoa('sync', '--dry-run', '--undo-held')).code, 2);
  assert.match(
    (await stoa('sync', '--dry-run', '--max-changes', '6')).stdout,
    /^held {2}6 deletes on the server/m,
  );
  for (const letThrough of [['--max-changes', 'none'], ['--max-deletes', 'none'], ['--confirm']]) {
    assert.match(
      (await stoa('sync', '--dry-run', ...letThrough)).stdout,
      /^(?:would delete {2}\d\.md {2}on the server\n){6}6 steps\. Nothing was changed\.\n$/,
    );
  }
  assert.equal((await files.get('0.md')).status, 200);
  assert.match((await stoa('status')).stdout, /\nChanges wait for your confirmation\.\n/);
  assert.match((await stoa('status', '--verbose')).stdout, /\nheld: deletes on the server\n/);
  assert.equal((await stoa('sync', '--undo-held')).code, 0);
  assert.equal(await readFile(join(home.path, 'a/0.md'), 'utf8'), '0\n');
  for (let i = 0; i < 6; i += 1) await rm(join(home.path, `a/${i}.md`));
  await stoa('sync');
  assert.equal((await stoa('sync', '--confirm')).code, 0);
  assert.equal((await files.get('0.md')).status, 404);
});

test('ignore rules exclude files and name the rule that applies', async () => {
  await using home = await makeFolder();
  const { link, files } = await openLinkedWorkspace();
  const stoa = await link(join(home.path, 'a'));
  await stoa('ignore', 'add', '*.tmp');
  await stoa('ignore', 'add', 'secret/', '--private');
  const rules = (await stoa('ignore')).stdout;
  assert.match(rules, /^built in {6}\.DS_Store\n/);
  assert.match(rules, /\nbuilt in {6}__pycache__\/\n\.stoaignore {3}\*\.tmp\n\.stoa\/ignore {2}secret\/\n$/);
  assert.equal((await stoa('ignore', 'why', 'a.tmp')).stdout, 'a.tmp is ignored by *.tmp (.stoaignore).\n');
  assert.equal((await stoa('ignore', 'why', 'a.md')).stdout, 'a.md is not ignored.\n');
  const never = 'docs/.git/config is never synced, whatever the rules say.\n';
  assert.equal((await stoa('ignore', 'why', 'docs/.git/config')).stdout, never);
  await mkdir(join(home.path, 'a/secret'));
  for (const name of ['a.tmp', 'a.md', 'secret/b.md']) await writeFile(join(home.path, 'a', name), name);
  assert.equal((await stoa('sync')).code, 0);
  assert.deepEqual(
    [
      (await files.get('a.md')).status,
      (await files.get('a.tmp')).status,
      (await files.get('secret/b.md')).status,
    ],
    [200, 404, 404],
  );
});

test('sync summarises skipped files and names the command that lists them', async () => {
  await using home = await makeFolder();
  const { link, files } = await openLinkedWorkspace();
  const folder = join(home.path, 'a');
  const stoa = await link(folder);
  await writeFile(join(folder, 'a\\b.md'), 'one\n');
  await symlink('nowhere', join(folder, 'link'));
  // Without this option, sync reports its progress every five seconds.
  const synced = await stoa('sync', '--no-progress');
  assert.equal(synced.code, 8, synced.stdout + synced.stderr);
  const summary = '1 name that no workspace takes, 1 symlink';
  assert.equal(synced.stderr, `Not synced: ${summary}. List them: stoa status --verbose\n`);
  assert.ok((await stoa('status')).stdout.includes(`  2 left out             ${summary}    stoa status`));
  const lists = (await stoa('status', '--verbose')).stdout;
  assert.match(lists, /^ {2}a\\b\.md {2}name that no workspace takes \(.+\): rename it$/m);
  // A file on the server that cannot be written locally counts as skipped, not as pending.
  await files.put('link', 'there\n');
  assert.equal((await stoa('sync')).code, 8);
  const [status] = (await stoa('status', '--json', '--exit-code')).json();
  assert.deepEqual([status?.state, status?.pending, status?.leftOut], ['in_sync', { up: 0, down: 0 }, 2]);
});

test('put --base means the version that the folder knows, not another file with its number', async () => {
  await using home = await makeFolder();
  const { link, files, put } = await openLinkedWorkspace();
  const folder = join(home.path, 'a');
  const stoa = await link(folder);
  await files.put('a.md', 'one\n');
  await stoa('sync');
  await files.remove('a.md', 1);
  await files.put('a.md', 'another file\n');
  const lost = await put(folder, 'mine\n', 'a.md', '-', '--base', '1');
  assert.equal(lost.code, 6, lost.stdout + lost.stderr);
  assert.equal((await files.get('a.md')).bytes.toString(), 'another file\n');
});

test('a conflicted copy that is made locally contains the key name, as on the server', async () => {
  await using home = await makeFolder();
  const { link, files } = await openLinkedWorkspace('ada-laptop');
  const folder = join(home.path, 'a');
  const stoa = await link(folder);
  await writeFile(join(folder, 'first.md'), 'first\n');
  await stoa('sync');
  await files.put('notes', 'a file\n');
  await mkdir(join(folder, 'notes'));
  await writeFile(join(folder, 'notes/a.md'), 'one\n');
  await stoa('sync');
  const names = await readdir(folder);
  assert.ok(
    names.some((name) => /^notes \(conflicted copy [\d-]+ \d+ ada-laptop\)$/.test(name)),
    names.join(', '),
  );
});

test('paths are completed from the local state, without the server', async (context) => {
  await using home = await makeFolder();
  const { link } = await openLinkedWorkspace();
  const folder = join(home.path, 'a');
  const stoa = await link(folder);
  const names = ['plan.md', 'plants.md', 'other.md', 'plan $(id).md', 'plan\u202egnp.md'];
  await mkdir(join(folder, 'docs'));
  for (const name of names) await writeFile(join(folder, 'docs', name), name);
  await stoa('sync');
  // The library prints with `console.log`.
  const log = context.mock.method(console, 'log', () => {});
  const offered = async (cwd: string, ...words: string[]) => {
    log.mock.resetCalls();
    const fetch = () => Promise.reject(new Error('the server was asked'));
    assert.equal((await runStoa(['complete', '--', ...words], { cwd, fetch })).code, 0);
    return log.mock.calls.map(({ arguments: [text] }) => String(text).split('\t')[0]).slice(0, -1);
  };
  assert.deepEqual(await offered(folder, 'cat', 'docs/pl'), ['docs/plan.md', 'docs/plants.md']);
  assert.deepEqual(await offered(join(folder, 'docs'), 'rm', 'o'), ['other.md']);
  assert.deepEqual(await offered(join(folder, 'docs'), 'mv', ':/docs/o'), [':/docs/other.md']);
  assert.deepEqual(await offered(join(folder, 'docs'), 'cat', '../docs/o'), ['../docs/other.md']);
  assert.deepEqual(await offered(home.path, 'cat', 'docs/pl'), []);
  for (const flag of [['-C', 'a'], ['--dir', 'a'], ['--dir=a'], ['-Ca'], ['-C', folder]]) {
    assert.deepEqual(await offered('/', '-C', 'nowhere', 'cat', 'docs/pl'), []);
    assert.deepEqual(await offered(home.path, ...flag, 'cat', 'a/docs/pl'), [
      'a/docs/plan.md',
      'a/docs/plants.md',
    ]);
    assert.deepEqual(await offered(home.path, 'cat', ...flag, ':/docs/o'), [':/docs/other.md']);
    assert.deepEqual((await offered(home.path, ...flag, 'rm', ''))[0], ':/docs/other.md');
  }
});
