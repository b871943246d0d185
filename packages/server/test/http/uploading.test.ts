import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type RawConnection, rawConnection } from './support/raw-connection.ts';
import { type StartedServer, startedServer } from './support/started-server.ts';

const limitBytes = 1_000_000;

let stoa: StartedServer;
before(async () => {
  stoa = await startedServer({ STOA_MAX_FILE_BYTES: String(limitBytes) });
});
after(() => stoa[Symbol.asyncDispose]());

function startPut(path: string, headers: Record<string, string | number>): RawConnection {
  const connection = rawConnection(stoa.port);
  const all = { host: 'localhost', 'x-api-key': stoa.apiKey, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  connection.send(`PUT ${stoa.at(`files/${path}`)} HTTP/1.1\r\n${lines.join('')}\r\n`);
  return connection;
}

const chunkOf = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const put = (path: string, body: string, headers: Record<string, string> = {}) =>
  stoa.call(stoa.at(`files/${path}`), { method: 'PUT', body, headers });

/** Lists the files, without the index of contents, which is built in the background. */
async function filesOnDisk(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('content-index.db'));
  return files.map((entry) => join(entry.parentPath, entry.name));
}

describe('writing a file', () => {
  it('is created, updated, unchanged or kept as a conflicted copy', async () => {
    const created = await put('w.md', 'one');
    assert.equal(created.status, 201);
    assert.deepEqual(await created.json(), { path: 'w.md', version: 1 });
    const updated = await put('w.md', 'two', { 'if-match': '"1"' });
    assert.equal(updated.status, 200);
    assert.equal(updated.headers.get('etag'), '"2"');
    const same = await put('w.md', 'two', { 'if-match': '1' });
    assert.deepEqual(await same.json(), { path: 'w.md', version: 2 });
    const lost = await put('w.md', 'three', { 'if-match': '1' });
    assert.equal(lost.status, 412);
    const body = (await lost.json()) as { conflict_copy_path: string };
    assert.deepEqual(Object.keys(body), ['error', 'current_version', 'conflict_copy_path']);
    assert.equal(
      await (await stoa.call(stoa.at(`files/${encodeURI(body.conflict_copy_path)}`))).text(),
      'three',
    );
  });

  it('without a precondition on an existing file is 428', async () => {
    await put('exists.md', 'x');
    assert.equal((await put('exists.md', 'y')).status, 428);
  });

  it('an empty body is 400, before any precondition and however it is sent', async () => {
    await put('full.md', 'x');
    assert.equal((await put('full.md', '')).status, 400);
    const connection = startPut('full.md', { 'transfer-encoding': 'chunked' });
    connection.send('0\r\n\r\n');
    assert.match(await connection.received(/\}$/), /^HTTP\/1\.1 400 /);
    connection.socket.destroy();
  });

  it('a type that could not be sent back as a header is rejected', async () => {
    assert.equal((await put('t.md', 'x', { 'content-type': 'not a type' })).status, 400);
    assert.equal((await put('t.md', 'x', { 'content-type': 'text/x; charset="utf-8"' })).status, 201);
    const { headers } = await stoa.call(stoa.at('files/t.md'));
    assert.equal(headers.get('content-type'), 'text/x; charset="utf-8"');
  });

  it('a path that climbs is rejected as it was sent, before it is normalised', async () => {
    const climbing = ['a/../b', 'a/%2e%2e/b', 'a%2F..%2Fb', 'a\\b', 'a%5Cb', '%00', 'a%ZZ', '%ff'];
    for (const path of climbing) {
      const connection = startPut(path, { 'content-length': 1 });
      connection.send('x');
      assert.match(await connection.received(/\}$/), /^HTTP\/1\.1 400 [\s\S]*Invalid path: /, path);
      connection.socket.destroy();
    }
    const connection = startPut('c//./d.md', { 'content-length': 1 });
    connection.send('x');
    assert.match(await connection.received(/\}$/), /^HTTP\/1\.1 201 [\s\S]*"path":"c\/d\.md"/);
    connection.socket.destroy();
  });
});

