import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createChooser, reportedPerSecondMax } from '../../src/tracing/choose-requests.ts';

const reported = { traceId: 'a', spanId: 'b', isFollowed: true };
const left = { ...reported, isFollowed: false };

test('requests without a parent trace are sampled by the ratio', () => {
  const numbers = [0, 0.2, 0.24, 0.25, 0.9];
  const isChosen = createChooser(0.25, { random: () => numbers.shift() ?? 1, now: () => 0 });
  assert.deepEqual(
    [1, 2, 3, 4, 5].map(() => isChosen(null)),
    [true, true, true, false, false],
  );
});

test('a ratio of 0 traces none of them, and 1 traces all', () => {
  assert.equal(createChooser(0, { random: () => 0, now: () => 0 })(null), false);
  assert.equal(createChooser(1, { random: () => 1 - Number.EPSILON, now: () => 0 })(null), true);
});

test('a request that its caller does not trace is not traced here', () => {
  assert.equal(createChooser(1)(left), false);
});

test('requests that their caller traces are traced, up to a number per second', () => {
  let now = 5_000;
  const isChosen = createChooser(0, { random: () => 0, now: () => now });
  const count = () =>
    Array.from({ length: reportedPerSecondMax + 5 }, () => isChosen(reported)).filter(Boolean).length;
  assert.equal(count(), reportedPerSecondMax);
  now += 999;
  assert.equal(count(), 0);
  now += 1;
  assert.equal(count(), reportedPerSecondMax);
});

test('beyond that the ratio also applies to them', () => {
  const isChosen = createChooser(0.5, { random: () => 0.4, now: () => 0 });
  assert.ok(Array.from({ length: reportedPerSecondMax * 2 }, () => isChosen(reported)).every(Boolean));
});
