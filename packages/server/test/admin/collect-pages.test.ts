import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collectPages } from '../../src/admin/collect-pages.ts';

test('a listing of several pages is whole and in order', async () => {
  const all = Array.from({ length: 1234 }, (_, i) => ({ id: String(i).padStart(5, '0') }));
  const rows = await collectPages(async (afterId, limit) =>
    all.filter(({ id }) => id > afterId).slice(0, limit),
  );
  assert.deepEqual(rows, all);
});

test('a listing that ends on a full page is not read twice', async () => {
  const all = Array.from({ length: 1000 }, (_, i) => ({ id: String(i).padStart(5, '0') }));
  const rows = await collectPages(async (afterId, limit) =>
    all.filter(({ id }) => id > afterId).slice(0, limit),
  );
  assert.equal(rows.length, 1000);
});
