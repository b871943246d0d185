import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AttemptLimit, decideAttempt } from '@stoa/core';
import fc from 'fast-check';

const limit: AttemptLimit = { max: 3, windowSeconds: 10 };

test('attempts within the limit are allowed, and the next one gets the time to wait', () => {
  assert.deepEqual(decideAttempt([], 1000, limit), { kind: 'allowed', attempts: [1000] });
  assert.deepEqual(decideAttempt([1000, 2000], 3000, limit), {
    kind: 'allowed',
    attempts: [1000, 2000, 3000],
  });
  assert.deepEqual(decideAttempt([1000, 2000, 3000], 3500, limit), { kind: 'refused', retryAfterSeconds: 8 });
  assert.deepEqual(decideAttempt([1000, 2000, 3000], 10_999, limit), {
    kind: 'refused',
    retryAfterSeconds: 1,
  });
  assert.deepEqual(decideAttempt([1000, 2000, 3000], 11_000, limit), {
    kind: 'allowed',
    attempts: [2000, 3000, 11_000],
  });
});

test('after a clock ran ahead, no caller waits longer than the window', () => {
  assert.deepEqual(decideAttempt([900_000, 900_000, 900_000], 1000, limit), {
    kind: 'refused',
    retryAfterSeconds: 10,
  });
});

test('no window has more attempts than the limit, and waiting the given time always helps', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 6000 }), { maxLength: 60 }), (pauses) => {
      let now = 0;
      let kept: readonly number[] = [];
      const allowed: number[] = [];
      for (const pause of pauses) {
        now += pause;
        const decision = decideAttempt(kept, now, limit);
        if (decision.kind === 'refused') {
          assert.equal(decideAttempt(kept, now + decision.retryAfterSeconds * 1000, limit).kind, 'allowed');
          continue;
        }
        kept = decision.attempts;
        assert.ok(kept.length <= limit.max);
        allowed.push(now);
      }
      for (const [i, from] of allowed.entries()) {
        const within = allowed.slice(i).filter((at) => at < from + limit.windowSeconds * 1000);
        assert.ok(within.length <= limit.max, `${within.length} from ${from}`);
      }
    }),
  );
});
