import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Row } from '../../bench/bench-case.ts';
import { allCases } from '../../bench/cases/index.ts';
import { withTables } from '../../bench/report/write-tables.ts';

const row: Row = {
  figure: 'GET',
  against: 'bare',
  result: { kind: 'ratio', ratio: { median: 0.5, least: 0.4, most: 0.6 } },
  target: null,
};

test('replaces a table whose cases all ran, and leaves the others', () => {
  const page = '<!-- bench: a b -->\nold\n<!-- /bench -->\ntext\n<!-- bench: a c -->\nold\n<!-- /bench -->\n';
  const text = withTables(
    page,
    new Map([
      ['a', [row]],
      ['b', [row]],
    ]),
  );
  const [first = '', second = ''] = text.split('text');
  assert.match(first, /^\| GET \| bare \| 0\.50 \| {2}\|$/m);
  assert.doesNotMatch(first, /old/);
  assert.match(second, /old/);
});

test('updates only the rows that a table lists, and says which targets are missed', () => {
  const rows: readonly Row[] = [
    { ...row, figure: 'PUT', target: { bound: 'at_least', ratio: 1 } },
    { ...row, against: 'another control' },
  ];
  const listed = '| PUT | bare | 2.00 | ≥ 1 |';
  const page = `<!-- bench: a -->\n${listed}\n<!-- /bench -->\n`;
  const text = withTables(page, new Map([['a', rows]]));
  assert.match(text, /^\| PUT \| bare \| 0\.50 \| ≥ 1, missed \|$/m);
  assert.doesNotMatch(text, /another control|2\.00/);
});

test('docs/performance.md has a table for every case except that of agents', async () => {
  const page = await readFile(new URL('../../docs/performance.md', import.meta.url), 'utf8');
  const named = [...page.matchAll(/<!-- bench: ([^>]*) -->/g)].flatMap(([, cases = '']) => cases.split(' '));
  const expected = allCases.map(({ id }) => id).filter((id) => id !== 'agents');
  assert.deepEqual(named.toSorted(), expected.toSorted());
});
