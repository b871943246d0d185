import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { extendedTools, routes } from '@stoa/contract';
import { startThread } from '../support/comments.ts';
import { assertStatus } from '../support/expect.ts';
import { fillWorkspace } from '../support/fill-workspace.ts';
import { freePort } from '../support/free-port.ts';
import { createKey, signUp } from '../support/people.ts';
import { textAt } from '../support/response.ts';
import { share } from '../support/shares.ts';
import { useOwnService } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import {
  allWorstRequests,
  type Hoard,
  type WorstRequest,
  worstRequests,
  worstToolCalls,
} from './worst-requests.ts';

/**
 * One account asks for the worst that it may, on every route: over 64 connections, many requests on each at once, and reads
 * nothing. The median of another account's requests (health, list, write) takes at most twenty times as long as without
 * it, in one of a few attempts. The process survives, with little memory.
 */
const connectionsAtOnce = 64;
const requestsOfEach = 60;
const samplesOfEach = 3;
const kinds = ['health', 'list', 'write'] as const;
const attemptsMax = 3;
const slowerMax = 20;
/** Shorter idle times count as this: a busy machine may stretch a request of a millisecond to it. */
const noiseMs = 25;
const heapMegabytes = 256;
/** On a machine that is busy with other work no request may be quick. */
const quietRequestsMax = 200;
/** Held polls of clients that have left end after 25 s. */
const leftoverMsMax = 60_000;
/** Of the process, in heaps: connections, database and buffers need memory as well. */
const residentHeapsMax = 4;

const cheapPasswords = new URL('../support/cheap-passwords.cjs', import.meta.url).pathname;
const metricsPort = await freePort();
const { service, client: server } = await useOwnService({
  STOA_METRICS_PORT: String(metricsPort),
  NODE_OPTIONS: `--require ${JSON.stringify(cheapPasswords)} --max-old-space-size=${heapMegabytes}`,
});
const ada = await signUp(server, 'Ada');
const eve = await signUp(server, 'Eve');
const adasKey = await createKey(ada);
const evesKey = await createKey(eve);
const small = await createWorkspace(ada, adasKey.client);
const hoard = await hoarded();

test('every route and every tool has its worst request in the matrix', () => {
  assert.deepEqual(Object.keys(worstRequests).sort(), Object.keys(routes).sort());
  assert.deepEqual(Object.keys(worstToolCalls).sort(), Object.keys(extendedTools).sort());
});

test('the worst requests of one account delay no other account', { timeout: 900_000 }, async (t) => {
  // The first requests compile what they run.
  await sampled();
  for (const worst of allWorstRequests(hoard)) {
    // No row is judged after the process has ended.
    assert.ok(service.isRunning(), service.log());
    await t.test(worst.title, async () => {
      const attempts: string[] = [];
      // Other work of the machine also delays requests, but rarely three times.
      while (attempts.length < attemptsMax) {
        const slow = await slowDuring(worst);
        if (slow === null) return;
        attempts.push(slow);
      }
      assert.fail(attempts.join('\n'));
    });
  }
});

/** @returns the kinds of requests that were slower than they may be, or null. */
async function slowDuring(worst: WorstRequest): Promise<string | null> {
  await untilQuiet();
  const idle = await sampled();
  const sockets = await asked(worst);
  const busy = await sampled().catch((cause) =>
    assert.fail(`no response during it: ${cause} ${service.log().slice(-4000)}`),
  );
  for (const socket of sockets) socket.destroy();
  assert.ok(service.isRunning(), service.log());
  const resident = await residentMegabytes();
  assert.ok(resident <= residentHeapsMax * heapMegabytes, `${Math.round(resident)} MB`);
  const slow = kinds
    .map((kind) => ({ kind, idleMs: median(idle[kind]), busyMs: median(busy[kind]) }))
    .filter(({ idleMs, busyMs }) => busyMs > slowerMax * Math.max(idleMs, noiseMs));
  if (slow.length === 0) return null;
  return slow
    .map(
      ({ kind, idleMs, busyMs }) =>
        `${kind}: ${Math.round(busyMs)} ms during it, ${Math.round(idleMs)} without`,
    )
    .join(', ');
}

/** Waits while the server still works on an earlier row: it would hide what this row does, and slow idle requests. */
async function untilQuiet(): Promise<void> {
  const giveUpAt = performance.now() + leftoverMsMax;
  while (performance.now() < giveUpAt && (await requestsUnderWay()) > 0) await pause(20);
  let quick = 0;
  for (let request = 0; request < quietRequestsMax && quick < 3; request += 1) {
    const from = performance.now();
    assertStatus(await server.send('GET', '/api/health'), 200);
    quick = performance.now() - from <= noiseMs ? quick + 1 : 0;
  }
}

