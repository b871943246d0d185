import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indexListing } from '../../src/api/listing-index.ts';
import { statesOf } from '../../src/files/entry-facts.ts';
import { dataOf } from './listing.ts';

test('an item that is private through a folder names the folder without its path', () => {
  const listing = indexListing(
    dataOf(['team/board/notes.md', 'team/plan.md'], { privatePaths: ['team/board'] }),
  );
  const states = (path: string) => {
    const entry = listing.entryAt(path);
    assert.ok(entry !== null, path);
    return statesOf(listing, entry);
  };
  assert.deepEqual(states('team/board/notes.md'), ['Private with board']);
  assert.deepEqual(states('team/board'), ['Private']);
  assert.deepEqual(states('team/plan.md'), []);
});
