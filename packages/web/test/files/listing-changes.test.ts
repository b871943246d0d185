import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indexListing } from '../../src/api/listing-index.ts';
import {
  withIcon,
  withOrder,
  withPrivate,
  withPropertiesMoved,
  withSteps,
} from '../../src/files/listing-changes.ts';
import { planDelete, planMove } from '../../src/files/work-plan.ts';
import { dataOf } from './listing.ts';

const data = dataOf(['a/1.md', 'a/2.md', 'b.md'], {
  icons: { a: 'rocket', 'a/1.md': '🌱', 'ab.md': 'x' },
  orders: { 'a/1.md': 0 },
  privatePaths: ['a'],
});

test('a moved folder is shown where it will be, with what belongs to it', () => {
  const moves = [{ from: 'a', to: 'c/a' }];
  const after = indexListing(withPropertiesMoved(withSteps(data, planMove(moves, data).files), moves));
  assert.deepEqual(
    after.childrenOf('c/a').map(({ path }) => path),
    ['c/a/1.md', 'c/a/2.md'],
  );
  assert.equal(after.entryAt('a'), null);
  assert.deepEqual(after.icons, { 'c/a': 'rocket', 'c/a/1.md': '🌱', 'ab.md': 'x' });
  assert.deepEqual(after.orders, { 'c/a/1.md': 0 });
  assert.equal(after.privateAt('c/a/2.md'), 'c/a');
});

test('a deleted folder is gone, and what belongs to its path stays there', () => {
  const after = withSteps(data, planDelete(['a'], data).files);
  assert.deepEqual([...after.files.keys()], ['b.md']);
  assert.equal(after.icons.a, 'rocket');
});

test('icon, order and privacy are shown at once', () => {
  assert.equal(withIcon(data, 'b.md', 'star').icons['b.md'], 'star');
  assert.equal('a' in withIcon(data, 'a', null).icons, false);
  assert.deepEqual(withOrder(data, ['b.md', 'a']).orders, { 'a/1.md': 0, 'b.md': 0, a: 1 });
  assert.equal(withPrivate(data, 'a', false).privatePaths.size, 0);
});
