import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { realPace } from '@stoa/client';
import { uploadAnswerMsMax, type WorkspacePath } from '@stoa/core';
import { recordOf, recordsAt, textAt } from '../../../tests/support/answer.ts';
import { createKey, signUp } from '../../../tests/support/people.ts';
import { useTarget } from '../../../tests/support/target.ts';
import { createWorkspace } from '../../../tests/support/workspace-client.ts';
import { lookAtWatches } from '../src/commands/examine-folder.ts';
import { readFolderConfig, writeFolderConfig } from '../src/config/folder-config.ts';
import { openFolder } from '../src/create-engine.ts';
import { runStoa } from './support/run-stoa.ts';
import { makeFolder } from './support/temporary-folder.ts';

const server = await useTarget();
const ada = await signUp(server);

/** A workspace, and folders linked to it as people link them where nobody can approve. */
async function openWorkspace(keyName = 'service-cli') {
  const workspace = await createWorkspace(ada, ada.session, 'Notes');
  const key = await createKey(ada, { workspaceId: workspace.id, name: keyName });
  const linkWords = ['--key-stdin', '--workspace', workspace.id];
  const run = (cwd: string, ...words: string[]) => runStoa(words, { cwd });
  return {
    files: workspace.as(key.client),
    run,
    put: (cwd: string, text: string, ...words: string[]) => runStoa(['put', ...words], { cwd, stdin: text }),
    async link(folder: string) {
      await mkdir(folder, { recursive: true });
      const linked = await runStoa(['link', server.url, ...linkWords], { cwd: folder, stdin: key.secret });
      assert.equal(linked.code, 0, linked.stderr);
      return (...words: string[]) => run(folder, ...words);
    },
    clone: (cwd: string, ...dir: string[]) =>
      runStoa(['clone', server.url, ...dir, ...linkWords], { cwd, stdin: key.secret }),
  };
}

