import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { type FastifyReply, fastify } from 'fastify';
import { type HttpResponse, sendResponse } from '../../src/http/responses/response.ts';
import { responsesTogether } from '../../src/http/responses/responses-together.ts';
import { freeRound } from './support/free-permit.ts';

/** Begins this many responses. Returns a function that counts the sent ones. */
function begin(responses: number): () => number {
  let sent = 0;
  for (let at = 0; at < responses; at += 1) void responsesTogether().then(() => (sent += 1));
  return () => sent;
}

async function microtasks(): Promise<void> {
  for (let at = 0; at < 10; at += 1) await Promise.resolve();
}

describe('responses of one tick of the event loop', () => {
  it('go out when it ends', async () => {
    const sent = begin(3);
    await microtasks();
    assert.equal(sent(), 0);
    await nextTick();
    assert.equal(sent(), 3);
  });

  it('wait for no more than fifteen others', async () => {
    const [first, rest] = [begin(16), begin(2)];
    await microtasks();
    assert.deepEqual([first(), rest()], [16, 0]);
    await nextTick();
    assert.equal(rest(), 2);
  });
});

const results: Readonly<Record<string, HttpResponse>> = {
  '/json': { kind: 'json', status: 200, body: {} },
  '/empty': { kind: 'empty', status: 204 },
  '/bytes': {
    kind: 'bytes',
    status: 200,
    headers: {},
    content: { sizeBytes: 4, open: async () => Buffer.from('text') },
  },
};

/** Whether a response goes out before the other events of this tick. */
async function goesAtOnce(method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE', url: string): Promise<boolean> {
  const app = fastify();
  let isAtOnce = false;
  const handler = async ({ url: asked }: { url: string }, reply: FastifyReply) => {
    let hasBegun = false;
    const sent = sendResponse(reply, results[asked] ?? assert.fail(), freeRound, () => {
      hasBegun = true;
    });
    await microtasks();
    isAtOnce = hasBegun;
    await sent;
    assert.ok(hasBegun);
    return reply;
  };
  app.route({ method: ['GET', 'PUT', 'POST', 'DELETE'], url: '/:kind', handler });
  const response = await app.inject({ method, url });
  assert.equal(response.statusCode, url === '/empty' ? 204 : 200);
  await app.close();
  return isAtOnce;
}

describe('the response to a write', () => {
  for (const method of ['PUT', 'POST', 'DELETE'] as const) {
    it(`goes at once, so that the next write can join the same commit (${method})`, async () => {
      assert.deepEqual([await goesAtOnce(method, '/json'), await goesAtOnce(method, '/empty')], [true, true]);
    });
  }

  it('does so where responses to reads wait for the end of the tick', async () => {
    for (const [method, url] of [
      ['GET', '/json'],
      ['GET', '/empty'],
      ['HEAD', '/json'],
      ['GET', '/bytes'],
    ] as const) {
      assert.equal(await goesAtOnce(method, url), false, `${method} ${url}`);
    }
  });
});
