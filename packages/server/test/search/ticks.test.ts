import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTicks } from '../../src/service/search/ticks.ts';

test('of concurrent computations only one continues before other requests are served', async () => {
  const rounds = createTicks();
  const events: string[] = [];
  const compute = async (name: string) => {
    for (let step = 0; step < 3; step += 1) {
      await rounds.next();
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
