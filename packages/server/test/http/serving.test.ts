import assert from 'node:assert/strict';
import { readdir, readFile, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fastify } from 'fastify';
import { freePort } from '../../../../tests/support/free-port.ts';
import { sendResponse } from '../../src/http/responses/response.ts';
import { freeRound } from './support/free-permit.ts';
import { rawConnection } from './support/raw-connection.ts';
import { type StartedServer, startedServer } from './support/started-server.ts';

describe('damaged stored bytes', () => {
  let stoa: StartedServer;
  before(async () => {
    stoa = await startedServer();
  });
  after(() => stoa[Symbol.asyncDispose]());

  const damages: readonly [what: string, damage: (file: string) => Promise<void>][] = [
    ['missing', (file) => rm(file)],
    ['cut short', (file) => truncate(file, 1000)],
  ];
  for (const [what, damage] of damages) {
    it(`${what}: 502, never a wrong file`, async () => {
      const path = stoa.at(`files/${what.replace(' ', '-')}.bin`);
      const body = Buffer.alloc(200_000, what);
      assert.equal((await stoa.call(path, { method: 'PUT', body })).status, 201);
      const blobs = join(stoa.server.config.dataDir, 'blobs');
      const entries = await readdir(blobs, { recursive: true, withFileTypes: true });
      for (const entry of entries.filter((entry) => entry.isFile()))
        await damage(join(entry.parentPath, entry.name));
      const response = await stoa.call(path);
      assert.equal(response.status, 502);
      assert.equal(((await response.json()) as { statusCode: number }).statusCode, 502);
      assert.ok(stoa.log.some((line) => /"level":"error".*stored_bytes_missing/.test(line)));
    });
  }
});

describe('a store that fails in the middle of a file', () => {
  const endings: readonly [what: string, end: (controller: ReadableByteStreamController) => void][] = [
    ['with an error', (controller) => controller.error(new Error('disk'))],
    [
      'by ending early',
      (controller) => {
        controller.close();
        controller.byobRequest?.respond(0);
      },
    ],
    [
      'by giving too much',
      (controller) => {
        controller.enqueue(new Uint8Array(60_000));
        controller.close();
      },
    ],
  ];
  for (const [what, end] of endings) {
    it(`${what}: the transfer breaks, it is never complete`, async () => {
      let pulls = 0;
      const bytes = new ReadableStream({
        type: 'bytes',
        pull(controller) {
          pulls += 1;
          if (pulls === 1) controller.enqueue(new Uint8Array(50_000));
          else end(controller);
        },
      });
      const app = fastify();
      app.get('/', async (_request, reply) => {
        const content = { sizeBytes: 100_000, open: async () => bytes };
        await sendResponse(reply, { kind: 'bytes', status: 200, headers: {}, content }, freeRound);
        return reply;
      });
      const url = await app.listen({ host: '127.0.0.1', port: 0 });
      await assert.rejects(async () => (await fetch(url)).arrayBuffer());
      await app.close();
    });
  }
});

