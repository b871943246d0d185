import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messageReaderOf } from '../../src/http/request/message-reader.ts';
import { createWorkers } from '../../src/workers/create-workers.ts';

const chunksOf = (text: string) => [new TextEncoder().encode(text)];
const mebibytes = (count: number) => chunksOf(JSON.stringify('x'.repeat(count * 1024 * 1024)));
/** Whether it has come to pass once everything that could happen has happened. */
async function hasHappened(awaited: Promise<unknown>): Promise<boolean> {
  let happened = false;
  void awaited.then(() => {
    happened = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  return happened;
}
const parsedNothing = { ask: async () => ({ kind: 'answered', answer: null }) as const };

test('a flood of one person does not hold up the message of another', async () => {
  await using workers = createWorkers({ maxFileBytes: 1024 * 1024 });
  await workers.messages.parse('ada', chunksOf('{}'));
  const order: string[] = [];
  const parse = (userId: string) =>
    workers.messages.parse(userId, mebibytes(2)).then(() => order.push(userId));
  await Promise.all([...Array.from({ length: 12 }, () => parse('ada')), parse('ben')]);
  assert.ok(order.indexOf('ben') <= 2, order.join(' '));
});

test('what is short does not wait for what is long', async () => {
  const asked: string[] = [];
  const pool = (name: string) => ({
    ask: async () => {
      asked.push(name);
      return { kind: 'answered', answer: null } as const;
    },
  });
  const reader = messageReaderOf(pool('short'), pool('long'));
  await reader.parse('ada', mebibytes(1));
  await reader.parse('ada', mebibytes(5));
  assert.deepEqual(asked, ['short', 'long']);
});

test('a body that takes too much time or memory is refused', async () => {
  const exhausted = { ask: async () => ({ kind: 'exhausted', limit: 'memory' }) as const };
  const reader = messageReaderOf(exhausted, exhausted);
  await assert.rejects(reader.parse('ada', chunksOf('{}')), { code: 'overloaded' });
});

test('a person whose bodies are slow keeps nobody else waiting', async () => {
  const reader = messageReaderOf(parsedNothing, parsedNothing);
  const release = await reader.hold('ada');
  await reader.hold('ada');
  const third = reader.hold('ada');
  assert.equal(await hasHappened(third), false);
  assert.equal(await hasHappened(reader.hold('grace')), true);
  release();
  assert.equal(await hasHappened(third), true);
});

test('all together hold a bounded number of large bodies', async () => {
  const reader = messageReaderOf(parsedNothing, parsedNothing);
  const holds = Array.from({ length: 20 }, (_, person) => reader.hold(`person ${person}`));
  const happened = await Promise.all(holds.map(hasHappened));
  assert.equal(happened.filter(Boolean).length, 8);
});
