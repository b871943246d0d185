import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startPostgres } from '../../../../tests/support/postgres.ts';
import { password, startedServer } from '../http/support/started-server.ts';
import { startCollector } from './support/collector.ts';
import type { ReceivedSpan } from './support/read-spans.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';
const traceparent = `00-${traceId}-${spanId}-01`;
/** Larger than contents that the database stores. */
const largeBytes = 100_000;

function named(spans: readonly ReceivedSpan[], name: string): ReceivedSpan {
  const found = spans.filter((span) => span.name === name);
  assert.equal(found.length, 1, `${name} is once among ${spans.map((each) => each.name).join(', ')}`);
  return found[0] as ReceivedSpan;
}

function byTool(name: string, given: unknown): RequestInit {
  const params = { name, arguments: given };
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', traceparent },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  };
}

/** Writes at once, each in a trace of its own. */
async function assertTreesApart(settings: Record<string, string>): Promise<void> {
  await using collector = await startCollector();
  const traced = { STOA_TRACES_URL: collector.url, STOA_TRACES_RATIO: '0' };
  await using stoa = await startedServer({ ...settings, ...traced });
  const traceIds = Array.from({ length: 8 }, (_, i) => `${i + 1}`.repeat(32));
  const responses = traceIds.map((id) =>
    stoa.call(stoa.at(`files/${id}.md`), {
      method: 'PUT',
      body: id,
      headers: { traceparent: `00-${id}-${spanId}-01` },
    }),
  );
  assert.deepEqual(new Set((await Promise.all(responses)).map(({ status }) => status)), new Set([201]));
  await stoa.server.stop();
  for (const id of traceIds) {
    const own = collector.spans.filter((span) => span.traceId === id);
    const root = named(own, 'PUT /api/workspaces/:workspaceId/files/-');
    const change = named(own, 'database transact files.write');
    assert.equal(change.parentSpanId, root.spanId);
    const steps = own.filter(({ parentSpanId }) => parentSpanId === change.spanId);
    assert.deepEqual(
      steps.map(({ name }) => name),
      ['wait', 'commit'],
    );
  }
}

