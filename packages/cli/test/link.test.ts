import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { freshAddress } from '../../../tests/support/device-flow.ts';
import { createKey, signUp } from '../../../tests/support/people.ts';
import { jsonOf, recordOf, textAt } from '../../../tests/support/response.ts';
import { startService } from '../../../tests/support/service-process.ts';
import { useOwnService, useTarget } from '../../../tests/support/target.ts';
import { createWorkspace } from '../../../tests/support/workspace-client.ts';
import { readFolderConfig, writeFolderConfig } from '../src/config/folder-config.ts';
import type { Pace } from '../src/output/host.ts';
import { type RunOptions, runStoa } from './support/run-stoa.ts';
import { makeFolder } from './support/temporary-folder.ts';

const server = await useTarget();
const ada = await signUp(server);
const workspace = await createWorkspace(ada, ada.session, 'Notes');

/** Sends each device's requests from its own address, because the server limits codes per address. */
function fromFreshAddress(): typeof globalThis.fetch {
  const address = freshAddress();
  return (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('x-forwarded-for', address);
    return fetch(input, { ...init, headers });
  };
}

/** Runs the link command while a user decides on the approval page. */
async function link(
  words: readonly string[],
  decide: (userCode: string) => Promise<void>,
  options: Omit<RunOptions, 'pace'>,
) {
  const decided = Promise.withResolvers<void>();
  let isAsked = false;
  const pace: Pace = { now: () => 0, sleep: () => decided.promise };
  return runStoa(words, {
    ...options,
    pace,
    fetch: fromFreshAddress(),
    heard: (said) => {
      const code = /\b[A-Z0-9]{4}-[A-Z0-9]{4}\b/.exec(said)?.[0];
      if (code === undefined || isAsked) return;
      isAsked = true;
      decide(code).then(decided.resolve, decided.reject);
    },
  });
}

async function approve(userCode: string): Promise<void> {
  const seen = await ada.session.send('POST', '/api/device/lookup', { json: { userCode } });
  assert.match(textAt(jsonOf(seen), 'userAgent'), /^stoa\/\d+\.\d+\.\d+ \(ada-laptop; linux\)$/);
  const json = { userCode, workspaceId: workspace.id };
  assert.equal((await ada.session.send('POST', '/api/device/approve', { json })).status, 200);
}

test('one command and one approval link a folder and give access to its files', async () => {
  await using folder = await makeFolder();
  await writeFile(join(folder.path, 'own.md'), 'own\n');
  const run = { cwd: folder.path, home: join(folder.path, '..') };
  const linked = await link(['link', server.url], approve, run);
  assert.equal(linked.code, 0, linked.stderr);
  assert.match(
    linked.stdout,
    /^To link ~\/stoa-cli-\w+, open\n {4}http\S+\/link\?code=\S+\nand check that it shows {2}\S{9}\nLinked ~\/\S+ to Notes at http/,
  );
  assert.match(linked.stderr, /Waiting for approval, up to 10 minutes …\nIt holds 1 file, 4 B in all/);
  const config = await readFolderConfig(folder.path);
  assert.equal(config.workspaceId, workspace.id);
  assert.doesNotMatch(JSON.stringify(linked), new RegExp(config.apiKey.reveal()));
  await workspace.put('plan.md', '# Plan\n');
  assert.equal((await runStoa(['cat', 'plan.md'], { cwd: folder.path })).stdout, '# Plan\n');

  await writeFolderConfig(folder.path, { ...config.fields, merge: 'clean' });
  await mkdir(join(folder.path, '.stoa/trash/2026-11-20'), { recursive: true });
  const again = await link(['login', server.url, '--json'], approve, run);
  const [code, done] = again.json();
  assert.deepEqual(Object.keys(code ?? {}), [
    'schemaVersion',
    'event',
    'verification_uri_complete',
    'user_code',
    'expires_in',
  ]);
  assert.deepEqual(done, {
    schemaVersion: 1,
    event: 'linked',
    folder: folder.path,
    workspaceId: workspace.id,
    workspaceName: 'Notes',
    server: server.url,
  });
  const renewed = await readFolderConfig(folder.path);
  assert.notEqual(renewed.apiKey.reveal(), config.apiKey.reveal());
  assert.equal(renewed.merge, 'clean');

  const ended = await runStoa(['unlink'], run);
  assert.match(ended.stderr, /key still works until you revoke it/);
  assert.deepEqual(await readdir(join(folder.path, '.stoa')), ['.gitignore', 'trash']);
  assert.equal((await runStoa(['unlink'], run)).code, 3);
  assert.equal(await readFile(join(folder.path, 'own.md'), 'utf8'), 'own\n');
});

