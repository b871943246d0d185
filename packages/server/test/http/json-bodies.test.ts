import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { rawConnection } from './support/raw-connection.ts';
import { type StartedServer, startedServer } from './support/started-server.ts';

let stoa: StartedServer;
before(async () => {
  stoa = await startedServer();
});
after(() => stoa[Symbol.asyncDispose]());

const json = { 'content-type': 'application/json' };
const send = (method: string, path: string, body: string) =>
  stoa.call(stoa.at(path), { method, headers: json, body });
const message = async (response: Response) =>
  String(((await response.json()) as { message: unknown }).message);
/** As a client may send any text: each character as an escape. */
const escaped = (text: string) =>
  text.replace(/./gsu, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

describe('a JSON body', () => {
  it('larger than its route takes is 413, declared or not', async () => {
    const body = JSON.stringify({ from: 'a.md', to: 'b.md', more: 'x'.repeat(64 * 1024) });
    const declared = await send('POST', 'move', body);
    assert.equal(declared.status, 413);
    assert.match(await message(declared), /65536 bytes/);
    const connection = rawConnection(stoa.port);
    const head = `POST ${stoa.at('move')} HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${stoa.apiKey}\r\ncontent-type: application/json`;
    connection.send(`${head}\r\ntransfer-encoding: chunked\r\n\r\n10001\r\n${' '.repeat(65_537)}\r\n`);
    await connection.received(/^HTTP\/1\.1 413 /);
    connection.socket.destroy();
  });

  it('nested too deeply, or with too many values, is rejected before the rest of it arrives', async () => {
    for (const [start, reason] of [
      [`{"paths":${'['.repeat(100)}`, /nested more than 64/],
      [`{"paths":[${'0,'.repeat(60_000)}`, /more than 50000 values/],
      [`{"paths":[${'{"":'.repeat(65)}`, /nested more than 64/],
    ] as const) {
      const connection = rawConnection(stoa.port);
      const head = `PUT ${stoa.at('node-order')} HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${stoa.apiKey}\r\ncontent-type: application/json`;
      connection.send(`${head}\r\ncontent-length: 8000000\r\n\r\n${start}`);
      assert.match(await connection.received(/\}$/), /^HTTP\/1\.1 400 /);
      await connection.received(reason);
      connection.socket.destroy();
    }
  });

  it('of a sign-in has the same limits', async () => {
    const response = await fetch(`${stoa.url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: json,
      body: `{"email":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
    });
    assert.equal(response.status, 400);
    assert.match(await message(response), /nested/);
  });

  it('that orders 1000 paths of 1024 characters is accepted', async () => {
    const paths = Array.from(
      { length: 1000 },
      (_, i) => `${'漢'.repeat(80)}/`.repeat(12) + String(i).padStart(52, 'x'),
    );
    assert.equal(paths[0]?.length, 1024);
    const response = await send('PUT', 'node-order', JSON.stringify({ paths }));
    assert.equal(response.status, 200);
    assert.deepEqual(await response.json(), { ok: true, orders: {} });
    assert.equal((await send('PUT', 'node-order', ` ${JSON.stringify({ paths })}]`)).status, 400);
  });

  it('with the largest theme is accepted, however it is escaped', async () => {
    const themeCss = `a{color:red}${' '.repeat(64 * 1024 - 12)}`;
    const path = `/api/workspaces/${stoa.workspaceId}`;
    const taken = await stoa.call(path, {
      method: 'PATCH',
      headers: json,
      body: `{"themeCss":"${escaped(themeCss)}"}`,
    });
    assert.equal(taken.status, 200);
  });

  it('with the largest comment and reply is accepted, however it is escaped', async () => {
    const quote = 'q'.repeat(4096);
    const [before, behind] = ['b'.repeat(512), 'c'.repeat(512)];
    await send('PUT', 'files/a.md', `${before}${quote}${behind}`);
    const fields = {
      path: 'a.md',
      kind: 'range',
      body: 'w'.repeat(64 * 1024),
      quote,
      contextBefore: before,
      contextAfter: behind,
    };
    const members = Object.entries(fields).map(([name, text]) => `"${name}":"${escaped(text)}"`);
    const started = await send('POST', 'comments', `{${members.join(',')}}`);
    assert.equal(started.status, 201);
    const { thread } = (await started.json()) as { thread: { id: string } };
    const reply = `{"body":"${escaped('w'.repeat(64 * 1024))}"}`;
    assert.equal((await send('POST', `comments/${thread.id}/replies`, reply)).status, 201);
  });
});

describe('an MCP message', () => {
  const post = (body: string) => stoa.call('/api/mcp', { method: 'POST', headers: json, body });

  it('nested too deeply, or of too many values, is a parse error, small or large', async () => {
    for (const body of [
      `{"a":${'['.repeat(1000)}${']'.repeat(1000)}}`,
      `[${'{"a":1},'.repeat(60_000)}0]`,
      `[${'0,'.repeat(2_000_000)}0]`,
    ]) {
      const response = await post(body);
      assert.equal(response.status, 400);
      const { error } = (await response.json()) as { error: { code: number; message: string } };
      assert.equal(error.code, -32700);
      assert.match(error.message, /^Parse error: The body (?:is nested|holds more than)/);
    }
  });
});
