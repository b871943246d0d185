import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rebaseChange } from '../../src/index.ts';

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
    const transferred = rebaseChange(content(without), { before: content(before), after: content(after) });
    switch (transferred.kind) {
      case 'stands':
        assert.equal(transferred.content?.contentHash ?? '-', result);
        break;
      case 'left':
        assert.equal(transferred.reason, result);
        break;
      case 'merge':
        assert.equal(transferred.kind, result);
        assert.deepEqual(
          [transferred.base, transferred.mine, transferred.theirs],
          [content(before), content(without), content(after)],
        );
    }
  });
}