describe('traces', () => {
  it('a request is a tree below the one that it names as its parent', async () => {
    await using collector = await startCollector();
    await using stoa = await startedServer({ STOA_TRACES_URL: collector.url, STOA_TRACES_RATIO: '0' });
    const body = Buffer.alloc(largeBytes, 'x');
    const written = await stoa.call(stoa.at('files/large.bin'), {
      method: 'PUT',
      body,
      headers: { traceparent },
    });
    assert.equal(written.status, 201);
    await stoa.server.stop();
    const { spans } = collector;
    assert.ok(spans.every((span) => span.traceId === traceId));
    const root = named(spans, 'PUT /api/workspaces/:workspaceId/files/-');
    assert.equal(root.parentSpanId, spanId);
    assert.equal(root.kind, 2);
    assert.equal(root.resource['service.name'], 'stoa');
    const { 'stoa.request.id': requestId, ...attributes } = root.attributes;
    assert.deepEqual(attributes, {
      'http.request.method': 'PUT',
      'http.route': '/api/workspaces/:workspaceId/files/-',
      'http.response.status_code': 201,
      'url.scheme': 'http',
    });
    const line = stoa.log.map((text) => JSON.parse(text)).find(({ method }) => method === 'PUT');
    assert.equal(line.requestId, requestId);
    assert.equal(line.traceId, traceId);
    const finished = named(spans, 'contents finish');
    assert.equal(finished.parentSpanId, root.spanId);
    assert.equal(finished.attributes['stoa.bytes'], largeBytes);
    const change = named(spans, 'database transact files.write');
    assert.equal(change.parentSpanId, root.spanId);
    const steps = spans.filter(({ parentSpanId }) => parentSpanId === change.spanId);
    assert.deepEqual(
      steps.map(({ name, attributes: { 'stoa.commit.changes': changes } }) => [name, changes]),
      [
        ['wait', undefined],
        ['commit', 1],
      ],
    );
  });

  it('requests at once keep a tree each, on SQLite', () => assertTreesApart({}));

  it('requests at once keep a tree each, on PostgreSQL', async () => {
    await using postgres = await startPostgres();
    await assertTreesApart({ STOA_DATABASE_URL: await postgres.createDatabase() });
  });

  it('a search and a tool of MCP are parts of their request', async () => {
    await using collector = await startCollector();
    await using stoa = await startedServer({ STOA_TRACES_URL: collector.url, STOA_TRACES_RATIO: '0' });
    await stoa.call(stoa.at('files/plan.md'), { method: 'PUT', body: 'find me' });
    const { workspaceId } = stoa;
    await stoa.call('/api/mcp?toolset=extended', byTool('search_content', { workspaceId, query: 'find me' }));
    await stoa.call('/api/mcp', byTool('read_file', { workspaceId, path: 'nowhere.md' }));
    await stoa.call(stoa.at('search?q=plan'), { headers: { traceparent } });
    await stoa.server.stop();
    const { spans } = collector;
    const roots = spans.filter(({ name }) => name === 'POST /api/mcp');
    const tool = named(spans, 'mcp tool search_content');
    assert.ok(roots.some((root) => root.spanId === tool.parentSpanId));
    const search = named(spans, 'search contents');
    assert.equal(search.parentSpanId, tool.spanId);
    assert.ok(spans.some(({ name, parentSpanId }) => name === 'search scan' && parentSpanId !== ''));
    const missed = named(spans, 'mcp tool read_file');
    assert.equal(missed.attributes['stoa.refusal'], 'file_not_found');
    assert.equal(missed.isError, false);
    const asked = spans.find(({ name }) => name.startsWith('GET /'));
    assert.ok(
      spans.some(({ name, parentSpanId }) => name === 'search paths' && parentSpanId === asked?.spanId),
    );
  });

  it('without a parent the ratio is followed, and a parent that is not followed is not', async () => {
    await using collector = await startCollector();
    await using stoa = await startedServer({ STOA_TRACES_URL: collector.url });
    await stoa.call('/api/health', { headers: { traceparent: traceparent.replace(/1$/, '0') } });
    await stoa.call('/api/workspaces', { headers: { traceparent: `${traceparent}x` } });
    await stoa.server.stop();
    const names = collector.spans.map(({ name }) => name);
    assert.ok(!names.includes('GET /api/health'));
    const listed = named(collector.spans, 'GET /api/workspaces');
    assert.equal(listed.parentSpanId, '');
    assert.notEqual(listed.traceId, traceId);
  });

  it('a rejected request has its code, and only failures for the operator count as errors', async () => {
    await using collector = await startCollector();
    await using stoa = await startedServer({ STOA_TRACES_URL: collector.url });
    await stoa.call(stoa.at('files/nowhere.md'));
    await stoa.call('/nowhere/at/all', { method: 'POST' });
    await stoa.server.stop();
    const missed = named(collector.spans, 'GET /api/workspaces/:workspaceId/files/-');
    assert.equal(missed.attributes['http.response.status_code'], 404);
    assert.equal(missed.attributes['stoa.refusal'], 'file_not_found');
    assert.equal(missed.isError, false);
    assert.equal(named(collector.spans, 'POST').attributes['stoa.refusal'], 'route_not_found');
  });

  it('an exhausted plan is not an error', async () => {
    await using collector = await startCollector();
    const folder = await mkdtemp(join(tmpdir(), 'stoa-traced-'));
    const plans = join(folder, 'plans.json');
    await writeFile(plans, JSON.stringify({ default: 'tiny', plans: [{ id: 'tiny', storageBytes: 10 }] }));
    await using stoa = await startedServer({ STOA_TRACES_URL: collector.url, STOA_PLANS: plans });
    const written = await stoa.call(stoa.at('files/a.md'), { method: 'PUT', body: 'more than ten bytes' });
    assert.equal(written.status, 507);
    await stoa.server.stop();
    await rm(folder, { recursive: true });
    const root = named(collector.spans, 'PUT /api/workspaces/:workspaceId/files/-');
    assert.equal(root.attributes['http.response.status_code'], 507);
    assert.deepEqual([root.isError, root.attributes['error.type']], [false, undefined]);
  });

  it('a fault is an error, of the request and of what failed in it', async () => {
    await using collector = await startCollector();
    await using stoa = await startedServer({ STOA_TRACES_URL: collector.url });
    const path = stoa.at('files/large.bin');
    await stoa.call(path, { method: 'PUT', body: Buffer.alloc(largeBytes) });
    await rm(join(stoa.server.config.dataDir, 'blobs'), { recursive: true });
    assert.equal((await stoa.call(path)).status, 502);
    await stoa.server.stop();
    const root = named(collector.spans, 'GET /api/workspaces/:workspaceId/files/-');
    const opened = named(collector.spans, 'contents open');
    assert.equal(opened.parentSpanId, root.spanId);
    for (const { isError, attributes } of [root, opened]) {
      assert.equal(isError, true);
      assert.equal(attributes['error.type'], 'stored_bytes_missing');
    }
  });

  it('contain no path, name, key, cookie, password or token', async () => {
    await using collector = await startCollector();
    await using stoa = await startedServer({ STOA_TRACES_URL: collector.url });
    const { workspaceId } = stoa;
    await stoa.call('/api/me', {
      headers: { authorization: 'Bearer CANARY-bearer', 'user-agent': 'CANARY' },
    });
    await stoa.call('/api/me', { headers: { 'x-api-key': 'CANARY-key', tracestate: 'a=CANARY' } });
    await stoa.call('/api/device/poll?device_code=CANARY-device');
    await stoa.call('/api/invites/CANARY-invite');
    await stoa.call('/s/CANARY-share');
    await stoa.call('/CANARY', { headers: { traceparent: 'CANARY', baggage: 'a=CANARY' } });
    await stoa.call('/api/%CANARY');
    await stoa.call(stoa.at('files/CANARY/large.bin'), {
      method: 'PUT',
      body: Buffer.alloc(largeBytes, 'CANARY'),
    });
    await stoa.call(stoa.at('files/CANARY/large.bin'));
    await stoa.call(stoa.at('files/CANARY/gone.md'));
    await stoa.call(stoa.at('search?q=CANARY'));
    await stoa.call('/api/mcp?toolset=extended', byTool('search_content', { workspaceId, query: 'CANARY' }));
    await stoa.call('/api/mcp', byTool('read_file', { workspaceId, path: 'CANARY.md' }));
    await stoa.call('/api/mcp', byTool('CANARY', {}));
    await fetch(`${stoa.url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: 'c=CANARY-cookie' },
      body: JSON.stringify({ email: 'CANARY@example.org', password: 'CANARY-password' }),
    });
    await stoa.server.stop();
    assert.ok(collector.spans.length > 30);
    const reported = Buffer.concat(collector.bodies).toString('latin1');
    const sessionToken = stoa.cookie.slice(stoa.cookie.indexOf('=') + 1);
    const secrets = [workspaceId, stoa.apiKey, password, sessionToken];
    // None is so short that the random bytes of ids spell it.
    for (const canary of ['CANARY', 'Lovelace', 'ada@example.org', 'Home', 'Robot', ...secrets]) {
      assert.ok(!reported.includes(canary), `the traces hold ${canary}`);
    }
  });

  it('are sent with the headers that the environment gives', async () => {
    process.env.OTEL_EXPORTER_OTLP_HEADERS = 'authorization=Basic%20x';
    try {
      await using collector = await startCollector();
      await using stoa = await startedServer({ STOA_TRACES_URL: collector.url });
      await stoa.server.stop();
      assert.equal(collector.headers[0]?.authorization, 'Basic x');
    } finally {
      delete process.env.OTEL_EXPORTER_OTLP_HEADERS;
    }
  });
});

describe('a collector', () => {
  it('that rejects traces is logged, with no other effect', async () => {
    await using collector = await startCollector(400);
    await using stoa = await startedServer({ STOA_TRACES_URL: collector.url });
    assert.equal((await stoa.call(stoa.at('files/a.md'), { method: 'PUT', body: 'x' })).status, 201);
    await stoa.server.stop();
    const reported = stoa.log.filter((line) => line.includes('could not be sent to the collector of traces'));
    assert.equal(reported.length, 1);
    assert.equal(JSON.parse(reported[0] ?? '').level, 'warn');
  });

  it('that is unreachable fails neither a request nor the stop', async () => {
    const gone = await startCollector();
    await gone[Symbol.asyncDispose]();
    await using stoa = await startedServer({ STOA_TRACES_URL: gone.url });
    assert.equal((await stoa.call(stoa.at('files/a.md'), { method: 'PUT', body: 'x' })).status, 201);
    await stoa.server.stop();
    assert.match(stoa.log.at(-1) ?? '', /"msg":"stopped"/);
  });

  it('that never responds delays the stop no longer than its bound', async () => {
    await using collector = await startCollector('never');
    await using stoa = await startedServer({ STOA_TRACES_URL: collector.url });
    assert.equal((await stoa.call(stoa.at('files/a.md'), { method: 'PUT', body: 'x' })).status, 201);
    await stoa.server.stop();
    // One line of the stop. Spans of a start that outlasted the send limit are logged separately.
    const reported = stoa.log.filter((line) =>
      line.includes('collector of traces did not take the last spans'),
    );
    assert.equal(reported.length, 1);
  });
});
