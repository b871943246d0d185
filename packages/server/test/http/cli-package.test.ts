import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type StartedServer, startedServer } from './support/started-server.ts';

const bytes = Buffer.from('not really a package');
let folder: string;
let stoa: StartedServer;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stoa-cli-package-'));
  const cli = join(folder, 'stoa-cli.tgz');
  await writeFile(cli, bytes);
  stoa = await startedServer({}, { cli });
});
after(async () => {
  await stoa[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const get = (init: RequestInit = {}) => fetch(`${stoa.url}/download/stoa-cli.tgz`, init);

test('every caller can download the CLI, and a cached copy is not sent again', async () => {
  const first = await get();
  assert.equal(first.status, 200);
  assert.equal(first.headers.get('content-type'), 'application/gzip');
  assert.equal(first.headers.get('x-content-type-options'), 'nosniff');
  assert.deepEqual(Buffer.from(await first.arrayBuffer()), bytes);
  const tag = first.headers.get('etag') ?? '';
  const again = await get({ headers: { 'If-None-Match': `"other", W/${tag}` } });
  assert.deepEqual([again.status, again.headers.get('etag'), await again.text()], [304, tag, '']);
  assert.equal((await get({ headers: { 'If-None-Match': '"other"' } })).status, 200);
  const head = await get({ method: 'HEAD' });
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(bytes.length)]);
  const rejected = await get({ method: 'POST' });
  assert.deepEqual([rejected.status, rejected.headers.get('allow')], [405, 'GET, HEAD']);
});

test('without a build the response says what to run', async () => {
  await using without = await startedServer();
  const response = await fetch(`${without.url}/download/stoa-cli.tgz`);
  assert.equal(response.status, 503);
  assert.match(await response.text(), /npm run build/);
});
