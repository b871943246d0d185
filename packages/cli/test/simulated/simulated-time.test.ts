import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSimulatedTime } from './simulated-pace.ts';

async function traceOf(seed: number): Promise<string[]> {
  const time = createSimulatedTime(seed);
  const trace: string[] = [];
  for (const name of ['a', 'b', 'c']) {
    const pace = time.createPace();
    void (async () => {
      for (let n = 0; n < 20; n += 1) {
        await pace.turn();
        trace.push(`${time.now()} ${name}${n} ${pace.random()}`);
      }
    })();
  }
  await time.run(10_000);
  return trace;
}

describe('simulated time', () => {
  it('gives the same run for the same seed and another run for another seed', async () => {
    const first = await traceOf(7);
    assert.equal(first.length, 60);
    assert.deepEqual(await traceOf(7), first);
    assert.notDeepEqual(await traceOf(8), first);
  });

  it('resumes an aborted sleep at once and never resumes an ended process', async () => {
    const time = createSimulatedTime(1);
    const [alive, ended] = [time.createPace(), time.createPace()];
    const abort = new AbortController();
    let woken = 0;
    void alive.sleep(60_000, abort.signal).then(() => {
      woken = time.now();
    });
    void ended.sleep(10).then(() => assert.fail('an ended process resumed'));
    ended.end();
    void time.sleep(500).then(() => abort.abort());
    assert.equal(await time.run(1000, () => woken > 0), true);
    assert.equal(woken, 500);
    assert.equal(await time.run(1000), false);
  });
});
