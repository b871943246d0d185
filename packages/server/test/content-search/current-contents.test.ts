import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseWorkspacePath } from '@stoa/core';
import { createCurrentContents } from '../../src/service/content-search/current-contents.ts';
import type { Reader } from '../../src/service/ports/reader.ts';

type FileReads = Parameters<ReturnType<typeof createCurrentContents>['read']>[0];

test('lists without a file take room too: of more than fit, the one read longest ago is read again', async () => {
  const contents = createCurrentContents({ filesMax: 3 });
  let pages = 0;
  const emptied: FileReads = {
    workspaces: { find: async (id: string) => ({ id, seq: 2, usedFiles: 0 }) } as Reader['workspaces'],
    files: {
      async contentsPage() {
        pages += 1;
        return [];
      },
      contentsChangedSince: async () => [
        { seq: 2, changedAt: 1, path: parseWorkspacePath('a.md'), file: null },
      ],
    } as unknown as Reader['files'],
  };
  const readAgain = async (workspaceId: string) => {
    const before = pages;
    assert.deepEqual(await contents.read(emptied, workspaceId), []);
    return pages > before;
  };
  for (const id of ['w1', 'w2', 'w3', 'w4']) assert.equal(await readAgain(id), true);
  assert.equal(await readAgain('w4'), false);
  assert.equal(await readAgain('w1'), true);
});
