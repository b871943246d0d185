import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePort } from '../../../../tests/support/free-port.ts';
import { rawConnection } from './support/raw-connection.ts';
import { startedServer } from './support/started-server.ts';

const threads = 3;
const metricsPort = await freePort();
const withThreads = { STOA_HTTP_THREADS: String(threads) };

/**
 * The system distributes connections by their addresses. This many reach every thread, except once in a
 * million runs.
 */
const connections = 48;

test('every thread serves accepted requests, and waiting feed requests are released', async () => {
  const stoa = await startedServer({ ...withThreads, STOA_METRICS_PORT: String(metricsPort) });
  const sum = async (name: string) => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
  };
  const uploads = Array.from({ length: connections }, () => rawConnection(stoa.port));
  for (const [index, upload] of uploads.entries()) {
    upload.send(
      `PUT ${stoa.at(`files/${index}.md`)} HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${stoa.apiKey}\r\n`,
    );
    upload.send('content-length: 10\r\nexpect: 100-continue\r\n\r\n');
    await upload.received(/100 Continue/);
    upload.send('hello');
  }
  const held = Array.from({ length: connections }, () => rawConnection(stoa.port));
  for (const each of held) {
    const target = stoa.at('changes?sinceSeq=0&wait=30');
    each.send(`GET ${target} HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${stoa.apiKey}\r\n\r\n`);
  }
  while ((await sum('stoa_feed_waiting')) !== connections);
  // The first thread has only a part of them.
  assert.ok(stoa.server.feedWaiting() > 0 && stoa.server.feedWaiting() < connections);
  const stopped = stoa[Symbol.asyncDispose]();
  for (const each of held) await each.received(/HTTP\/1\.1 200 [\s\S]*"changes":\[\]/);
  for (const upload of uploads) upload.send('world');
  for (const upload of uploads) assert.match(await upload.closed(), /HTTP\/1\.1 201 /);
  await stopped;
  await assert.rejects(fetch(stoa.url));
});

test('a waiting feed request wakes on a change through another thread, and both are counted', async () => {
  const port = await freePort();
  await using stoa = await startedServer({ ...withThreads, STOA_METRICS_PORT: String(port) });
  const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const held = Array.from({ length: connections }, () => rawConnection(stoa.port));
  for (const each of held) {
    const target = stoa.at('changes?sinceSeq=0&wait=30');
    each.send(`GET ${target} HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${stoa.apiKey}\r\n\r\n`);
  }
  while (!(await metrics()).includes(`stoa_feed_waiting ${connections}\n`));
  assert.equal((await stoa.call(stoa.at('files/a.md'), { method: 'PUT', body: 'x' })).status, 201);
  for (const each of held) await each.received(/HTTP\/1\.1 200 [\s\S]*"path":"a\.md"/);
  const route = 'route="/api/workspaces/:workspaceId/changes"';
  let text = await metrics();
  const counted = () =>
    text.includes(`stoa_http_requests_total{method="GET",${route},status="200"} ${connections}`);
  // A request is over when its connection is done with it.
  for (let looks = 0; looks < 1000 && !counted(); looks += 1) text = await metrics();
  assert.ok(counted(), text);
  assert.equal(text.match(/^process_cpu_seconds_total /gm)?.length, 1);
});

test('every thread drains, and logs where the first one does', async () => {
  // Long enough for several rounds of all connections on a busy machine.
  const stoa = await startedServer({ ...withThreads, STOA_DRAIN_SECONDS: '20' });
  const health = async () => {
    const responses = Array.from({ length: connections }, () =>
      fetch(`${stoa.url}/api/health`, { headers: { connection: 'close' } }),
    );
    return new Set((await Promise.all(responses)).map(({ status }) => status));
  };
  assert.deepEqual(await health(), new Set([200]));
  const stopped = stoa[Symbol.asyncDispose]();
  // The drain message may not have reached the other threads yet.
  let found = await health();
  for (let looks = 0; looks < 100 && found.has(200); looks += 1) found = await health();
  assert.deepEqual(found, new Set([503]));
  await stopped;
  const logged = stoa.log
    .join('')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  const starts = logged.flatMap(({ requestId }) =>
    typeof requestId === 'string' ? [requestId.split('-')[0]] : [],
  );
  assert.equal(new Set(starts).size, threads, JSON.stringify(logged.slice(0, 5)));
});

test('no other server can listen on the port, before or after', async () => {
  await using stoa = await startedServer(withThreads);
  const message = /is in use/;
  await assert.rejects(startedServer({ ...withThreads, STOA_PORT: String(stoa.port) }), message);
  await assert.rejects(startedServer({ STOA_HTTP_THREADS: '1', STOA_PORT: String(stoa.port) }), message);
});

test('a view of a link is in the list of links at once, whichever threads served it', async () => {
  await using stoa = await startedServer(withThreads);
  const fresh = { connection: 'close' };
  assert.equal((await stoa.call(stoa.at('files/a.md'), { method: 'PUT', body: 'x' })).status, 201);
  const made = await fetch(`${stoa.url}${stoa.at('shares')}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: stoa.cookie, origin: stoa.url },
    body: JSON.stringify({ path: 'a.md', kind: 'file', access: 'public' }),
  });
  assert.equal(made.status, 201);
  const { share } = (await made.json()) as { share: { url: string } };
  const { pathname } = new URL(share.url);
  for (let views = 1; views <= connections; views += 1) {
    assert.equal((await fetch(`${stoa.url}${pathname}/content`, { headers: fresh })).status, 200);
    const list = await stoa.call(stoa.at('shares?path=a.md'), { headers: fresh });
    const { shares } = (await list.json()) as { shares: readonly { viewCount: number }[] };
    assert.equal(shares[0]?.viewCount, views);
  }
});
