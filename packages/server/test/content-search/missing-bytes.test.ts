import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareIndex, repairIndex } from '../../src/service/content-search/index-contents.ts';
import { openSearched } from './support/searched-contents.ts';

test('a content whose bytes are missing is not stored as no text, and indexed once they are back', async () => {
  await using searched = await openSearched(null);
  const { deps, workspaceId } = searched;
  await (await searched.member('ann')).write('late.md', 'late bird');
  const { store } = deps;
  const locateMany = async () => new Map();
  const lost = {
    ...deps,
    store: { ...store, reader: { ...store.reader, blobs: { ...store.reader.blobs, locateMany } } },
  };
  const kinds: boolean[][] = [];
  for (const by of [lost, deps]) {
    const difference = (await compareIndex(deps, workspaceId)) ?? assert.fail('no workspace');
    for await (const _ of repairIndex(by, workspaceId, difference));
    kinds.push((await deps.wordIndex.entries(workspaceId, 0)).entries.map(({ isText }) => isText));
  }
  assert.deepEqual(kinds, [[], [true]]);
});
