import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memberViewer } from '@stoa/core';
import { createChangeReader } from '../../src/storage/queries/changes.ts';
import type { Executor } from '../../src/storage/queries/executor.ts';
import { collectVisible } from '../../src/storage/queries/visible-steps.ts';

/** Reads rows of which each `nth` is visible. @returns how many were collected, in how many statements and pauses. */
async function collect(limit: number, { rows: total, nth }: { readonly rows: number; readonly nth: number }) {
  let statements = 0;
  let pauses = 0;
  const breathe = async () => {
    pauses += 1;
  };
  const found = await collectVisible<{ at: number; visible: number }>(
    { breathe, stepRows: 2000 },
    limit,
    async (after, rows) => {
      statements += 1;
      const first = after === undefined ? 0 : after.at + 1;
      const count = Math.min(rows, total - first);
      return Array.from({ length: count }, (_, i) => ({
        at: first + i,
        visible: (first + i) % nth === 0 ? 1 : 0,
      }));
    },
  );
  return { found: found.length, statements, pauses };
}

test('others are served after each long step, also where it fills a page', async () => {
  assert.deepEqual(await collect(2000, { rows: 10_000, nth: 1 }), { found: 2000, statements: 1, pauses: 1 });
  assert.deepEqual(await collect(6000, { rows: 10_000, nth: 1 }), { found: 6000, statements: 3, pauses: 3 });
  assert.deepEqual(await collect(2, { rows: 8000, nth: 8000 }), { found: 1, statements: 13, pauses: 12 });
});

test('a short page does not pause', async () => {
  assert.deepEqual(await collect(99, { rows: 10_000, nth: 1 }), { found: 99, statements: 1, pauses: 0 });
});

/** Counts the statements and pauses of a reader of a feed of 730 changes. */
function feedReader(privacyRecords: number) {
  let [statements, pauses] = [0, 0];
  const executor = {
    stepRows: 100,
    breathe: async () => {
      pauses += 1;
    },
  } as unknown as Executor;
  const queries = {
    privacyRecords: { get: async () => ({ count: privacyRecords }) },
    scan: {
      all: async (
        _: Executor,
        { sinceSeq, limit }: { readonly sinceSeq: number; readonly limit: number },
      ) => {
        statements += 1;
        const count = Math.min(limit, 730 - sinceSeq);
        return Array.from({ length: count }, (_, at) => ({
          seq: sinceSeq + at + 1,
          visible: at % 2,
          path: 'a',
        }));
      },
    },
  } as unknown as Parameters<typeof createChangeReader>[1];
  const reader = createChangeReader(executor, queries);
  const scan = (sinceSeq: number, limit: number) =>
    reader.scan({ workspaceId: 'w', viewer: memberViewer('u'), sinceSeq, limit, includeComments: true });
  return { scan, counts: () => [statements, pauses] };
}

test('a page of the feed is read in steps, with pauses between them', async () => {
  const { scan, counts } = feedReader(1);
  const page = await scan(0, 500);
  assert.deepEqual([page.scannedSeqs.length, page.scannedSeqs.at(-1), page.changes.length], [500, 500, 250]);
  assert.deepEqual(counts(), [5, 4]);
  const rest = await scan(500, 1000);
  assert.deepEqual([rest.scannedSeqs.length, rest.scannedSeqs.at(-1)], [230, 730]);
  assert.deepEqual(counts(), [8, 6]);
});

test('a page of the feed is read in one step where no row needs a lookup', async () => {
  const { scan, counts } = feedReader(0);
  const page = await scan(0, 500);
  assert.deepEqual([page.scannedSeqs.length, page.changes.length], [500, 250]);
  const rest = await scan(500, 1000);
  assert.deepEqual([rest.scannedSeqs.length, rest.scannedSeqs.at(-1)], [230, 730]);
  assert.deepEqual(counts(), [2, 0]);
});
