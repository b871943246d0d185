import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareEntryNames, indexListing, listDataOf, withListed } from '../../src/api/listing-index.ts';

const response = (
  paths: readonly string[],
  rest: { orders?: Record<string, number>; privatePaths?: string[] } = {},
) => ({
  entries: paths.map((path) => ({ path, size: 1, contentType: 'text/markdown', version: 1 })),
  icons: {},
  orders: rest.orders ?? {},
  privatePaths: rest.privatePaths ?? [],
  nextCursor: null,
});

const names = (listing: ReturnType<typeof indexListing>, folder: string) =>
  listing.childrenOf(folder).map(({ name }) => name);

test('folders come before files, and numbers in names sort as numbers', () => {
  const listing = indexListing(listDataOf(response(['b10.md', 'b9.md', 'zoo/a.md', 'A.md'])));
  assert.deepEqual(names(listing, ''), ['zoo', 'A.md', 'b9.md', 'b10.md']);
});

test('names of any kind are sorted as readers expect', () => {
  const name = fc
    .string({ unit: fc.constantFrom(...'aAbBzZ019 ._-é(ß漢') })
    .filter((text) => text.trim() !== '');
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 30 }), (paths) => {
      const listing = indexListing(listDataOf(response(paths)));
      assert.deepEqual(names(listing, ''), [...paths].sort(compareEntryNames));
    }),
    { numRuns: 300 },
  );
});

test('a large folder is sorted with few comparisons of names', () => {
  const paths = Array.from({ length: 5000 }, (_, n) => [`note ${n}.md`, `Folder ${n}/a.md`])
    .flat()
    .sort();
  let compared = 0;
  const listing = indexListing(listDataOf(response(paths)), (a, b) => {
    compared += 1;
    return compareEntryNames(a, b);
  });
  assert.deepEqual(names(listing, '').slice(0, 3), ['Folder 0', 'Folder 1', 'Folder 2']);
  assert.equal(names(listing, '').at(-1), 'note 4999.md');
  assert.ok(compared < 2 * paths.length, `${compared} comparisons`);
});

test('items with a custom order come first, the others after them', () => {
  const listing = indexListing(listDataOf(response(['a.md', 'b.md', 'x/1.md'], { orders: { 'b.md': 0 } })));
  assert.deepEqual(names(listing, ''), ['b.md', 'x', 'a.md']);
});

test('a conflicted copy comes directly after its original', () => {
  const copy = 'plan (conflicted copy 2026-11-20 143012 Ada).md';
  const listing = indexListing(listDataOf(response([copy, 'plan b.md', 'plan.md', 'plan 0.md'])));
  assert.deepEqual(names(listing, ''), ['plan 0.md', 'plan b.md', 'plan.md', copy]);
});

test('a folder with only .keep is an empty folder', () => {
  const listing = indexListing(listDataOf(response(['a/b/.keep'])));
  assert.deepEqual(names(listing, ''), ['a']);
  assert.deepEqual(names(listing, 'a'), ['b']);
  assert.deepEqual(names(listing, 'a/b'), []);
  assert.equal(listing.entryAt('a/b/.keep'), null);
  assert.equal(listing.entryAt('a/b')?.kind, 'folder');
});

test('a list of one path replaces only the entries of that path', () => {
  const before = listDataOf(response(['a.md', 'a/b.md', 'ab.md'], { orders: { a: 1, 'a/b.md': 0 } }));
  const after = withListed(before, 'a', response(['a/c.md']));
  assert.deepEqual([...after.files.keys()].sort(), ['a.md', 'a/c.md', 'ab.md']);
  assert.deepEqual(after.orders, {});
});

test('the nearest private item above a path is the one that covers it', () => {
  const listing = indexListing(listDataOf(response(['a/b/c.md'], { privatePaths: ['a'] })));
  assert.equal(listing.privateAt('a/b/c.md'), 'a');
  assert.equal(listing.privateAt('b.md'), null);
});
