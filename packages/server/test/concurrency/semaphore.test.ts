import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WorkspaceError } from '@stoa/core';
import { createSemaphore, type Semaphore } from '../../src/concurrency/semaphore.ts';

const rejectedAs = (code: string) => (error: unknown) =>
  error instanceof WorkspaceError && error.code === code;

/** Lets all work continue that waits only for its slot. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Requests permits in this order while the only one is taken. Returns the order of service. */
async function served(semaphore: Semaphore, wanted: readonly (readonly string[])[]): Promise<string[]> {
  const release = await semaphore.acquire('holder');
  const order: string[] = [];
  const all = wanted.map((keys) =>
    semaphore.run(
      async () => {
        order.push(keys.join('/'));
        await settle();
      },
      ...keys,
    ),
  );
  release();
  await Promise.all(all);
  return order;
}

test('no more jobs run than there are permits, and a failed one releases its permit', async () => {
  const semaphore = createSemaphore(2, { waitingMax: 100 });
  let running = 0;
  let most = 0;
  const work = (i: number) =>
    semaphore.run(async () => {
      running += 1;
      most = Math.max(most, running);
      await settle();
      running -= 1;
      if (i % 3 === 0) throw new Error('failed');
      return i;
    });
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => work(i)));
  assert.equal(most, 2);
  assert.equal(outcomes.filter(({ status }) => status === 'rejected').length, 7);
  assert.equal(await work(1), 1);
});

test('a permit that is released twice is one permit', async () => {
  const semaphore = createSemaphore(1, { waitingMax: 10 });
  const release = await semaphore.acquire();
  release();
  release();
  const held = await semaphore.acquire();
  const next = semaphore.acquire();
  let isServed = false;
  void next.then(() => {
    isServed = true;
  });
  await settle();
  assert.equal(isServed, false);
  held();
  (await next)();
});

test('without keys the first to come is served first', async () => {
  const semaphore = createSemaphore(1, { waitingMax: 10 });
  const release = await semaphore.acquire();
  const order: number[] = [];
  const all = [1, 2, 3].map((i) => semaphore.run(async () => order.push(i)));
  release();
  await Promise.all(all);
  assert.deepEqual(order, [1, 2, 3]);
});

test('keys are served round-robin, however many callers of one key wait', async () => {
  const semaphore = createSemaphore(1, { waitingMax: 20 });
  const order = await served(semaphore, [['a'], ['a'], ['a'], ['a'], ['b'], ['b'], ['c']]);
  assert.deepEqual(order, ['a', 'b', 'c', 'a', 'b', 'a', 'a']);
});

test('a new caller is served before the one that was served last', async () => {
  const semaphore = createSemaphore(1, { waitingMax: 20 });
  assert.deepEqual(await served(semaphore, [['holder'], ['holder'], ['other']]), [
    'other',
    'holder',
    'holder',
  ]);
});

test('the narrow keys of one wide key are served round-robin', async () => {
  const semaphore = createSemaphore(1, { waitingMax: 20 });
  const order = await served(semaphore, [
    ['w', '1'],
    ['w', '1'],
    ['w', '2'],
    ['w', '3'],
    ['v', '1'],
  ]);
  assert.deepEqual(order, ['w/1', 'v/1', 'w/2', 'w/3', 'w/1']);
});

test('a caller that comes again after each service does not pass waiting ones', async () => {
  const semaphore = createSemaphore(1, { waitingMax: 10 });
  const order: string[] = [];
  let rounds = 0;
  const comeAgain = async (key: string): Promise<void> => {
    rounds += 1;
    if (rounds > 50) return;
    await semaphore.run(async () => {
      order.push(key);
      await settle();
    }, key);
    return comeAgain(key);
  };
  await Promise.all([
    comeAgain('a'),
    comeAgain('b'),
    ...[1, 2, 3].map(() => semaphore.run(async () => order.push('patient'), 'patient')),
  ]);
  assert.ok(order.lastIndexOf('patient') < 12, order.join(' '));
});

test('one key has no more permits than allowed while others find some', async () => {
  const semaphore = createSemaphore(3, { waitingMax: 10, atOnceOfOne: 2 });
  const first = await semaphore.acquire('a');
  await semaphore.acquire('a');
  let third: (() => void) | null = null;
  void semaphore.acquire('a').then((release) => {
    third = release;
  });
  await semaphore.acquire('b');
  await settle();
  assert.equal(third, null);
  first();
  await settle();
  assert.notEqual(third, null);
});

test('too many waiting callers are rejected, in total and for one key', async () => {
  const semaphore = createSemaphore(1, { waitingMax: 3, waitingOfOneMax: 2 });
  const release = await semaphore.acquire('a');
  const waiting = [semaphore.acquire('a'), semaphore.acquire('a')];
  await assert.rejects(semaphore.acquire('a'), rejectedAs('overloaded'));
  waiting.push(semaphore.acquire('b'));
  await assert.rejects(semaphore.acquire('c'), rejectedAs('overloaded'));
  release();
  await Promise.all(waiting.map((each) => each.then((giveBack) => giveBack())));
  (await semaphore.acquire('a'))();
});

test("one that waited too long gets its semaphore's error, and the next gets the permit", async () => {
  const error = () => new WorkspaceError('overloaded', {}, 'Too much is waiting for the tests.');
  const semaphore = createSemaphore(1, { waitingMax: 3, waitMs: 1, overloadError: error });
  const release = await semaphore.acquire();
  await assert.rejects(semaphore.acquire(), /waiting for the tests/);
  release();
  (await semaphore.acquire())();
});

test('closing rejects waiting and new callers, and waits for permit holders', async () => {
  const semaphore = createSemaphore(1, { waitingMax: 3 });
  const release = await semaphore.acquire('a');
  const waits = assert.rejects(semaphore.acquire('b'), rejectedAs('shutting_down'));
  let isClosed = false;
  const closed = semaphore.close().then(() => {
    isClosed = true;
  });
  await waits;
  await assert.rejects(semaphore.acquire('c'), rejectedAs('shutting_down'));
  assert.equal(isClosed, false);
  release();
  await closed;
});
