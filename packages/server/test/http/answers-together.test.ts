import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { answersTogether } from '../../src/http/answers/answers-together.ts';

/** Begins so many answers; says how many have gone out. */
function begin(answers: number): () => number {
  let sent = 0;
  for (let at = 0; at < answers; at += 1) void answersTogether().then(() => (sent += 1));
  return () => sent;
}

async function microtasks(): Promise<void> {
  for (let at = 0; at < 10; at += 1) await Promise.resolve();
}

describe('answers of one turn of the event loop', () => {
  it('go out when it ends', async () => {
    const sent = begin(3);
    await microtasks();
    assert.equal(sent(), 0);
    await nextTurn();
    assert.equal(sent(), 3);
  });

  it('wait for no more than fifteen others', async () => {
    const [first, rest] = [begin(16), begin(2)];
    await microtasks();
    assert.deepEqual([first(), rest()], [16, 0]);
    await nextTurn();
    assert.equal(rest(), 2);
  });
});
