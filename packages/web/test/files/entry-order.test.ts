import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultSort, moveInOrder, sortedChildren } from '../../src/files/entry-order.ts';
import { listingOf } from './listing.ts';

const copy = 'plan (conflicted copy 2026-11-20 143012 Ada).md';

function names(
  listing: ReturnType<typeof listingOf>,
  sort: Parameters<typeof sortedChildren>[2],
  folder = '',
) {
  return sortedChildren(listing, folder, sort).map(({ name }) => name);
}

test('folders come first, then names with numbers in them as a person counts', () => {
  const listing = listingOf(['note 10.md', 'note 9.md', 'zoo/a.md', 'Äpfel.md', 'b/x.md']);
  assert.deepEqual(names(listing, 'name'), ['b', 'zoo', 'Äpfel.md', 'note 9.md', 'note 10.md']);
});

test('a `.keep` file is never shown', () => {
  const listing = listingOf(['empty/.keep', '.keep']);
  assert.deepEqual(names(listing, 'name'), ['empty']);
  assert.deepEqual(names(listing, 'name', 'empty'), []);
});

test('items with a custom order come first, and the rest follow by name', () => {
  const listing = listingOf(['a.md', 'b.md', 'c.md', 'folder/x.md'], { orders: { 'c.md': 0, 'a.md': 1 } });
  assert.equal(defaultSort(listing, listing.childrenOf('')), 'custom');
  assert.deepEqual(names(listing, 'custom'), ['c.md', 'a.md', 'folder', 'b.md']);
  assert.deepEqual(names(listing, 'name'), ['folder', 'a.md', 'b.md', 'c.md']);
});

test('the largest and the newest come first, folders by their entries', () => {
  const listing = listingOf([
    { path: 'small.md', size: 1, changedAt: '2026-11-20T10:00:00.000Z' },
    { path: 'large.md', size: 9, changedAt: '2026-11-01T10:00:00.000Z' },
    { path: 'f/a.md', size: 2, changedAt: '2026-10-01T10:00:00.000Z' },
    { path: 'g/a.md', size: 3, changedAt: '2026-09-01T10:00:00.000Z' },
  ]);
  assert.deepEqual(names(listing, 'size'), ['g', 'f', 'large.md', 'small.md']);
  assert.deepEqual(names(listing, 'changed'), ['f', 'g', 'small.md', 'large.md']);
});

for (const sort of ['name', 'size', 'changed', 'custom'] as const) {
  test(`a conflicted copy comes directly after its original by ${sort}`, () => {
    const listing = listingOf(
      ['a.md', { path: copy, size: 50, changedAt: '2026-11-20T14:30:12.000Z' }, 'plan.md', 'zebra.md'],
      { orders: { 'plan.md': 0 } },
    );
    const shown = names(listing, sort);
    assert.equal(shown[shown.indexOf('plan.md') + 1], copy);
  });
}

test('a copy without its original is sorted by its own name', () => {
  assert.deepEqual(names(listingOf(['a.md', copy, 'zebra.md']), 'name'), ['a.md', copy, 'zebra.md']);
});

const four = () => listingOf(['a.md', 'b.md', 'c.md', 'd.md']).childrenOf('');

test('moving an item one position down adds all siblings to the order', () => {
  const change = moveInOrder(four(), 'a.md', { by: 1 });
  assert.deepEqual(change, {
    kind: 'ordered',
    paths: ['b.md', 'a.md', 'c.md', 'd.md'],
    position: 2,
    count: 4,
  });
});

test('the first does not go up, and the last does not go down', () => {
  assert.deepEqual(moveInOrder(four(), 'a.md', { by: -1 }), { kind: 'already_there' });
  assert.deepEqual(moveInOrder(four(), 'd.md', { by: 1 }), { kind: 'already_there' });
});

test('dropped in front of a row or behind it', () => {
  const before = moveInOrder(four(), 'd.md', { before: 'b.md' });
  assert.deepEqual(before.kind === 'ordered' && before.paths, ['a.md', 'd.md', 'b.md', 'c.md']);
  const after = moveInOrder(four(), 'a.md', { after: 'c.md' });
  assert.deepEqual(after.kind === 'ordered' && after.paths, ['b.md', 'c.md', 'a.md', 'd.md']);
  assert.deepEqual(moveInOrder(four(), 'b.md', { after: 'a.md' }), { kind: 'already_there' });
});

test('copies have no position of their own, and no item comes between a file and its copies', () => {
  const shown = listingOf(['a.md', copy, 'plan.md', 'z.md']).childrenOf('');
  assert.deepEqual(moveInOrder(shown, copy, { by: 1 }), { kind: 'stands_behind_original' });
  const change = moveInOrder(shown, 'a.md', { after: copy });
  assert.deepEqual(change.kind === 'ordered' && change.paths, ['plan.md', 'a.md', 'z.md']);
});

test('a folder with more than a thousand items cannot be ordered by hand', () => {
  const paths = (count: number) => Array.from({ length: count }, (_, i) => `${i}.md`);
  assert.equal(moveInOrder(listingOf(paths(1000)).childrenOf(''), '0.md', { by: 1 }).kind, 'ordered');
  assert.equal(moveInOrder(listingOf(paths(1001)).childrenOf(''), '0.md', { by: 1 }).kind, 'too_many');
});