describe('a file over the limit', () => {
  it('is rejected from its declared length, before its bytes, and the sender can read why', async () => {
    const connection = startPut('big.bin', { 'content-length': 50_000_000, 'if-match': 1 });
    const response = await connection.received(/\}\}$/);
    assert.match(response, /^HTTP\/1\.1 413 /);
    assert.match(response, /connection: close/i);
    assert.match(response, new RegExp(`"data":{"error":"file_too_large","limit_bytes":${limitBytes}}`));
    // The server reads and discards the rest for a while, so that the client is not reset while it sends.
    connection.send(Buffer.alloc(2_000_000));
    connection.socket.end();
    assert.equal(await connection.closed(), response);
  });

  it('is rejected as soon as it exceeds the limit when the length is not declared', async () => {
    const connection = startPut('big.bin', { 'transfer-encoding': 'chunked' });
    const part = chunkOf('x'.repeat(100_000));
    for (let sent = 0; sent <= limitBytes; sent += 100_000) connection.send(part);
    assert.match(await connection.received(/\}\}$/), /^HTTP\/1\.1 413 /);
    connection.socket.destroy();
    assert.equal((await stoa.call(stoa.at('files/big.bin'))).status, 404);
  });

  it('an ordinary client that sends all of it still gets the response', async () => {
    const response = await put('big.bin', 'x'.repeat(limitBytes * 8));
    assert.equal(response.status, 413);
    assert.match(await response.text(), /file_too_large/);
  });
});

describe('a client that asks first', () => {
  it('is rejected without sending its body', async () => {
    const connection = startPut('e.md', { 'content-length': 50_000_000, expect: '100-continue' });
    const response = await connection.closed();
    assert.match(response, /^HTTP\/1\.1 413 /);
    assert.doesNotMatch(response, /100 Continue/);
  });

  it('gets the error for a missing precondition before it sends its body', async () => {
    await put('asked.md', 'x');
    const connection = startPut('asked.md', { 'content-length': 5, expect: '100-continue' });
    const response = await connection.closed();
    assert.match(response, /^HTTP\/1\.1 428 /);
  });

  it('gets 100 Continue when the request is acceptable', async () => {
    const connection = startPut('e.md', { 'content-length': 5, expect: '100-continue' });
    await connection.received(/^HTTP\/1\.1 100 Continue\r\n\r\n$/);
    connection.send('hello');
    assert.match(await connection.received(/\}$/), /HTTP\/1\.1 201 /);
    connection.socket.destroy();
  });

  it('also gets 100 Continue for JSON', async () => {
    const connection = rawConnection(stoa.port);
    const body = '{"from":"nowhere.md","to":"x.md"}';
    const head = `POST ${stoa.at('move')} HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${stoa.apiKey}\r\nexpect: 100-continue\r\n`;
    connection.send(`${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`);
    await connection.received(/100 Continue\r\n\r\n$/);
    connection.send(body);
    assert.match(await connection.received(/\}$/), /HTTP\/1\.1 404 /);
    connection.socket.destroy();
  });
});

describe('an upload that breaks off', () => {
  for (const headers of [{ 'content-length': 500_000 }, { 'transfer-encoding': 'chunked' }]) {
    it(`keeps nothing: ${JSON.stringify(headers)}`, async () => {
      const { dataDir } = stoa.server.config;
      const before = await filesOnDisk(dataDir);
      const added = async () => (await filesOnDisk(dataDir)).filter((file) => !before.includes(file));
      const connection = startPut('broken.bin', headers);
      connection.send('content-length' in headers ? 'x'.repeat(200_000) : chunkOf('x'.repeat(200_000)));
      while ((await added()).length === 0) await setImmediate();
      const logged = waitForLog(stoa, /"refusal":"upload_interrupted"/);
      connection.socket.destroy();
      await logged;
      assert.equal((await stoa.call(stoa.at('files/broken.bin'))).status, 404);
      assert.deepEqual(await added(), []);
    });
  }
});

/** Resolves when a record that is written from now on matches. */
async function waitForLog({ log }: StartedServer, pattern: RegExp): Promise<void> {
  const from = log.length;
  while (!log.slice(from).some((line) => pattern.test(line))) {
    await setImmediate();
  }
}
