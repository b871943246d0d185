import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messageReaderOf } from '../../src/http/request/message-reader.ts';
import { createWorkers } from '../../src/workers/create-workers.ts';

const chunksOf = (text: string) => [new TextEncoder().encode(text)];
const mebibytes = (count: number) => chunksOf(JSON.stringify('x'.repeat(count * 1024 * 1024)));
/** Whether a promise has settled once all other pending work is done. */
async function hasHappened(awaited: Promise<unknown>): Promise<boolean> {
  let happened = false;
  void awaited.then(() => {
    happened = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  return happened;
}
const parsedNothing = { ask: async () => ({ kind: 'answered', result: null }) as const };

test('a flood of one user does not delay the message of another', async () => {
  await using workers = createWorkers({ maxFileBytes: 1024 * 1024 });
  await workers.messages.parse('ada', chunksOf('{}'));
  const order: string[] = [];
  const parse = (userId: string) =>
    workers.messages.parse(userId, mebibytes(2)).then(() => order.push(userId));
  await Promise.all([...Array.from({ length: 12 }, () => parse('ada')), parse('ben')]);
  assert.ok(order.indexOf('ben') <= 2, order.join(' '));
});

test('a short body does not wait for a long one', async () => {
  const asked: string[] = [];
  const pool = (name: string) => ({
    ask: async () => {
      asked.push(name);
      return { kind: 'answered', result: null } as const;
    },
  });
  const reader = messageReaderOf(pool('short'), pool('long'));
  await reader.parse('ada', mebibytes(1));
  await reader.parse('ada', mebibytes(5));
  assert.deepEqual(asked, ['short', 'long']);
});

test('a body that takes too much time or memory is rejected', async () => {
  const exhausted = { ask: async () => ({ kind: 'exhausted', limit: 'memory' }) as const };
  const reader = messageReaderOf(exhausted, exhausted);
  await assert.rejects(reader.parse('ada', chunksOf('{}')), { code: 'overloaded' });
});

test('a user whose bodies are slow delays no other user', async () => {
  const reader = messageReaderOf(parsedNothing, parsedNothing);
  const release = await reader.hold('ada');
  await reader.hold('ada');
  const third = reader.hold('ada');
  assert.equal(await hasHappened(third), false);
  assert.equal(await hasHappened(reader.hold('grace')), true);
  release();
  assert.equal(await hasHappened(third), true);
});

test('the number of large bodies at once is bounded for all users together', async () => {
  const reader = messageReaderOf(parsedNothing, parsedNothing);
  const holds = Array.from({ length: 20 }, (_, person) => reader.hold(`person ${person}`));
  const happened = await Promise.all(holds.map(hasHappened));
  assert.equal(happened.filter(Boolean).length, 8);
});
