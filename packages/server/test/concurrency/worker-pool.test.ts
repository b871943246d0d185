import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WorkspaceError } from '@stoa/core';
import { createWorkerPool, type WorkerLimits } from '../../src/concurrency/worker-pool.ts';
import type { TestQuestion } from './support/test-worker.ts';

const url = new URL('./support/test-worker.ts', import.meta.url);
const limits: WorkerLimits = { threads: 1, memoryMegabytes: 64, taskMs: 60_000, waitingMax: 10 };

const open = (changed: Partial<WorkerLimits> = {}, idle = { idleMs: 60_000 }) =>
  createWorkerPool<TestQuestion, number>(url, { ...limits, ...changed }, idle);
const rejectedAs = (code: string) => (error: unknown) =>
  error instanceof WorkspaceError && error.code === code;

test('one thread handles the questions one after the other', async () => {
  await using pool = open();
  const responses = await Promise.all([pool.ask('fine'), pool.ask('fine'), pool.ask('fine')]);
  const [first] = responses;
  assert.equal(first?.kind, 'answered');
  assert.deepEqual(responses, [first, first, first]);
});

test('all allowed threads work at once', async () => {
  await using pool = open({ threads: 2 });
  const threads = new Set<unknown>();
  for (const outcome of await Promise.all([pool.ask('fine'), pool.ask('fine')])) {
    if (outcome.kind === 'answered') threads.add(outcome.result);
  }
  assert.equal(threads.size, 2);
});

test('a thread that ends or breaks fails its question alone, and the next one gets a new thread', async () => {
  await using pool = open();
  await assert.rejects(pool.ask('end'), /ended without a result/);
  const [broken, after] = await Promise.allSettled([pool.ask('throw'), pool.ask('fine')]);
  assert.equal(broken.status, 'rejected');
  assert.match(String(broken.reason), /a bug in the worker/);
  assert.equal(after.status, 'fulfilled');
});

test('a question that takes too long is given up, and the next one gets a result', async () => {
  await using pool = open({ taskMs: 50 });
  assert.deepEqual(await pool.ask('loop'), { kind: 'exhausted', limit: 'time' });
  await using waiting = open();
  assert.equal((await waiting.ask('fine')).kind, 'answered');
});

test('a question that takes too much memory is given up, and the next one gets a result', async () => {
  await using pool = open({ memoryMegabytes: 16 });
  assert.deepEqual(await pool.ask('hoard'), { kind: 'exhausted', limit: 'memory' });
  assert.equal((await pool.ask('fine')).kind, 'answered');
});

test('a flood for one key does not delay another key', async () => {
  await using pool = open();
  await pool.ask('fine');
  const order: string[] = [];
  const ask = (key: string) => pool.ask('fine', { keys: [key] }).then(() => order.push(key));
  await Promise.all([...Array.from({ length: 8 }, () => ask('flood')), ask('other')]);
  assert.ok(order.indexOf('other') <= 2, order.join(' '));
});

test('more questions than may wait are rejected', async () => {
  await using pool = open({ waitingMax: 2 });
  const asked = await Promise.allSettled(Array.from({ length: 5 }, () => pool.ask('fine')));
  const rejected = asked.filter((each) => each.status === 'rejected');
  assert.equal(rejected.length, 2);
  for (const { reason } of rejected) assert.ok(rejectedAs('overloaded')(reason));
});

test('buffers are transferred', async () => {
  await using pool = open();
  const bytes = new Uint8Array(10);
  await pool.ask(bytes, { transfer: [bytes.buffer] });
  assert.equal(bytes.byteLength, 0);
});

test('a thread without questions ends, and the next question starts another', async () => {
  await using pool = open({}, { idleMs: 0 });
  const threads = new Set<unknown>();
  // Whether a thread was ended in time for the next question is up to the machine.
  for (let tries = 0; threads.size < 2 && tries < 200; tries += 1) {
    const outcome = await pool.ask('fine');
    if (outcome.kind === 'answered') threads.add(outcome.result);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  assert.equal(threads.size, 2);
});

test('a module that returns no result is a fault', async () => {
  await using pool = createWorkerPool<string, string>(new URL('data:text/javascript,'), limits);
  await assert.rejects(pool.ask('x'), /ended without a result/);
});

test('disposing ends running work, and later questions are rejected', async () => {
  const pool = open();
  await pool.ask('fine');
  const running = assert.rejects(pool.ask('loop'), rejectedAs('shutting_down'));
  const waiting = assert.rejects(pool.ask('fine'), rejectedAs('shutting_down'));
  await pool[Symbol.asyncDispose]();
  await running;
  await waiting;
  await assert.rejects(pool.ask('fine'), rejectedAs('shutting_down'));
});
