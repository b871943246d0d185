import assert from 'node:assert/strict';
import { test } from 'node:test';
import { treeMove, treeRows } from '../../src/files/tree-rows.ts';
import { listingOf } from './listing.ts';

const listing = listingOf(['a/in/deep.md', 'a/one.md', 'empty/.keep', 'top.md']);
const shown = (...expanded: string[]) => treeRows(listing, new Set(expanded));

test('folded folders hide what is in them', () => {
  assert.deepEqual(
    shown().map(({ path, level, position: location, setSize }) => [path, level, location, setSize]),
    [
      ['a', 1, 1, 3],
      ['empty', 1, 2, 3],
      ['top.md', 1, 3, 3],
    ],
  );
  assert.deepEqual(
    shown('a', 'a/in').map(({ path, level }) => [path, level]),
    [
      ['a', 1],
      ['a/in', 2],
      ['a/in/deep.md', 3],
      ['a/one.md', 2],
      ['empty', 1],
      ['top.md', 1],
    ],
  );
});

test('an unfolded folder below a folded one stays hidden', () => {
  assert.equal(shown('a/in').length, 3);
});

test('Right unfolds, then goes in; Left folds, then goes out', () => {
  assert.deepEqual(treeMove(shown(), 'a', 'ArrowRight'), { kind: 'expand', path: 'a' });
  assert.deepEqual(treeMove(shown('a'), 'a', 'ArrowRight'), { kind: 'focus', path: 'a/in' });
  assert.deepEqual(treeMove(shown('a'), 'a', 'ArrowLeft'), { kind: 'collapse', path: 'a' });
  assert.deepEqual(treeMove(shown('a'), 'a/one.md', 'ArrowLeft'), { kind: 'focus', path: 'a' });
  assert.equal(treeMove(shown(), 'top.md', 'ArrowRight'), null);
  assert.equal(treeMove(shown(), 'top.md', 'ArrowLeft'), null);
});

test('Right on an unfolded folder without anything to see stays', () => {
  assert.equal(treeMove(shown('empty'), 'empty', 'ArrowRight'), null);
});

test('up, down and the ends', () => {
  assert.deepEqual(treeMove(shown(), 'a', 'ArrowDown'), { kind: 'focus', path: 'empty' });
  assert.deepEqual(treeMove(shown(), 'top.md', 'ArrowDown'), { kind: 'focus', path: 'top.md' });
  assert.deepEqual(treeMove(shown(), 'top.md', 'Home'), { kind: 'focus', path: 'a' });
  assert.deepEqual(treeMove(shown(), null, 'End'), { kind: 'focus', path: 'top.md' });
  assert.equal(treeMove([], null, 'ArrowDown'), null);
});
