import assert from 'node:assert/strict';

const step = 1_000_000;
const firstHeadAt = (time: number) => Math.floor((time - Date.UTC(2026, 0, 1)) / 1000) * step;

/**
 * After a restore the feed continues at the number of the current second, in steps that `check` takes for a
 * restore.
 */
export function assertJumped(last: number, head: number, begunAt: number): void {
  const reported = `head ${head} after ${last}`;
  assert.ok(head > last && (head - last) % step === 0, reported);
  assert.ok(head >= firstHeadAt(begunAt) && head < firstHeadAt(Date.now()) + step, reported);
}
