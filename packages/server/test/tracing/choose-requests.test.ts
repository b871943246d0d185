import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createChooser, toldPerSecondMax } from '../../src/tracing/choose-requests.ts';

const told = { traceId: 'a', spanId: 'b', isFollowed: true };
const left = { ...told, isFollowed: false };

test('of requests that come from nowhere the ratio is followed', () => {
  const numbers = [0, 0.2, 0.24, 0.25, 0.9];
  const isChosen = createChooser(0.25, { random: () => numbers.shift() ?? 1, now: () => 0 });
  assert.deepEqual(
    [1, 2, 3, 4, 5].map(() => isChosen(null)),
    [true, true, true, false, false],
  );
});

test('with 0 none of them is followed, with 1 each', () => {
  assert.equal(createChooser(0, { random: () => 0, now: () => 0 })(null), false);
  assert.equal(createChooser(1, { random: () => 1 - Number.EPSILON, now: () => 0 })(null), true);
});

test('one that is not followed where it comes from is not followed here', () => {
  assert.equal(createChooser(1)(left), false);
});

test('those that are followed where they come from are followed, up to so many a second', () => {
  let now = 5_000;
  const isChosen = createChooser(0, { random: () => 0, now: () => now });
  const count = () =>
    Array.from({ length: toldPerSecondMax + 5 }, () => isChosen(told)).filter(Boolean).length;
  assert.equal(count(), toldPerSecondMax);
  now += 999;
  assert.equal(count(), 0);
  now += 1;
  assert.equal(count(), toldPerSecondMax);
});

test('beyond that the ratio is followed of them too', () => {
  const isChosen = createChooser(0.5, { random: () => 0.4, now: () => 0 });
  assert.ok(Array.from({ length: toldPerSecondMax * 2 }, () => isChosen(told)).every(Boolean));
});
