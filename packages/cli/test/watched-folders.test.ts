import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { realPace } from '@stoa/client';
import { parseWorkspacePath } from '@stoa/core';
import { recordOf, recordsAt, textAt } from '../../../tests/support/response.ts';
import { openFolder } from '../src/create-engine.ts';
import { openLinkedWorkspace } from './support/linked-workspace.ts';
import { runStoa } from './support/run-stoa.ts';
import { makeFolder } from './support/temporary-folder.ts';

test('sync and unlink fail while another process works on the folder', async () => {
  await using home = await makeFolder();
  const { link } = await openLinkedWorkspace();
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

test('a running watch serves the commands of other processes', async () => {
  await using home = await makeFolder();
  const { link, files } = await openLinkedWorkspace();
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
    assert.match(joined.stdout, /^The watch joined both sides again\.\nIn sync at change \d+: /);
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

test('a watch that starts while the server is offline or behind a portal syncs once it is back', async () => {
  await using home = await makeFolder();
  const { link, files } = await openLinkedWorkspace();
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
      const response = instead.shift();
      return response === undefined ? fetch(...request) : Promise.resolve(response());
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

test('status reports a working process, pending changes, a rejected key and an offline server', async () => {
  await using home = await makeFolder();
  const { link, files } = await openLinkedWorkspace();
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

  const kept = await openFolder(folder);
  assert.ok(kept !== null);
  const path = parseWorkspacePath('log.txt');
  const row = { path, reason: 'changing', detail: null, since: 0, retryAt: 1 } as const;
  await kept.store.commit([{ table: 'left_out', path, row }], 'durable');
  await kept[Symbol.asyncDispose]();
  assert.equal(await state(), 'behind', 'a file that keeps changing is not in sync');
  await stoa('sync');

  const responses: [status: number, message: string, state: string, code: number][] = [
    [401, 'Invalid API key', 'stopped', 4],
    [403, 'Not a workspace member', 'stopped', 4],
    [404, 'Workspace not found', 'stopped', 4],
    [502, 'Bad gateway', 'offline', 5],
    [503, 'Too busy', 'offline', 5],
  ];
  for (const [status, message, stands, code] of responses) {
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
