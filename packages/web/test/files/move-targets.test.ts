import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstTarget, moveTargets } from '../../src/files/move-targets.ts';
import { listingOf } from './listing.ts';

const listing = listingOf(['a.md', 'notes/plan.md', 'notes/old/x.md', 'pictures/one.png']);
const labels = (paths: readonly string[], typed = '') =>
  moveTargets(listing, paths, typed, 'Engines (top level)').map(
    ({ path, isNew, isHere }) =>
      `${path === '' ? 'top' : path}${isNew ? ' (new)' : ''}${isHere ? ' (here)' : ''}`,
  );

test('every folder is listed, also the one that holds the item, which is not chosen at first', () => {
  assert.deepEqual(labels(['a.md']), ['top (here)', 'notes', 'notes/old', 'pictures']);
  assert.equal(firstTarget(moveTargets(listing, ['a.md'], '', 'Engines (top level)')), 1);
  assert.deepEqual(labels(['notes/plan.md']), ['top', 'notes (here)', 'notes/old', 'pictures']);
  assert.deepEqual(labels(['a.md', 'notes/plan.md']), ['top', 'notes', 'notes/old', 'pictures']);
});

test('a folder does not go into itself', () => {
  assert.deepEqual(labels(['notes']), ['top (here)', 'pictures']);
});

test('the top folder is also found by its name, and a new path is offered last', () => {
  assert.deepEqual(labels(['notes/plan.md'], 'top'), ['top', 'top (new)']);
  assert.deepEqual(labels(['a.md'], 'old'), ['notes/old', 'old (new)']);
});
