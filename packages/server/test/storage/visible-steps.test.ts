import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collectVisible } from '../../src/storage/queries/visible-steps.ts';

/** Reads rows of which each `nth` is visible. @returns how many were collected, in how many statements and pauses. */
async function collect(limit: number, { rows: total, nth }: { readonly rows: number; readonly nth: number }) {
  let statements = 0;
  let pauses = 0;
  const breathe = async () => {
    pauses += 1;
  };
  const found = await collectVisible<{ at: number; visible: number }>(
    { breathe },
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

test('a short page waits for nobody', async () => {
  assert.deepEqual(await collect(100, { rows: 10_000, nth: 1 }), { found: 100, statements: 1, pauses: 0 });
});
