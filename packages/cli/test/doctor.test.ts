import assert from 'node:assert/strict';
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { WorkspacePath } from '@stoa/core';
import { lookAtWatches } from '../src/commands/examine-folder.ts';
import { openFolder } from '../src/create-engine.ts';
import { openLinkedWorkspace } from './support/linked-workspace.ts';
import { makeFolder } from './support/temporary-folder.ts';

test('a folder that cannot be synced reports why, and doctor finds it', async () => {
  await using home = await makeFolder();
  const { link, run } = await openLinkedWorkspace();
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

test('doctor reports a key that others can read, and --fix removes their access', async () => {
  await using home = await makeFolder();
  const { link } = await openLinkedWorkspace();
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

test('doctor compares both sides and names left-over files, and --fix removes them', async () => {
  await using home = await makeFolder();
  const { link, files } = await openLinkedWorkspace();
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
  assert.match(ill.stdout, /^bad {3}list {5}1 file differs on the server .*\n +would discard it;/m);
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

test('doctor finds a server that went back in time and a damaged state', async () => {
  await using home = await makeFolder();
  const { link, files } = await openLinkedWorkspace();
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
    /^bad {3}feed {5}this folder knows change 9000000, .* from a backup\n +would discard it/m,
  );

  await writeFile(
    join(folder, '.stoa/state.db'),
    'not a database at all, whatever its name says'.repeat(100),
  );
  const damaged = await stoa('doctor', '--json');
  assert.equal(damaged.code, 1, damaged.stdout + damaged.stderr);
  assert.match(damaged.stdout, /the sync state of this folder is damaged/);
  const fixed = await stoa('doctor', '--fix');
  assert.equal(fixed.code, 0, fixed.stdout + fixed.stderr);
  assert.match(fixed.stdout, /^done {2}It is now .*state\.db\.broken-1\./m);
  assert.equal((await stoa('sync')).code, 0);
  assert.equal(await readFile(join(folder, 'a.md'), 'utf8'), 'one\n');
});

test('doctor names the command that raises the limit of watched folders', () => {
  assert.deepEqual(lookAtWatches(10, null), []);
  assert.equal(lookAtWatches(10, 12)[0]?.isGood, true);
  const [short] = lookAtWatches(11, 12);
  assert.equal(short?.isGood, false);
  assert.match(short?.detail ?? '', /13 of 12 .* sudo sysctl fs\.inotify\.max_user_watches=\d+$/);
});
