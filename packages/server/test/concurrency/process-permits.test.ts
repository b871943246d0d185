import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { processPermits } from '../../src/concurrency/process-permits.ts';

const module = new URL('../../src/concurrency/process-permits.ts', import.meta.url).href;

test('all threads share one limit of concurrent work', async () => {
  const atOnce = 2;
  // The first caller creates the permits that the others share.
  const permits = processPermits('test: together', atOnce);
  const seen = new Int32Array(new SharedArrayBuffer(8));
  const source = `import { setTimeout as pause } from 'node:timers/promises';
    import { workerData as seen } from 'node:worker_threads';
    const { processPermits } = await import('${module}');
    const permits = processPermits('test: together', ${atOnce});
    // Waiting for a permit alone does not keep a thread alive.
    const kept = setInterval(() => {}, 1000);
    await Promise.all(Array.from({ length: 10 }, () => permits.run(async () => {
      const working = Atomics.add(seen, 0, 1) + 1;
      if (working > Atomics.load(seen, 1)) Atomics.store(seen, 1, working);
      await pause(2);
      Atomics.sub(seen, 0, 1);
    })));
    clearInterval(kept);`;
  const ends = Array.from({ length: 3 }, () => {
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), {
      workerData: seen,
    });
    return new Promise<number>((resolve, reject) => worker.once('exit', resolve).once('error', reject));
  });
  assert.deepEqual(await Promise.all(ends), [0, 0, 0]);
  assert.equal(Atomics.load(seen, 1), atOnce);
  assert.equal(await permits.run(async () => 'free'), 'free');
});

test('failed work releases its permit', async () => {
  const permits = processPermits('test: failing', 1);
  await assert.rejects(
    permits.run(() => Promise.reject(new Error('no'))),
    /no/,
  );
  assert.equal(await permits.run(async () => 'free'), 'free');
});
