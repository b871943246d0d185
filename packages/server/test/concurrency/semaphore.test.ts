import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WorkspaceError } from '@stoa/core';
import { createSemaphore, type Semaphore } from '../../src/concurrency/semaphore.ts';

const refusedAs = (code: string) => (error: unknown) =>
  error instanceof WorkspaceError && error.code === code;

/** Lets everything go on that waits for nothing but its turn. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Takes permits in this order while the only one is held, and tells in which order they were served. */
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

test('no more pieces of work run than there are permits, and a failed one gives its permit back', async () => {
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

test('a permit that is given back twice is one permit', async () => {
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

test('without keys whoever came first is served first', async () => {
  const semaphore = createSemaphore(1, { waitingMax: 10 });
  const release = await semaphore.acquire();
  const order: number[] = [];
  const all = [1, 2, 3].map((i) => semaphore.run(async () => order.push(i)));
  release();
  await Promise.all(all);
  assert.deepEqual(order, [1, 2, 3]);
});

test('keys are served in turns, however many of one wait', async () => {
  const semaphore = createSemaphore(1, { waitingMax: 20 });
  const order = await served(semaphore, [['a'], ['a'], ['a'], ['a'], ['b'], ['b'], ['c']]);
  assert.deepEqual(order, ['a', 'b', 'c', 'a', 'b', 'a', 'a']);
});

test('one that comes is served before the one that was served last', async () => {
  const semaphore = createSemaphore(1, { waitingMax: 20 });
  assert.deepEqual(await served(semaphore, [['holder'], ['holder'], ['other']]), [
    'other',
    'holder',
    'holder',
  ]);
});

test('within a wide key its narrow ones are served in turns', async () => {
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

test('one who comes again each time it was served does not pass those who wait', async () => {
  const semaphore = createSemaphore(1, { waitingMax: 10 });
  const order: string[] = [];
  let turns = 0;
  const comeAgain = async (key: string): Promise<void> => {
    turns += 1;
    if (turns > 50) return;
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

test('one key holds no more permits than it may while others find some', async () => {
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

test('more than may wait are refused, of all and of one key', async () => {
  const semaphore = createSemaphore(1, { waitingMax: 3, waitingOfOneMax: 2 });
  const release = await semaphore.acquire('a');
  const waiting = [semaphore.acquire('a'), semaphore.acquire('a')];
  await assert.rejects(semaphore.acquire('a'), refusedAs('overloaded'));
  waiting.push(semaphore.acquire('b'));
  await assert.rejects(semaphore.acquire('c'), refusedAs('overloaded'));
  release();
  await Promise.all(waiting.map((each) => each.then((giveBack) => giveBack())));
  (await semaphore.acquire('a'))();
});

test('one that waited too long is refused in the words of its semaphore, and the permit goes to the next', async () => {
  const refusal = () => new WorkspaceError('overloaded', {}, 'Too much is waiting for the tests.');
  const semaphore = createSemaphore(1, { waitingMax: 3, waitMs: 1, refusal });
  const release = await semaphore.acquire();
  await assert.rejects(semaphore.acquire(), /waiting for the tests/);
  release();
  (await semaphore.acquire())();
});

test('closing refuses those who wait and those who come, and waits for those who hold a permit', async () => {
  const semaphore = createSemaphore(1, { waitingMax: 3 });
  const release = await semaphore.acquire('a');
  const waits = assert.rejects(semaphore.acquire('b'), refusedAs('shutting_down'));
  let isClosed = false;
  const closed = semaphore.close().then(() => {
    isClosed = true;
  });
  await waits;
  await assert.rejects(semaphore.acquire('c'), refusedAs('shutting_down'));
  assert.equal(isClosed, false);
  release();
  await closed;
});
