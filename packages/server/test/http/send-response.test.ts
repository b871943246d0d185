import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type FastifyReply, fastify } from 'fastify';
import { type HttpResponse, sendResponse } from '../../src/http/responses/response.ts';
import { freeRound } from './support/free-permit.ts';

const responses: readonly (readonly [what: string, answer: () => HttpResponse, length: string | null])[] = [
  ['JSON', () => ({ kind: 'json', status: 201, body: { a: 'ä' }, headers: { 'x-own': '1' } }), '10'],
  ['nothing', () => ({ kind: 'empty', status: 204, headers: { 'x-own': '1' } }), null],
  ['small bytes', () => bytesResponse(new Uint8Array(8).subarray(3)), '5'],
  [
    'a stream',
    () =>
      bytesResponse(
        new ReadableStream({
          type: 'bytes',
          pull(controller) {
            controller.enqueue(new Uint8Array(5));
            controller.close();
          },
        }),
      ),
    '5',
  ],
];

describe('a response', () => {
  for (const [what, result, length] of responses) {
    it(`of ${what} has the headers set before, its own, and its length`, async () => {
      await using server = await responding((reply) => sendResponse(reply, result(), freeRound));
      for (let time = 0; time < 2; time += 1) {
        const response = await fetch(server.url);
        assert.equal(response.headers.get('x-set-before'), 'yes');
        assert.equal(response.headers.get('x-own'), '1');
        assert.equal(response.headers.get('content-length'), length);
        assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
        await response.arrayBuffer();
      }
    });
  }

  it('to HEAD has the length and no body', async () => {
    await using server = await responding((reply) =>
      sendResponse(reply, { kind: 'json', status: 200, body: { a: 'ä' } }, freeRound),
    );
    const response = await fetch(server.url, { method: 'HEAD' });
    assert.equal(response.headers.get('content-length'), '10');
    assert.equal(await response.text(), '');
  });

  it('with an unsendable head can still be replaced by an error', async () => {
    await using server = await responding(async (reply) => {
      const headers = { 'content-disposition': 'a\nb' };
      await assert.rejects(sendResponse(reply, { kind: 'json', status: 200, body: {}, headers }, freeRound));
      await sendResponse(reply, { kind: 'json', status: 500, body: 'refused' }, freeRound);
    });
    const response = await fetch(server.url);
    assert.equal(response.status, 500);
    assert.equal(await response.json(), 'refused');
  });

  it('in chunks is produced to its end for a client that does not read, and then arrives whole', async () => {
    const produced = Promise.withResolvers<void>();
    const chunk = 'x'.repeat(1_000_000);
    await using server = await responding((reply) =>
      sendResponse(
        reply,
        {
          kind: 'json-pieces',
          async produce(write) {
            for (let at = 0; at < 40; at += 1) await write(`${at}${chunk}`);
            produced.resolve();
          },
        },
        freeRound,
      ),
    );
    const response = await fetch(server.url);
    await produced.promise;
    const text = await response.text();
    assert.equal(text, Array.from({ length: 40 }, (_, at) => `${at}${chunk}`).join(''));
  });

  const late: readonly (readonly [what: string, answer: (ready: Promise<void>) => HttpResponse])[] = [
    [
      'chunks of bytes',
      (ready) => ({
        kind: 'byte-pieces',
        headers: {},
        chunks: (async function* () {
          await ready;
          for (let chunk = 0; chunk < 5; chunk += 1) yield new Uint8Array(100_000);
        })(),
      }),
    ],
    [
      'chunks of JSON',
      (ready) => ({
        kind: 'json-pieces',
        async produce(write) {
          await ready;
          for (let chunk = 0; chunk < 5; chunk += 1) await write(' '.repeat(100_000));
        },
      }),
    ],
  ];
  for (const [what, result] of late) {
    it(`in ${what} reports no failure when the client left before the first`, async () => {
      const asked = Promise.withResolvers<void>();
      const left = Promise.withResolvers<void>();
      const handled = Promise.withResolvers<void>();
      const failures: unknown[] = [];
      await using server = await responding(
        async (reply) => {
          reply.raw.once('close', () => void setImmediate().then(left.resolve));
          asked.resolve();
          await sendResponse(reply, result(left.promise), freeRound).then(handled.resolve, handled.reject);
        },
        (error) => failures.push(error),
      );
      const leaving = new AbortController();
      const response = fetch(server.url, { signal: leaving.signal });
      await asked.promise;
      leaving.abort();
      await assert.rejects(response);
      await handled.promise;
      await setImmediate();
      assert.deepEqual(failures, []);
    });
  }
});

function bytesResponse(bytes: Uint8Array | ReadableStream<Uint8Array>): HttpResponse {
  const content = { sizeBytes: 5, open: async () => bytes };
  return { kind: 'bytes', status: 200, headers: { 'x-own': '1' }, content };
}

async function responding(
  response: (reply: FastifyReply) => Promise<void>,
  failed: (error: unknown) => void = () => {},
) {
  const app = fastify({ exposeHeadRoutes: false, http: { optimizeEmptyRequests: true } });
  app.setErrorHandler((error) => {
    failed(error);
    throw error;
  });
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('X-Set-Before', 'yes');
  });
  app.route({
    method: ['GET', 'HEAD'],
    url: '/',
    handler: async (_request, reply) => {
      await response(reply);
      return reply.sent ? undefined : reply;
    },
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { url, [Symbol.asyncDispose]: () => app.close() };
}
