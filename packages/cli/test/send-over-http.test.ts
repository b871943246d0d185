import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { HttpResponse, Send, SentRequest } from '@stoa/client';
import { sendOverHttp } from '../src/send-over-http.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

const ways: readonly (readonly [string, Send])[] = [
  ['fetch', fetch],
  ['node:http', sendOverHttp],
];

for (const [name, send] of ways) {
  describe(`requests over ${name}`, () => {
    test('a response has its status, headers and bytes', async () => {
      await using served = await serve((request, response) => {
        response.writeHead(request.headers['x-api-key'] === 'k' ? 404 : 500, { 'X-Service-Version': '7' });
        response.end(`${request.method} ${request.url}`);
      });
      const result = await served.send(send, '/a%20b?c=1', { headers: { 'x-api-key': 'k' } });
      assert.deepEqual([result.status, result.ok], [404, false]);
      assert.equal(result.headers.get('x-service-VERSION'), '7');
      assert.deepEqual([result.headers.has('X-Service-Version'), result.headers.get('ETag')], [true, null]);
      assert.equal(await textOf(result), 'GET /a%20b?c=1');
    });

    test('a body is sent whole with its length, or as a stream', async () => {
      await using served = await serve(async (request, response) => {
        const { 'content-length': length, 'content-type': type } = request.headers;
        response.end(JSON.stringify([await text(request), length ?? null, type ?? null]));
      });
      const post = async (body?: SentRequest['body'], headers = {}) =>
        JSON.parse(
          await textOf(
            await served.send(send, '/', {
              method: 'PUT',
              headers,
              ...(body === undefined ? {} : { body }),
            }),
          ),
        );
      const typed = { 'Content-Type': 'text/markdown' };
      assert.deepEqual(await post(new TextEncoder().encode('é')), ['é', '2', null]);
      assert.deepEqual(await post('{"é":1}', typed), ['{"é":1}', '8', 'text/markdown']);
      assert.deepEqual(await post(streamOf('one', 'two')), ['onetwo', null, null]);
      assert.deepEqual(await post(streamOf('one', 'two'), { 'Content-Length': '6' }), ['onetwo', '6', null]);
      assert.deepEqual(await post(), ['', '0', null]);
    });

    test('responses without a body and long responses are read to their end', async () => {
      const long = Buffer.alloc(3_000_000, 'x');
      await using served = await serve((request, response) => {
        if (request.url === '/none') response.writeHead(204).end();
        else response.writeHead(200, { 'Content-Length': long.length }).end(long);
      });
      assert.equal((await served.send(send, '/none')).body, null);
      const head = await served.send(send, '/', { method: 'HEAD' });
      assert.deepEqual([head.body, head.headers.get('Content-Length')], [null, String(long.length)]);
      let bytes = 0;
      for await (const chunk of (await served.send(send, '/')).body ?? []) bytes += chunk.length;
      assert.equal(bytes, long.length);
    });

    test('a compressed response is unpacked, and a redirect is not followed', async () => {
      await using served = await serve((request, response) => {
        assert.match(String(request.headers['accept-encoding']), /gzip/);
        if (request.url === '/moved') return response.writeHead(302, { Location: '/' }).end('elsewhere');
        return response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('plain'));
      });
      assert.equal(await textOf(await served.send(send, '/')), 'plain');
      assert.equal((await served.send(send, '/moved')).status, 302);
    });

    test('a request fails without a server, after half a response and when the caller aborts', async () => {
      await using served = await serve((request, response) => {
        if (request.url === '/silent') return;
        response.writeHead(200, { 'Content-Length': '100' }).write('half', () => {
          if (request.url === '/half') response.destroy();
        });
      });
      await assert.rejects(textOf(await served.send(send, '/half')));
      const ending = new AbortController();
      const reading = textOf(await served.send(send, '/open', { signal: ending.signal }));
      const waiting = served.send(send, '/silent', { signal: ending.signal });
      ending.abort();
      await Promise.all([assert.rejects(reading), assert.rejects(waiting)]);
      await assert.rejects(served.send(send, '/', { signal: AbortSignal.abort() }));
      await served[Symbol.asyncDispose]();
      await assert.rejects(served.send(send, '/'), (error: Error) => /^ECONN/.test(wordsOf(error)));
    });

    test('a failing body aborts its request, and an early rejection reaches the caller', async () => {
      const begun = Promise.withResolvers<void>();
      const arrived = Promise.withResolvers<string>();
      await using served = await serve((request, response) => {
        if (request.url === '/refused')
          return response.writeHead(413, { Connection: 'close' }).end('too large');
        begun.resolve();
        request.on('error', () => arrived.resolve('broken off'));
        return request.resume().on('end', () => arrived.resolve('whole'));
      });
      const failing = new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode('half')),
        async pull(controller) {
          await begun.promise;
          controller.error(new Error('the file changed'));
        },
      });
      await assert.rejects(served.send(send, '/', { method: 'PUT', body: failing }));
      assert.equal(await arrived.promise, 'broken off');
      let isEnded = false;
      const endless = new ReadableStream<Uint8Array>(
        {
          pull: (controller) => controller.enqueue(new Uint8Array(1024)),
          cancel: () => {
            isEnded = true;
          },
        },
        { highWaterMark: 0 },
      );
      const rejected = await served.send(send, '/refused', { method: 'PUT', body: endless });
      assert.equal(rejected.status, 413);
      assert.equal(await textOf(rejected), 'too large');
      while (!isEnded) await new Promise((resolve) => setImmediate(resolve));
    });
  });
}

async function serve(handle: Handler) {
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    send(send: Send, path: string, options: Partial<SentRequest> = {}): Promise<HttpResponse> {
      const { signal } = new AbortController();
      const usual = { method: 'GET', headers: {}, signal, keepalive: false, redirect: 'manual' } as const;
      const streamed = options.body instanceof ReadableStream ? { duplex: 'half' } : {};
      return send(`http://127.0.0.1:${port}${path}`, { ...usual, ...options, ...streamed });
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

function streamOf(...chunks: string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });
}

async function textOf({ body }: HttpResponse): Promise<string> {
  return body === null ? '' : text(body);
}

function wordsOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : wordsOf((error as Error).cause);
}

test('only a GET is sent again when the server resets a kept connection', async () => {
  const seen: string[] = [];
  await using served = await serve((request, response) => {
    seen.push(String(request.method));
    // The server responds only to the first request of each connection.
    const { socket } = request;
    if (socket.bytesWritten > 0) socket.resetAndDestroy();
    else response.end('answered');
  });
  assert.equal(await textOf(await served.send(sendOverHttp, '/')), 'answered');
  assert.equal(await textOf(await served.send(sendOverHttp, '/')), 'answered');
  assert.deepEqual(seen, ['GET', 'GET', 'GET']);
  await assert.rejects(served.send(sendOverHttp, '/', { method: 'PUT', body: 'x' }));
  assert.deepEqual(seen.slice(3), ['PUT']);
});
