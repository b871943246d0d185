import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTurns } from '../../src/service/search/turns.ts';
import { createSlots } from '../../src/service/slots.ts';

test('of computations that run together only one goes on before other requests are served', async () => {
  const turns = createTurns();
  const events: string[] = [];
  const compute = async (name: string) => {
    for (let step = 0; step < 3; step += 1) {
      await turns.next();
      events.push(name);
    }
  };
  let serving = true;
  const serve = () => {
    events.push('-');
    if (serving) setImmediate(serve);
  };
  setImmediate(serve);
  await Promise.all([compute('a'), compute('b'), compute('c')]);
  serving = false;
  const computed = events.join('').replace(/^-+|-+$/g, '');
  assert.match(computed, /^[abc](-+[abc])*$/);
  assert.equal(computed.replaceAll('-', ''), 'abcabcabc');
});

test('no more pieces of work run than there are slots, and a failed one gives its slot back', async () => {
  const slots = createSlots(2);
  let running = 0;
  let most = 0;
  const work = (i: number) =>
    slots.run(async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      if (i % 3 === 0) throw new Error('failed');
      return i;
    });
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => work(i)));
  assert.equal(most, 2);
  assert.equal(outcomes.filter(({ status }) => status === 'rejected').length, 7);
  assert.equal(await work(1), 1);
});