async function requestsUnderWay(): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const found = /^stoa_http_requests_under_way (\d+)$/m.exec(text)?.[1];
  assert.ok(found !== undefined, text);
  return Number(found);
}

let written = 0;

/** Milliseconds that another account waits. */
async function sampled() {
  const times: Record<(typeof kinds)[number], number[]> = { health: [], list: [], write: [] };
  const timed = async (
    kind: keyof typeof times,
    status: number,
    ask: () => ReturnType<typeof server.send>,
  ) => {
    const from = performance.now();
    assertStatus(await ask(), status);
    times[kind].push(performance.now() - from);
  };
  for (let sample = 0; sample < samplesOfEach; sample += 1) {
    await timed('health', 200, () => server.send('GET', '/api/health'));
    await timed('list', 200, () => small.query('list'));
    await timed('write', 201, () => small.put(`f${written++}.txt`, 'x'));
  }
  return times;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

async function asked({ method, target, request = {}, as }: WorstRequest): Promise<readonly Socket[]> {
  const json = request.json === undefined ? {} : { 'content-type': 'application/json' };
  const body = request.json === undefined ? (request.body ?? '') : JSON.stringify(request.json);
  assert.ok(typeof body === 'string');
  const credentials = {
    key: { 'x-api-key': evesKey.secret },
    session: { cookie: eve.session.credentials.cookie ?? '', 'sec-fetch-site': 'same-origin' },
    nobody: {},
  }[as];
  const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const headers = { host: '127.0.0.1', ...credentials, ...json, ...length, ...request.headers };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const one = `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
  const all = Buffer.from(one.repeat(requestsOfEach));
  return Promise.all(
    Array.from({ length: connectionsAtOnce }, async () => {
      const socket = connect(service.port, '127.0.0.1').pause();
      await once(socket, 'connect');
      // A server may cut it off.
      socket.on('error', () => {});
      socket.write(all);
      return socket;
    }),
  );
}

async function residentMegabytes(): Promise<number> {
  const status = await readFile(`/proc/${service.pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s*(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

async function hoarded(): Promise<Hoard> {
  const workspace = await createWorkspace(eve, evesKey.client);
  const put = async (path: string, body: string | Uint8Array) =>
    assertStatus(await workspace.put(path, body), 201);
  await put('model.txt', 'x');
  const files = { copyOf: 'model.txt', count: 10_000, paths: "'many/f' || n || '.txt'" } as const;
  await fillWorkspace(service.home, workspace.id, files);
  await put('versions.txt', 'x');
  const same =
    'size_bytes, content_type, content_hash, principal, actor_id, actor_key_id, actor_label, created_at';
  await service.home.changeRows(
    `insert into file_version (workspace_id, path, incarnation, version, op, ${same})
     select workspace_id, path, incarnation, n, 'write', ${same} from file_version
     join (with recursive numbers(n) as (select 2 union all select n + 1 from numbers where n < 5000)
       select n from numbers) numbers on true
     where workspace_id = '${workspace.id}' and path = 'versions.txt'`,
  );
  await service.home.changeRows(
    `update file set version = 5000 where workspace_id = '${workspace.id}' and path = 'versions.txt'`,
  );
  await put('large.bin', Buffer.alloc(5_000_000));
  await put('lines.txt', 'a line of a long text\n'.repeat(40_000));
  await put('text.md', `# The one title\n\n${'Some *text* with `code`.\n\n'.repeat(5_000)}`);
  const quote = 'The one title';
  let threadId = '';
  for (let thread = 0; thread < 100; thread += 1) {
    const made = await startThread(workspace, {
      path: 'text.md',
      quote,
      body: 'b'.repeat(60_000),
    });
    threadId = textAt(made, 'id');
  }
  for (let page = 0; page < 10; page += 1) {
    const paths = Array.from({ length: 1000 }, (_, at) => `many/f${page * 1000 + at}.txt`);
    assertStatus(await workspace.send('PUT', '/node-order', { json: { paths } }), 200);
  }
  const bySession = workspace.as(eve.session);
  const folder = await share(bySession, 'many', { kind: 'folder' });
  const large = await share(bySession, 'large.bin');
  const text = await share(bySession, 'text.md');
  return {
    workspaceId: workspace.id,
    versionsPath: 'versions.txt',
    largePath: 'large.bin',
    linesPath: 'lines.txt',
    threadId,
    folderLink: folder.path,
    largeLink: large.path,
    textLink: text.path,
  };
}