test('two folders and a workspace become the same, and stay it', async (t) => {
  await using home = await makeFolder();
  const { link, clone, files } = await openWorkspace();
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
  // An upload ends where nothing moves, and not after some time: on a slow line a large file would never be sent.
  const limits = timers.mock.calls.map(({ arguments: [, ms] }) => ms ?? 0);
  assert.deepEqual(
    [limits.includes(uploadAnswerMsMax), limits.filter((ms) => ms > uploadAnswerMsMax)],
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
  assert.match(overFiles.stderr, /^stoa: .*Notes is not empty\.\n +Choose another place\. .*`stoa link`/);
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
  // The copies are the folder's, whatever the environment opens.
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

test('what sync removed here is in the trash, and comes back', async () => {
  await using home = await makeFolder();
  const { link, files } = await openWorkspace();
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

test('the trash keeps for as long as the configuration says', async () => {
  await using home = await makeFolder();
  const { link, files } = await openWorkspace();
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

test('a conflicted copy is settled though it and its file were renamed', async () => {
  await using home = await makeFolder();
  const { link, files } = await openWorkspace();
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

test('what no sync has seen yet is asked about before the link ends', async () => {
  await using home = await makeFolder();
  const { link } = await openWorkspace();
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

test('many deletes at once are held until somebody decides', async () => {
  await using home = await makeFolder();
  const { link, files } = await openWorkspace();
  const stoa = await link(join(home.path, 'a'));
  for (let i = 0; i < 6; i += 1) await writeFile(join(home.path, `a/${i}.md`), `${i}\n`);
  await stoa('sync');
  for (let i = 0; i < 6; i += 1) await rm(join(home.path, `a/${i}.md`));
  const held = await stoa('sync');
  assert.equal(held.code, 7, held.stdout);
  assert.match(held.stdout, /held {2}6 deletes on the server: 0\.md, 1\.md, 2\.md, …/);
  assert.match(held.stdout, /\nIn sync at change \d+, but for what is held: 0 up, 0 down\.\n$/);
  assert.equal((await stoa('sync', '--dry-run', '--undo-held')).code, 2);
  assert.match(
    (await stoa('sync', '--dry-run', '--max-deletes', '6')).stdout,
    /^held {2}6 deletes on the server/m,
  );
  const unlimited = await stoa('sync', '--dry-run', '--max-deletes', 'none');
  assert.match(
    unlimited.stdout,
    /^(?:would delete {2}\d\.md {2}on the server\n){6}6 steps\. Nothing was changed\.\n$/,
  );
  assert.equal((await files.get('0.md')).status, 200);
  assert.match((await stoa('status')).stdout, /\nSomething is held until you decide\.\n/);
  assert.match((await stoa('status', '--verbose')).stdout, /\nheld: deletes on the server\n/);
  assert.equal((await stoa('sync', '--undo-held')).code, 0);
  assert.equal(await readFile(join(home.path, 'a/0.md'), 'utf8'), '0\n');
  for (let i = 0; i < 6; i += 1) await rm(join(home.path, `a/${i}.md`));
  await stoa('sync');
  assert.equal((await stoa('sync', '--confirm')).code, 0);
  assert.equal((await files.get('0.md')).status, 404);
});

test('rules say what is left alone, and why', async () => {
  await using home = await makeFolder();
  const { link, files } = await openWorkspace();
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

test('a folder that cannot be synced says why, and doctor looks for it', async () => {
  await using home = await makeFolder();
  const { link, run } = await openWorkspace();
  const stoa = await link(join(home.path, 'a'));
  assert.match(
    (await stoa('doctor')).stdout,
    /^good {2}folder .*\ngood {2}lock .*\ngood {2}server .* opens Notes\ngood {2}state {4}nothing yet/m,
  );
  await stoa('sync');
  assert.equal((await stoa('doctor', '--resync')).code, 1);
  assert.equal((await stoa('doctor', '--resync', '--yes')).code, 0);
  assert.match((await stoa('status')).stdout, /Never synced/);
  assert.equal((await run(home.path, 'sync')).code, 3);
  assert.equal((await stoa('sync', '--confirm', '--undo-held')).code, 2);
});

test('a folder that another process works on is neither synced nor unlinked', async () => {
  await using home = await makeFolder();
  const { link } = await openWorkspace();
  const folder = join(home.path, 'a');
  const stoa = await link(folder);
  const other = await openFolder(folder);
  assert.ok(other !== null);
  try {
    assert.equal((await stoa('unlink')).code, 9);
    assert.equal((await stoa('sync', '--timeout', '0')).code, 9);
    assert.equal((await stoa('doctor', '--resync', '--yes', '--timeout', '0')).code, 9);
    assert.equal((await stoa('ignore', 'accept', '--timeout', '0')).code, 9);
  } finally {
    await other[Symbol.asyncDispose]();
  }
  assert.equal((await stoa('unlink')).code, 0);
});

test('what is asked for while a watch runs is done by the watch', async () => {
  await using home = await makeFolder();
  const { link, files } = await openWorkspace();
  const folder = join(home.path, 'a');
  const stoa = await link(folder);
  await files.put('a.md', 'one\n');
  await files.put('b.md', 'stays\n');
  await stoa('sync');
  await files.remove('a.md', 1);
  await stoa('sync');
  const ending = new AbortController();
  const started = Promise.withResolvers<void>();
  let isAway = false;
  let watched = '';
  const watching = runStoa(['watch', '--json'], {
    cwd: folder,
    signal: ending.signal,
    fetch: (...request) => (isAway ? Promise.resolve(new Response('', { status: 503 })) : fetch(...request)),
    heard: (said) => {
      watched = said;
      if (said.includes('"in_sync"')) started.resolve();
    },
  });
  try {
    await started.promise;
    const rows = recordsAt(recordOf((await stoa('trash', '--json')).json()[0]), 'trash');
    const id = textAt(recordOf(rows[0]), 'id');
    const restored = await stoa('trash', 'restore', id);
    assert.equal(restored.code, 0, restored.stderr);
    assert.equal(await readFile(join(folder, 'a.md'), 'utf8'), 'one\n');
    const taken = await stoa('trash', 'restore', id);
    assert.deepEqual([taken.code, /Nothing in the trash/.test(taken.stderr)], [1, true]);

    await files.put('c.md', 'new\n');
    const dry = await stoa('sync', '--dry-run', '--json');
    assert.equal(dry.code, 0, dry.stdout + dry.stderr);
    assert.ok(Array.isArray(dry.json()[0]?.planned));
    const joined = await stoa('doctor', '--resync', '--yes');
    assert.equal(joined.code, 0, joined.stdout + joined.stderr);
    assert.match(joined.stdout, /^The watch joined both sides anew\.\nIn sync at change \d+: /);
    assert.equal(await readFile(join(folder, 'b.md'), 'utf8'), 'stays\n');

    await files.remove('b.md', 1);
    assert.equal((await stoa('sync')).code, 0);
    await assert.rejects(readFile(join(folder, 'b.md')));
    assert.match(watched, /"event":"deleted","path":"b\.md",.*"side":"here"/);
    assert.match((await stoa('trash', 'empty', '--yes')).stdout, /Removed 1 file/);
    assert.equal((await stoa('trash')).stdout, '');

    isAway = true;
    const failed = await stoa('sync');
    assert.equal(failed.code, 5, failed.stdout + failed.stderr);
  } finally {
    ending.abort();
    await watching;
  }
});

test('a watch that begins while the server is away, or something else answers for it, goes on once it is back', async () => {
  await using home = await makeFolder();
  const { link, files } = await openWorkspace();
  const folder = join(home.path, 'a');
  await link(folder);
  await files.put('a.md', 'one\n');
  const ending = new AbortController();
  const instead = [
    () => new Response('', { status: 503 }),
    () => new Response('', { status: 302, headers: { Location: 'https://sign-in.example/' } }),
    () => new Response('<h1>Sign in to this network</h1>', { headers: { 'Content-Type': 'text/html' } }),
  ];
  const watched = await runStoa(['watch', '--json'], {
    cwd: folder,
    signal: ending.signal,
    pace: { ...realPace, sleep: (ms, signal) => realPace.sleep(ms === 5000 ? 0 : ms, signal) },
    fetch: (...request) => {
      const answer = instead.shift();
      return answer === undefined ? fetch(...request) : Promise.resolve(answer());
    },
    heard: (said) => {
      if (said.includes('"in_sync"')) ending.abort();
    },
  });
  assert.equal(watched.code, 0, watched.stdout + watched.stderr);
  assert.deepEqual(
    watched.json().map(({ event }) => event),
    ['offline', 'online', 'down', 'in_sync'],
  );
  assert.equal(await readFile(join(folder, 'a.md'), 'utf8'), 'one\n');
});

test('what is left out is told in words, and where to read more', async () => {
  await using home = await makeFolder();
  const { link, files } = await openWorkspace();
  const folder = join(home.path, 'a');
  const stoa = await link(folder);
  await writeFile(join(folder, 'a\\b.md'), 'one\n');
  await symlink('nowhere', join(folder, 'link'));
  // How far it has come it says every five seconds.
  const synced = await stoa('sync', '--no-progress');
  assert.equal(synced.code, 8, synced.stdout + synced.stderr);
  const summary = '1 name that no workspace takes, 1 symlink';
  assert.equal(synced.stderr, `Left out: ${summary}. Which: stoa status --verbose\n`);
  assert.ok((await stoa('status')).stdout.includes(`  2 left out             ${summary}    stoa status`));
  const lists = (await stoa('status', '--verbose')).stdout;
  assert.match(lists, /^ {2}a\\b\.md {2}name that no workspace takes \(.+\): rename it$/m);
  // One that the server has, and that cannot come here, is left out and nothing that is still to be done.
  await files.put('link', 'there\n');
  assert.equal((await stoa('sync')).code, 8);
  const [status] = (await stoa('status', '--json', '--exit-code')).json();
  assert.deepEqual([status?.state, status?.pending, status?.leftOut], ['in_sync', { up: 0, down: 0 }, 2]);
});

test('doctor says whether others can read the key, and with --fix takes that from them', async () => {
  await using home = await makeFolder();
  const { link } = await openWorkspace();
  const folder = join(home.path, 'a');
  const stoa = await link(folder);
  await chmod(join(folder, '.stoa'), 0o755);
  await chmod(join(folder, '.stoa/config.json'), 0o644);
  assert.equal((await stoa('sync')).code, 3);
  const ill = await stoa('doctor');
  assert.equal(ill.code, 1, ill.stdout + ill.stderr);
  assert.match(
    ill.stdout,
    /^bad {3}config {3}\.stoa and \.stoa\/config\.json can be read by other users .*\n +would take from other users/m,
  );
  const fixed = await stoa('doctor', '--fix');
  assert.equal(fixed.code, 0, fixed.stdout + fixed.stderr);
  assert.match(fixed.stdout, /^good {2}server .*^done {2}Other users .* revoke the key/ms);
  const modes = ['.stoa', '.stoa/config.json'].map(
    async (name) => (await stat(join(folder, name))).mode & 0o777,
  );
  assert.deepEqual(await Promise.all(modes), [0o700, 0o600]);
  await writeFile(join(folder, '.stoa/config.json'), '{');
  const broken = await stoa('doctor', '--json');
  assert.equal(broken.code, 1);
  assert.match(broken.stdout, /config\.json cannot be used: it is not JSON/);
});

test('doctor compares both sides, names what is left over, and with --fix clears it away', async () => {
  await using home = await makeFolder();
  const { link, files } = await openWorkspace();
  const folder = join(home.path, 'a');
  const stoa = await link(folder);
  await files.put('docs/a.md', 'one\n');
  await stoa('sync');
  const healthy = await stoa('doctor');
  assert.equal(healthy.code, 0, healthy.stdout);
  assert.match(healthy.stdout, /^good {2}feed {5}at change \d+, up to date$/m);
  assert.match(healthy.stdout, /^good {2}list {5}1 file as on the server$/m);
  assert.match(healthy.stdout, /^good {2}state {4}sound, 1 file$/m);

  await writeFile(join(folder, '.stoa/staging/0-1.part'), 'half');
  const opened = await openFolder(folder);
  assert.ok(opened !== null);
  await opened.store.commit([{ table: 'base', path: 'docs/a.md' as WorkspacePath, row: null }], 'durable');
  await opened[Symbol.asyncDispose]();
  const ill = await stoa('doctor');
  assert.equal(ill.code, 1, ill.stdout);
  assert.match(ill.stdout, /^bad {3}list {5}1 file differs on the server .*\n +would forget it;/m);
  assert.match(
    ill.stdout,
    /^bad {3}left {5}1 download begun .*\n +would remove 1 file from \.stoa\/staging$/m,
  );
  assert.match(ill.stderr, /stoa doctor --fix/);
  const staged = async () =>
    (await readdir(join(folder, '.stoa/staging'))).filter((name) => name.endsWith('.part'));
  assert.deepEqual(await staged(), ['0-1.part']);

  const fixed = await stoa('doctor', '--fix');
  assert.equal(fixed.code, 0, fixed.stdout + fixed.stderr);
  assert.match(fixed.stdout, /^done {2}Removed 1 file from \.stoa\/staging\.$/m);
  assert.deepEqual(await staged(), []);
  assert.equal((await stoa('sync')).code, 0);
  assert.equal((await stoa('doctor')).code, 0);
  assert.equal(await readFile(join(folder, 'docs/a.md'), 'utf8'), 'one\n');
});

test('doctor finds a server that went back in time, and a state that is damaged', async () => {
  await using home = await makeFolder();
  const { link, files } = await openWorkspace();
  const folder = join(home.path, 'a');
  const stoa = await link(folder);
  await files.put('a.md', 'one\n');
  await stoa('sync');
  const opened = await openFolder(folder);
  assert.ok(opened !== null);
  await opened.store.commit([{ table: 'meta', values: { cursor: 9_000_000 } }], 'durable');
  await opened[Symbol.asyncDispose]();
  const back = await stoa('doctor');
  assert.equal(back.code, 1);
  assert.match(
    back.stdout,
    /^bad {3}feed {5}this folder knows change 9000000, .* from a backup\n +would forget it/m,
  );

  await writeFile(
    join(folder, '.stoa/state.db'),
    'not a database at all, whatever its name says'.repeat(100),
  );
  const damaged = await stoa('doctor', '--json');
  assert.equal(damaged.code, 1, damaged.stdout + damaged.stderr);
  assert.match(damaged.stdout, /what is known of this folder is damaged/);
  const fixed = await stoa('doctor', '--fix');
  assert.equal(fixed.code, 0, fixed.stdout + fixed.stderr);
  assert.match(fixed.stdout, /^done {2}It is now .*state\.db\.broken-1\./m);
  assert.equal((await stoa('sync')).code, 0);
  assert.equal(await readFile(join(folder, 'a.md'), 'utf8'), 'one\n');
});

test('doctor says with which command the system watches more folders', () => {
  assert.deepEqual(lookAtWatches(10, null), []);
  assert.equal(lookAtWatches(10, 12)[0]?.isGood, true);
  const [short] = lookAtWatches(11, 12);
  assert.equal(short?.isGood, false);
  assert.match(short?.detail ?? '', /13 of 12 .* sudo sysctl fs\.inotify\.max_user_watches=\d+$/);
});

test('status says whether somebody works on what is still to be done, and whether the server refuses or is away', async () => {
  await using home = await makeFolder();
  const { link, files } = await openWorkspace();
  const folder = join(home.path, 'a');
  const stoa = await link(folder);
  await stoa('sync');
  const state = async () => (await stoa('status', '--json')).json()[0]?.state;
  assert.equal(await state(), 'in_sync');
  await files.put('a.md', 'one\n');
  assert.equal(await state(), 'behind');
  const other = await openFolder(folder);
  assert.ok(other !== null);
  try {
    assert.equal(await state(), 'working');
    assert.match((await stoa('status')).stdout, /^Working: synced to change \d+ of \d+/m);
  } finally {
    await other[Symbol.asyncDispose]();
  }
  await stoa('sync');
  assert.equal(await state(), 'in_sync');

  const answers: [status: number, message: string, state: string, code: number][] = [
    [401, 'Invalid API key', 'stopped', 4],
    [403, 'Not a workspace member', 'stopped', 4],
    [404, 'Workspace not found', 'stopped', 4],
    [502, 'Bad gateway', 'offline', 5],
    [503, 'Too busy', 'offline', 5],
  ];
  for (const [status, message, stands, code] of answers) {
    const fetch = async () => Response.json({ statusCode: status, message }, { status });
    const asked = await runStoa(['status', '--json'], { cwd: folder, fetch });
    assert.equal(asked.json()[0]?.state, stands, message);
    const synced = await runStoa(['sync', '--timeout', '0'], { cwd: folder, fetch });
    assert.equal(synced.code, code, synced.stdout + synced.stderr);
    assert.ok(synced.stderr.includes(message), synced.stderr);
  }
  assert.equal(await state(), 'in_sync');
  assert.equal(await readFile(join(folder, 'a.md'), 'utf8'), 'one\n');
});

test('a version that is named is the one that this folder knows, not another file with its number', async () => {
  await using home = await makeFolder();
  const { link, files, put } = await openWorkspace();
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

test('a copy that is named here has the name of the key, as the server would name it', async () => {
  await using home = await makeFolder();
  const { link, files } = await openWorkspace('ada-laptop');
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

test('paths are completed from what the folder knows, without the server', async (context) => {
  await using home = await makeFolder();
  const { link } = await openWorkspace();
  const folder = join(home.path, 'a');
  const stoa = await link(folder);
  const names = ['plan.md', 'plants.md', 'other.md', 'plan $(id).md', 'plan\u202egnp.md'];
  await mkdir(join(folder, 'docs'));
  for (const name of names) await writeFile(join(folder, 'docs', name), name);
  await stoa('sync');
  // The library prints by itself.
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