test('link keeps polling when the server restarts before the approval', async () => {
  await using folder = await makeFolder();
  const { service: first, client } = await useOwnService({ STOA_TRUST_PROXY: 'loopback' });
  const grace = await signUp(client);
  const notes = await createWorkspace(grace, grace.session, 'Notes');
  let code = '';
  await using second = new AsyncDisposableStack();
  let polls = 0;
  const pace: Pace = {
    now: () => 0,
    // Called before each poll.
    async sleep() {
      polls += 1;
      if (polls === 1) await first.end('SIGKILL');
      if (polls !== 3) return;
      const { home, port } = first;
      second.use(await startService({ STOA_TRUST_PROXY: 'loopback' }, { home, port }));
      const json = { userCode: code, workspaceId: notes.id };
      assert.equal((await grace.session.send('POST', '/api/device/approve', { json })).status, 200);
    },
  };
  const linked = await runStoa(['link', first.url], {
    cwd: folder.path,
    pace,
    heard: (said) => {
      code = /\b[A-Z0-9]{4}-[A-Z0-9]{4}\b/.exec(said)?.[0] ?? code;
    },
  });
  assert.equal(linked.code, 0, linked.stderr);
  assert.equal(polls, 3);
  assert.equal((await readFolderConfig(folder.path)).workspaceId, notes.id);
});

test('a denied link leaves no file behind', async () => {
  await using folder = await makeFolder();
  const deny = async (userCode: string) => {
    await ada.session.send('POST', '/api/device/deny', { json: { userCode } });
  };
  const denied = await link(['link', server.url, 'Notes'], deny, { cwd: folder.path });
  assert.equal(denied.code, 4, denied.stdout + denied.stderr);
  assert.match(denied.stderr, /The link was denied in the app\.\n +Run `stoa link` again/);
  assert.deepEqual(await readdir(folder.path), []);
});

test('a folder is linked with a key from standard input', async () => {
  await using folder = await makeFolder();
  const key = await createKey(ada, { workspaceId: workspace.id });
  const words = ['link', server.url, 'a/b', '--key-stdin', '--workspace', workspace.id];
  const linked = await runStoa(words, { cwd: folder.path, stdin: `${key.secret}\n` });
  assert.equal(linked.code, 0, linked.stderr);
  const config = await readFolderConfig(join(folder.path, 'a/b'));
  assert.deepEqual([config.apiKey.reveal(), config.apiKeyId], [key.secret, null]);
  assert.doesNotMatch(JSON.stringify(linked), new RegExp(key.secret));
  const bad = await runStoa(words, { cwd: join(folder.path, 'a'), stdin: 'stoa_none' });
  assert.equal(bad.code, 4);
  assert.deepEqual(await readdir(join(folder.path, 'a')), ['b']);
  const another = await createWorkspace(ada);
  const other = [...words.slice(0, -1), another.id];
  const wide = await createKey(ada);
  const rejected = await runStoa(other, { cwd: folder.path, stdin: wide.secret });
  assert.deepEqual([rejected.code, /linked to another workspace/.test(rejected.stderr)], [2, true]);
  assert.equal((await readFolderConfig(join(folder.path, 'a/b'))).apiKey.reveal(), key.secret);
});

