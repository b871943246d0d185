import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { corpus } from './corpus/index.ts';
import { judge, misses, resolveCase, scoreTable, scoreTableByKind } from './score.ts';

/** Cases where Stoa differs from a careful reader. docs/anchoring.md explains them. */
const knownMisses = [
  'a paragraph split, its halves swapped',
  'a quote across two paragraphs, the first rewritten',
  'ingredients sorted alphabetically',
  'a point after an ingredient, the next one renamed',
];

for (const [kind, cases] of corpus) {
  for (const each of cases) {
    if (knownMisses.includes(each.name)) continue;
    test(`${kind}: ${each.name}: ${each.expected}`, () => {
      const resolved = resolveCase(each);
      assert.equal(resolved.status, each.expected);
      assert.equal(judge(each, resolved.range, resolved.status), 'right', JSON.stringify(resolved));
    });
  }
}

test('the misses of the corpus are those that docs/anchoring.md names', async () => {
  assert.deepEqual(misses(), knownMisses);
  const page = await readFile(new URL('../../../../docs/anchoring.md', import.meta.url), 'utf8');
  for (const name of knownMisses) assert.ok(page.includes(name), `docs/anchoring.md does not name: ${name}`);
});

test('docs/anchoring.md has the current score of the corpus', async () => {
  const page = await readFile(new URL('../../../../docs/anchoring.md', import.meta.url), 'utf8');
  assert.ok(page.includes(scoreTable()), 'run node scripts/anchoring-score.ts');
});

/** After an intended change, run `npx -c 'node --test --test-update-snapshots packages/core/test/anchoring/corpus.test.ts'`. */
test('the score of each kind of edit is pinned', (t) => {
  t.assert.snapshot(scoreTableByKind(), { serializers: [(text) => text] });
});

test('every case has a unique name', () => {
  const names = [...corpus.values()].flat().map((each) => each.name);
  assert.equal(new Set(names).size, names.length);
});
