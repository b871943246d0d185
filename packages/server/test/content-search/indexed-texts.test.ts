import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import type { ContentHash } from '@stoa/core';
import { createIndexedTexts } from '../../src/service/content-search/indexed-texts.ts';
import type { WordIndex } from '../../src/service/ports/word-index.ts';

test('searches that read the same entries at the same time count them once', async () => {
  const all = [1, 2, 3].map((id) => ({ id, part: '', contentHash: `${id}` as ContentHash, isText: true }));
  const entries: WordIndex['entries'] = async (_, after) => {
    await nextTick();
    return { generation: 'one', entries: all.filter(({ id }) => id > after) };
  };
  const indexedTexts = createIndexedTexts({ entries } as WordIndex, (message) => assert.fail(message));
  await indexedTexts.known('w');
  all.push({ id: 4, part: '', contentHash: '4' as ContentHash, isText: true });
  await Promise.all([indexedTexts.known('w'), indexedTexts.known('w')]);
  assert.equal((await indexedTexts.known('w')).count, 4);
});