test('a narrow key links no folder, and the folder is left as it was', async () => {
  await using folder = await makeFolder();
  for (const [options, says] of [
    [{ access: 'read' }, /may read, but not change anything/],
    [{ access: 'comment' }, /may read and comment, but not change anything else/],
    [{ path: 'notes' }, /is for notes alone/],
  ] as const) {
    const key = await createKey(ada, { workspaceId: workspace.id, ...options });
    const words = ['link', server.url, 'a', '--key-stdin', '--workspace', workspace.id];
    const rejected = await runStoa(words, { cwd: folder.path, stdin: key.secret });
    assert.equal(rejected.code, 4, rejected.stderr);
    assert.match(rejected.stderr, says);
    assert.match(rejected.stderr, /link again with one that may read and change everything/);
    assert.deepEqual(await readdir(folder.path), []);
  }
  const ending = await createKey(ada, { workspaceId: workspace.id, expiresInDays: 7 });
  const words = ['link', server.url, 'a', '--key-stdin', '--workspace', workspace.id];
  assert.equal((await runStoa(words, { cwd: folder.path, stdin: ending.secret })).code, 0);
});

test('link rejects too broad folders and overlapping links before it asks for approval', async () => {
  await using folder = await makeFolder();
  await mkdir(join(folder.path, 'linked/inner'), { recursive: true });
  await writeFolderConfig(join(folder.path, 'linked'), {
    api_base: server.url,
    workspace_id: 'w',
    api_key: 'k',
  });
  await writeFile(join(folder.path, 'file'), '');
  for (const [dir, reason] of [
    ['/', /more than a workspace is for/],
    [folder.path, /linked already, and lies in/],
    ['linked/inner', /lies in .*linked, which is linked already/],
    ['file', /is not a folder|file is in the way/],
    ['file/x', /file is in the way/],
  ] as const) {
    const rejected = await runStoa(['link', server.url, dir], { cwd: folder.path });
    assert.equal(rejected.code, 2, rejected.stderr);
    assert.match(rejected.stderr, reason);
  }
  const home = await runStoa(['link', server.url], { cwd: folder.path, home: folder.path });
  assert.match(home.stderr, /more than a workspace is for/);
  const plain = await runStoa(['link', 'http://files.example.org'], { cwd: folder.path });
  assert.deepEqual([plain.code, /plain http/.test(plain.stderr)], [2, true]);
});