describe('the server itself', () => {
  it('describes itself, and HEAD works wherever GET does', async () => {
    await using stoa = await startedServer();
    const document = (await (await fetch(`${stoa.url}/api/openapi.json`)).json()) as { openapi: string };
    assert.match(document.openapi, /^3\.1/);
    const head = await stoa.call('/api/health', { method: 'HEAD' });
    assert.equal(head.status, 200);
    assert.equal(await head.text(), '');
  });

  it('shows its metrics only under the names of this server', async () => {
    const metricsPort = await freePort();
    await using _stoa = await startedServer({
      STOA_METRICS_PORT: String(metricsPort),
      STOA_ALLOWED_HOSTS: 'stoa',
    });
    const statusFor = async (host: string) => {
      const connection = rawConnection(metricsPort);
      connection.send(`GET /metrics HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
      return Number((await connection.closed()).slice(9, 12));
    };
    for (const host of ['evil.example', `evil.example:${metricsPort}`, 'localhost.evil.example', '']) {
      assert.equal(await statusFor(host), 403, host);
    }
    for (const host of [`127.0.0.1:${metricsPort}`, 'localhost', 'stoa:9464', '10.0.0.7']) {
      assert.equal(await statusFor(host), 200, host);
    }
  });

  it('counts requests by route on a port of its own, without naming a path', async () => {
    const metricsPort = await freePort();
    await using stoa = await startedServer({ STOA_METRICS_PORT: String(metricsPort) });
    await stoa.call(stoa.at('files/private-name.md'), { method: 'PUT', body: 'x' });
    await stoa.call('/api/health');
    const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const changes = 'store="database",operation="transact"';
    let text = await metrics();
    // The key's first use is recorded outside the request, and that may still be running.
    const isAtRest = () => text.includes(`stoa_store_operations_under_way{${changes}} 0`);
    for (let looks = 0; looks < 1000 && !isAtRest(); looks += 1) text = await metrics();
    assert.ok(isAtRest(), text);
    const route = 'route="/api/workspaces/:workspaceId/files/-"';
    assert.ok(text.includes(`stoa_http_requests_total{method="PUT",${route},status="201"} 1`));
    assert.match(text, /stoa_feed_waiting 0/);
    assert.match(text, /stoa_http_requests_under_way \d/);
    assert.match(
      text,
      new RegExp(`stoa_store_operation_duration_seconds_count{${changes},outcome="done"} [1-9]`),
    );
    assert.match(text, /stoa_commit_changes_count [1-9]/);
    assert.match(text, /stoa_content_index_waiting_workspaces \d/);
    assert.match(text, /stoa_content_index_behind_seconds \d/);
    for (let looks = 0; looks < 1000 && /stoa_content_index_bytes 0/.test(text); looks += 1)
      text = await metrics();
    assert.match(text, /stoa_content_index_bytes [1-9]/);
    assert.match(text, /process_cpu_seconds_total/);
    const exported = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
    for (const name of await monitoredMetrics()) assert.ok(exported.has(name), name);
    assert.doesNotMatch(text, /private-name/);
    assert.equal((await fetch(`${stoa.url}/metrics`)).status, 404);
  });

  it('names the setting of a port that another program has', async () => {
    await using stoa = await startedServer();
    for (const name of ['STOA_PORT', 'STOA_METRICS_PORT']) {
      await assert.rejects(startedServer({ [name]: String(stoa.port) }), {
        message: `Port ${stoa.port} on 127.0.0.1 is in use: stop the program that has it, or choose another with ${name}`,
      });
    }
  });

  it('reports quarantined contents, also where no scrub runs', async () => {
    const metricsPort = await freePort();
    await using _stoa = await startedServer({ STOA_METRICS_PORT: String(metricsPort), STOA_SCRUB_DAYS: '0' });
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    assert.match(text, /^stoa_quarantined_contents 0$/m);
    // A scrub that never runs would always be late.
    assert.doesNotMatch(text, /stoa_scrub/);
  });

  for (const [trusted, status] of [
    ['', 429],
    ['loopback', 401],
  ] as const) {
    const whom = trusted === '' ? 'the connection' : 'the proxy it trusts';
    it(`takes a client's address from ${whom}`, async (t) => {
      // Attempts are counted by the minute of the clock: none may end between them.
      t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
      await using stoa = await startedServer({ STOA_SIGNIN_LIMIT: '2', STOA_TRUST_PROXY: trusted });
      const signIn = (address: string) =>
        fetch(`${stoa.url}/api/auth/sign-in/email`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
          body: JSON.stringify({ email: 'ada@example.org', password: 'wrong password' }),
        });
      // Signing up was the first attempt of this machine's own address.
      assert.equal((await signIn('203.0.113.1')).status, 401);
      assert.equal((await signIn('203.0.113.2')).status, status);
    });
  }
});

const root = new URL('../../../../', import.meta.url);
const readText = (path: string) => readFile(new URL(path, root), 'utf8');

/** Names of metrics in the dashboard and the rules, without what Prometheus adds for a histogram. */
async function monitoredMetrics(): Promise<ReadonlySet<string>> {
  const dashboard: unknown = JSON.parse(await readText('deploy/monitoring/dashboard.json'));
  const text = JSON.stringify(dashboard) + (await readText('deploy/monitoring/alerts.yaml'));
  const names = text.matchAll(/\b((?:stoa|process|nodejs)_\w+?)(?:_(?:bucket|sum|count))?\b/g);
  return new Set([...names].map(([, name = '']) => name));
}
