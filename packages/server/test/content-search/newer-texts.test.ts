import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePathPrefix } from '@stoa/core';
import { compareIndex, repairIndex } from '../../src/service/content-search/index-contents.ts';
import { searchContent } from '../../src/service/content-search/search-content.ts';
import { findFiles } from '../../src/service/find/find-files.ts';
import { openSearched } from './support/searched-contents.ts';

test('texts newer than the reads of this tick are found and indexed, and missing bytes are not stored as no text', async () => {
  await using searched = await openSearched(null);
  const ann = await searched.member('ann');
  await ann.write('first.md', 'early bird');
  const { store } = searched.deps;
  let isFresh = true;
  // The list comes from a newer snapshot than reads that do not ask for a fresh one.
  const deps = {
    ...searched.deps,
    currentFiles: {
      ...searched.deps.currentFiles,
      async read(workspaceId: string) {
        isFresh = false;
        return searched.deps.currentFiles.read(workspaceId);
      },
    },
    store: {
      ...store,
      refreshReads() {
        isFresh = true;
        store.refreshReads();
      },
      reader: {
        ...store.reader,
        blobs: {
          ...store.reader.blobs,
          locateMany: async (...given: Parameters<typeof store.reader.blobs.locateMany>) =>
            isFresh ? store.reader.blobs.locateMany(...given) : new Map(),
        },
      },
    },
  };
  const access = ann.access;
  const query = { text: 'bird', path: '', matchCase: false, context: 0, after: null, limit: 10, offset: 0 };
  assert.equal((await searchContent(deps, access, query)).totalLines, 1);
  const asked = { query: 'bird', folder: parsePathPrefix(''), limit: 10, offset: 0 };
  assert.equal((await findFiles(deps, access, asked)).total, 1);
  const difference = (await compareIndex(deps, searched.workspaceId)) ?? assert.fail('no workspace');
  for await (const _ of repairIndex(deps, searched.workspaceId, difference));
  const indexed = async () => (await deps.wordIndex.entries(searched.workspaceId, 0)).entries;
  assert.deepEqual(
    (await indexed()).map(({ isText }) => isText),
    [true],
  );
  await ann.write('second.md', 'late bird');
  const missing = (await compareIndex(deps, searched.workspaceId)) ?? assert.fail('no workspace');
  const lost = { ...deps, store: { ...deps.store, refreshReads() {} } };
  isFresh = false;
  for await (const _ of repairIndex(lost, searched.workspaceId, missing));
  assert.equal((await indexed()).length, 1);
});
