import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differencesFrom } from './compare-feeds.ts';

const whole = Array.from({ length: 6 }, (_, n) => ({
  id: `change ${n}`,
  seq: n + 1,
  op: 'write',
  path: `${n}`,
  version: 1,
}));
const [first, second, third, ...rest] = whole;

test('finds no difference when a follower saw exactly the feed', () => {
  assert.deepEqual(differencesFrom(whole, structuredClone(whole)), []);
});

test('detects each way to see another feed', () => {
  assert.ok(first && second && third);
  const others = {
    'one missed': whole.toSpliced(2, 1),
    'the last missed': whole.slice(0, -1),
    'one twice': [first, second, second, third, ...rest],
    'two in the wrong order': [second, first, third, ...rest],
    'one that is not there': [...whole, { ...first, id: 'another', seq: 7 }],
    'one with another version': [first, { ...second, version: 2 }, third, ...rest],
  };
  for (const [what, seen] of Object.entries(others))
    assert.notDeepEqual(differencesFrom(whole, seen), [], what);
});
