import assert from 'node:assert/strict';
import { test } from 'node:test';
import { carryChange } from '../../src/index.ts';

/** A letter stands for a content, a dash for none. */
const content = (name: string) => (name === '-' ? null : { contentHash: name });

/** `without: before > after` and the expected result. */
const cases: readonly (readonly [without: string, before: string, after: string, result: string])[] = [
  ['a', 'a', 'b', 'b'],
  ['a', 'b', 'a', 'a'],
  ['a', 'b', 'b', 'a'],
  ['a', 'b', 'c', 'merge'],
  ['a', 'a', '-', '-'],
  ['a', 'b', '-', '-'],
  ['a', '-', 'a', 'a'],
  ['a', '-', 'b', 'path_taken'],
  ['-', '-', 'a', 'a'],
  ['-', 'a', '-', '-'],
  ['-', 'a', 'a', '-'],
  ['-', 'a', 'b', 'changed_by_others'],
];

for (const [without, before, after, result] of cases) {
  test(`${before} > ${after} where ${without} would have been is ${result}`, () => {
    const carried = carryChange(content(without), { before: content(before), after: content(after) });
    switch (carried.kind) {
      case 'stands':
        assert.equal(carried.content?.contentHash ?? '-', result);
        break;
      case 'left':
        assert.equal(carried.reason, result);
        break;
      case 'merge':
        assert.equal(carried.kind, result);
        assert.deepEqual(
          [carried.base, carried.mine, carried.theirs],
          [content(before), content(without), content(after)],
        );
    }
  });
}
