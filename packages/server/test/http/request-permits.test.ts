import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { createRequestPermits } from '../../src/http/permits/request-permits.ts';

/** Waits enough ticks for all work to begin that can begin. */
async function settled(): Promise<void> {
  for (let permit = 0; permit < 20; permit += 1) await nextTick();
}

function response() {
  const emitter = Object.assign(new EventEmitter(), { closed: false });
  return { emitter, response: emitter as unknown as ServerResponse };
}

function asking(permits = createRequestPermits()) {
  const begun: string[] = [];
  return {
    begun,
    ask(name: string, keys: readonly string[]) {
      const of = response();
      const permit = permits.of(of.response, () => keys).untilSent();
      permit.then(
        () => begun.push(name),
        () => begun.push(`${name} refused`),
      );
      return of;
    },
  };
}

test('two costly reads of one user run until they are sent, whatever other users request', async () => {
  const { begun, ask } = asking();
  const [first, second] = [ask('a1', ['ada']), ask('a2', ['ada'])];
  ask('a3', ['ada']);
  ask('a4', ['ada', 'elsewhere']);
  ask('b1', ['ben']);
  await settled();
  assert.deepEqual(begun, ['a1', 'a2', 'b1']);
  first.emitter.emit('close');
  await settled();
  assert.deepEqual(begun.slice(3), ['a3']);
  second.emitter.emit('close');
  await settled();
  assert.deepEqual(begun.slice(4), ['a4']);
});

test('a read whose client left while it waited does not begin, and frees its slot', async () => {
  const { begun, ask } = asking();
  const [first] = [ask('a1', ['ada']), ask('a2', ['ada'])];
  const left = ask('a3', ['ada']);
  ask('a4', ['ada']);
  await settled();
  left.emitter.closed = true;
  first.emitter.emit('close');
  await settled();
  assert.deepEqual(begun, ['a1', 'a2', 'a3 refused', 'a4']);
});

test('downloads of one address are rejected beyond those that may wait', async () => {
  const permits = createRequestPermits();
  const sent = Array.from({ length: 100 }, () => {
    const { response: asked } = response();
    return permits.of(asked, () => ['127.0.0.1']).transfer();
  });
  const outcomes = await Promise.race([Promise.allSettled(sent.slice(96)), nextTick().then(() => settled())]);
  assert.ok(Array.isArray(outcomes));
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : outcome.status)),
    Array(4).fill('overloaded'),
  );
  // No timer keeps the process alive: the waiting ones are rejected after a while.
  await Promise.allSettled(sent);
});