/** Starts a server that returns the poll results in order. `told` can change its health and its own address. */
async function playPolls(
  polls: readonly Play[],
  reported: { apiBase?: (own: string) => string; health?: number } = {},
) {
  const asked: string[] = [];
  const service = createServer((request, response) => {
    const own = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    const result = (status: number, body: unknown) => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    };
    const url = request.url ?? '';
    if (url === '/api/health')
      return result(reported.health ?? 200, { status: 'ok', timestamp: '2026-11-20T00:00:00Z' });
    if (url === '/api/workspace') {
      asked.push(String(request.headers['x-api-key']));
      return result(200, { id: 'ws_1', name: 'Notes\u001b[2J' });
    }
    if (url === '/api/device/code') {
      return result(200, {
        device_code: 'secret',
        user_code: 'BCDF-GHJK',
        verification_uri: `${own}/link`,
        verification_uri_complete: `${own}/link?code=BCDF-GHJK`,
        expires_in: 600,
        interval: 5,
      });
    }
    const play = polls[asked.push('poll') - 1] ?? 'pending';
    if (play === 'cut') return request.socket.destroy();
    if (play === 'pending') return result(200, { status: 'pending' });
    if (play === 'approved') {
      const api_base = reported.apiBase?.(own) ?? own;
      return result(200, {
        status: 'approved',
        api_key: 'stoa_canary',
        api_key_id: 'key_1',
        workspace_id: 'ws_1',
        api_base,
      });
    }
    const [status, word] = play;
    result(status, { statusMessage: word, data: { error: word } });
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  return {
    url,
    asked,
    [Symbol.asyncDispose]: async () => {
      service.close();
      service.closeAllConnections();
    },
  };
}

type Play = 'pending' | 'approved' | 'cut' | readonly [number, string];

/** A clock that advances only by sleeping. */
function playedPace() {
  const waits: number[] = [];
  let now = 0;
  const pace: Pace = {
    now: () => now,
    sleep: async (ms) => {
      waits.push(ms / 1000);
      now += ms;
    },
  };
  return { pace, waits };
}

test('a failed poll is retried, more slowly when the server asks for it', async () => {
  await using folder = await makeFolder();
  await using service = await playPolls([
    'pending',
    [429, 'slow_down'],
    // The first cut closes a kept connection, so the client retries at once on a new one.
    'cut',
    'cut',
    [503, 'overloaded'],
    [429, 'rate_limited'],
    'approved',
  ]);
  const { pace, waits } = playedPace();
  const linked = await runStoa(['link', service.url], { cwd: folder.path, pace });
  assert.equal(linked.code, 0, linked.stderr);
  assert.deepEqual(waits, [5, 5, 10, 10, 10, 10]);
  assert.match(linked.stdout, /to Notes\\u\{1B\}\[2J at/);
  assert.equal(
    recordOf(JSON.parse(await readFile(join(folder.path, '.stoa/config.json'), 'utf8'))).api_base,
    service.url,
  );
});

for (const [word, status, said] of [
  ['access_denied', 403, /denied in the app/],
  ['expired_token', 410, /The link was not approved in time/],
  ['invalid_grant', 404, /no longer knows the code/],
  ['already_consumed', 410, /did not arrive.*revoke the key service-cli made at \d\d:\d\d/s],
] as const) {
  test(`a flow that ends with ${word} reports it and the next step`, async () => {
    await using folder = await makeFolder();
    await using service = await playPolls(['pending', [status, word]]);
    const ended = await runStoa(['link', service.url], { cwd: folder.path, pace: playedPace().pace });
    assert.equal(ended.code, 4);
    assert.match(ended.stderr, said);
    assert.deepEqual(await readdir(folder.path), []);
  });
}

test('link stops waiting when the codes expire', async () => {
  await using folder = await makeFolder();
  await using service = await playPolls([]);
  const { pace, waits } = playedPace();
  const ended = await runStoa(['link', service.url], { cwd: folder.path, pace });
  assert.equal(ended.code, 4);
  assert.equal(waits.length, (600 + 30) / 5);
});

test('an interrupted link reports that nothing was linked', async () => {
  await using folder = await makeFolder();
  await using service = await playPolls([]);
  const end = new AbortController();
  const ended = await runStoa(['link', service.url], {
    cwd: folder.path,
    signal: end.signal,
    pace: { now: () => 0, sleep: async () => end.abort() },
  });
  assert.match(ended.stderr, /Not linked: ended before the approval/);
});

test('the address that the server reports is stored only if it is safe and accepts the key', async () => {
  for (const apiBase of [
    () => 'http://127.0.0.1:1',
    () => 'http://files.example.org',
    () => 'nothing',
    (own: string) => `${own}/`,
  ]) {
    await using folder = await makeFolder();
    await using service = await playPolls(['approved'], { apiBase });
    const linked = await runStoa(['link', service.url], { cwd: folder.path, pace: playedPace().pace });
    assert.equal(linked.code, 0, linked.stderr);
    assert.equal((await readFolderConfig(folder.path)).apiBase, service.url);
    const isOwn = apiBase(service.url) === `${service.url}/`;
    assert.equal(/STOA_BASE_URL/.test(linked.stderr), !isOwn);
    assert.doesNotMatch(JSON.stringify(linked), /canary/);
  }
});

test('link requests no key from a server that is not Stoa', async () => {
  await using folder = await makeFolder();
  await using other = await playPolls([], { health: 404 });
  const rejected = await runStoa(['link', other.url], { cwd: folder.path });
  assert.deepEqual([rejected.code, other.asked], [5, []]);
  assert.match(rejected.stderr, /is not a Stoa server/);
});
