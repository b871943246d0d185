import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type RetryOptions, retry, retryPauseMs } from '@stoa/client';

class Passing extends Error {
  readonly seconds: number | null;

  constructor(seconds: number | null = null) {
    super('busy');
    this.seconds = seconds;
  }
}

/** Fails with these errors, then succeeds. The clock advances only in pauses. */
async function play(errors: readonly Error[], options: Partial<RetryOptions> = {}) {
  const pauses: number[] = [];
  let elapsedMs = 0;
  let tries = 0;
  const result = await retry(
    async () => {
      const error = errors[tries];
      tries += 1;
      if (error !== undefined) throw error;
      return 'done';
    },
    {
      pace: {
        now: () => elapsedMs,
        random: () => 0.5,
        sleep: async (ms) => {
          pauses.push(ms);
          elapsedMs += ms;
        },
      },
      signal: new AbortController().signal,
      askedSeconds: (error) => (error instanceof Passing ? error.seconds : 'final'),
      ...options,
    },
  ).catch((error: unknown) => error);
  return { result, pauses, tries };
}

test('pauses double up to a minute, and up to half of each is random', () => {
  const pauses = (random: number) => [1, 2, 3, 6, 7, 500].map((n) => retryPauseMs(n, null, random));
  assert.deepEqual(pauses(0), [500, 1000, 2000, 16_000, 30_000, 30_000]);
  assert.deepEqual(pauses(1), [1000, 2000, 4000, 32_000, 60_000, 60_000]);
});

test('a pause is never shorter than the service asks, which may ask for 15 minutes', () => {
  assert.equal(retryPauseMs(1, 7, 0), 7000);
  assert.equal(retryPauseMs(9, 7, 1), 60_000);
  assert.equal(retryPauseMs(1, 86_400, 0), 900_000);
});

test('a request is repeated while its failures are temporary', async () => {
  assert.deepEqual(await play([new Passing(), new Passing(5), new Passing()]), {
    result: 'done',
    pauses: [750, 5000, 3000],
    tries: 4,
  });
  const final = new Error('wrong');
  assert.deepEqual(await play([new Passing(), final]), { result: final, pauses: [750], tries: 2 });
});

test('attempts end at their number, at their time, and when the signal aborts', async () => {
  const errors = Array.from({ length: 9 }, () => new Passing());
  const delays = { pausesMs: [100, 300], jitter: 0 };
  assert.deepEqual((await play(errors, { triesMax: 4, delays })).pauses, [100, 300, 300]);
  assert.deepEqual((await play(errors, { withinMs: 699, delays })).pauses, [100, 300]);
  const ending = new AbortController();
  const reason = new Error('ended');
  const onRetry = () => ending.abort(reason);
  assert.deepEqual(await play(errors, { signal: ending.signal, onRetry }), {
    result: reason,
    pauses: [750],
    tries: 1,
  });
});

test('no other source of the clients computes growing or random pauses', async () => {
  const root = join(import.meta.dirname, '../../..');
  const found: string[] = [];
  for await (const file of glob('packages/{cli,client,web}/src/**/*.{ts,tsx}', { cwd: root })) {
    const source = await readFile(join(root, file), 'utf8');
    if (/\b2 \*\* |Math\.pow|\bpauseMs \*|\* 2,|[Bb]ackoffMs|retryAfterSeconds \?\? 0/.test(source))
      found.push(file);
  }
  assert.deepEqual(found, ['packages/client/src/retry.ts']);
});
