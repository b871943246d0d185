import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createGzip, gzipSync } from 'node:zlib';
import { createStoaClient } from '@stoa/client';
import { parseWorkspacePath } from '@stoa/core';
import { ApiKey } from '../../src/config/api-key.ts';
import { RemoteFailure } from '../../src/engine/ports/remote-workspace.ts';
import { openLocalFolder } from '../../src/local/open-local-folder.ts';
import { postTo } from '../../src/mcp/post-messages.ts';
import { openRemoteWorkspace } from '../../src/remote/open-remote-workspace.ts';
import { sendOverHttp } from '../../src/send-over-http.ts';
import { makeFolder } from '../support/temporary-folder.ts';
import { hashOf, memorySink } from './remote-workspace-suite.ts';

const path = parseWorkspacePath('a.bin');
const part = Buffer.alloc(1024 * 1024, 120);
const headers = {
  'X-Service-Version': '1',
  'X-Service-Content-Hash': hashOf('x'.repeat(3000)),
  'Content-Type': 'application/octet-stream',
};

/** Starts a server that violates the contract. */
async function playServer(listener: RequestListener) {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createStoaClient({ baseUrl, apiKey: 'k', fetch: sendOverHttp });
  return {
    baseUrl,
    client,
    remote: openRemoteWorkspace({ client, workspaceId: 'ws_1' }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Writes until the reader disconnects. @returns a counter of the bytes that the reader accepted. */
function endless(stream: NodeJS.WritableStream, maxBytes: number): { sent: number } {
  const reported = { sent: 0 };
  const write = () => {
    while (reported.sent < maxBytes) {
      reported.sent += part.length;
      if (!stream.write(part)) return void stream.once('drain', write);
    }
    stream.end();
  };
  stream.on('error', () => {});
  write();
  return reported;
}

const causesOf = (error: unknown): string =>
  error instanceof Error ? `${error.message} ${causesOf(error.cause)}` : '';

const muchBytes = 512 * 1024 ** 2;

describe('a server that sends more of a file than it announced', () => {
  for (const [name, more] of [
    ['by the list alone', {}],
    ['packed', { 'Content-Encoding': 'gzip' }],
  ] as const) {
    it(`is cut off there: ${name}`, async () => {
      const reported: { sent: number }[] = [];
      const encodings: unknown[] = [];
      await using server = await playServer((request, response) => {
        encodings.push(request.headers['accept-encoding']);
        response.writeHead(200, { ...headers, ...more });
        if (name === 'packed') {
          const packing = createGzip();
          packing.pipe(response);
          reported.push(endless(packing, muchBytes));
        } else reported.push(endless(response, muchBytes));
      });
      const outcome = await server.remote.download(
        path,
        Object.assign(memorySink(), { expectedBytes: 3000 }),
      );
      assert.equal(outcome.kind, 'transfer_failed');
      assert.match(outcome.kind === 'transfer_failed' ? outcome.detail : '', /more than the 3000 bytes/);
      for (const { sent } of reported) assert.ok(sent < muchBytes / 4, `${sent} bytes`);
      assert.ok(encodings.every((each) => each === 'identity'));
    });
  }

  it('is not read when it announces no length', async () => {
    await using server = await playServer((_, response) => {
      response.writeHead(200, headers);
      endless(response, muchBytes);
    });
    const outcome = await server.remote.download(path, memorySink());
    assert.match(outcome.kind === 'transfer_failed' ? outcome.detail : '', /does not say how long/);
  });

  it('cannot fill the disk, because free space is checked during the download', async () => {
    await using location = await makeFolder();
    await mkdir(join(location.path, '.stoa'));
    await writeFile(join(location.path, '.stoa/config.json'), '{}');
    let free = 200 * 1024 * 1024;
    await using folder = openLocalFolder({
      folder: location.path,
      wallNow: Date.now,
      isReserveKept: false,
      freeBytes: () => free,
    });
    const file = await folder.stage('id-1', 3000);
    assert.equal(file.kind, 'writing');
    if (file.kind !== 'writing') return;
    free = 0;
    let taken = 0;
    await assert.rejects(async () => {
      for (; taken < 100; taken += 1) await file.append(Buffer.from(part));
    }, /disk_full|free/);
    assert.ok(taken <= 64, `${taken} MiB`);
    await file.discard();
    assert.deepEqual(await readdir(join(location.path, '.stoa/staging')), []);
  });
});

describe('a server whose compressed response unpacks to more than the limit', () => {
  const bomb = (status: number): RequestListener => {
    const packed = gzipSync(Buffer.alloc(80 * 1024 * 1024, 32));
    return (_, response) => {
      const type = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
      response.writeHead(status, type).end(packed);
    };
  };

  it('is cut off at 64 MiB, for a success and for an error', async () => {
    for (const status of [200, 500]) {
      await using server = await playServer(bomb(status));
      const query = { cursor: 0, limit: 10, waitSeconds: null };
      await assert.rejects(
        server.remote.readChanges(query),
        (error) => error instanceof RemoteFailure && /a hundred times|longer than/.test(causesOf(error)),
      );
    }
  });

  it('is cut off in a list, which has a higher limit', async () => {
    await using server = await playServer(bomb(200));
    await assert.rejects(server.remote.list(''), (error) => /a hundred times/.test(causesOf(error)));
  });

  it('is cut off by the relay', async () => {
    await using server = await playServer(bomb(200));
    const endpoint = new URL(`${server.baseUrl}/api/mcp`);
    const post = postTo(endpoint, () => new ApiKey('k'), globalThis.fetch);
    const response = await post(endpoint, { method: 'POST', body: '{}' });
    await assert.rejects(response.text(), /longer than/);
  });
});

describe('a list without an end', () => {
  /** Repeats a text while the client reads, up to 256 MiB. */
  const repeating =
    (before: string, text: string): RequestListener =>
    (_, response) => {
      const chunk = Buffer.from(text.repeat(Math.ceil(64_000 / text.length)));
      let sent = 0;
      const write = () => {
        for (; sent < 256 * 1024 ** 2; sent += chunk.length) {
          if (!response.write(chunk)) return void response.once('drain', write);
        }
        response.end();
      };
      response.on('error', () => {});
      response.writeHead(200, { 'Content-Type': 'application/json' }).write(before);
      write();
    };
  const entry = '{"path":"a.md","size":1,"contentType":"text/markdown","version":1}';
  for (const [name, before, text, message] of [
    ['entries', `{"entries":[${entry}`, `,${entry}`, /more than 2000000 entries/],
    ['one text', '{"entries":[{"path":"', 'a', /an entry has more than/],
    ['space', '{"entries":[', ' ', /an entry has more than/],
    ['icons', '{"entries":[],"icons":{"a":"', 'a', /more than 67108864 characters/],
  ] as const) {
    it(`is cut off: ${name}`, async () => {
      await using server = await playServer(repeating(before, text));
      await assert.rejects(
        server.remote.list(''),
        (error) => error instanceof RemoteFailure && error.kind === 'not_stoa' && message.test(error.message),
      );
    });
  }
});

describe('bytes that are read into memory', () => {
  it('are counted as they arrive, regardless of the announced length', async () => {
    for (const announced of [{}, { 'Content-Length': String(2 ** 46) }]) {
      const reported: { sent: number }[] = [];
      await using server = await playServer((_, response) => {
        response.writeHead(200, { ...headers, ...announced });
        reported.push(endless(response, muchBytes));
      });
      const file = await server.client.readFile('ws_1', path);
      assert.equal(file.kind, 'file');
      if (file.kind !== 'file') return;
      await assert.rejects(file.bytes(2_000_000), /longer than 2000000 bytes/);
      for (const { sent } of reported) assert.ok(sent < muchBytes / 4, `${sent} bytes`);
    }
  });
});
