import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyTextEdits, mergeTexts } from '../../src/index.ts';
import { comparedCases, mergeLine, readGitMerges } from './git-merges.ts';
import type { MergeCase } from './merge-case.ts';

function mergedByLines({ base, mine, theirs }: MergeCase): string | null {
  const { edits, overlaps } = mergeTexts(base, mine, theirs, { within: 'lines' });
  return overlaps.length > 0 ? null : applyTextEdits(mine, edits);
}

test('a merge by lines is clean exactly where git merge-file is, and ends in the same text', async () => {
  const expected = await readGitMerges();
  const cases = comparedCases();
  assert.equal(cases.length, expected.length, 'the cases were changed: run scripts/write-git-merges.ts');
  const different = cases.flatMap((each, i) => {
    const line = mergeLine(each, mergedByLines(each));
    return line === expected[i] ? [] : [`${each.name}: ${line}, git: ${expected[i]}`];
  });
  assert.deepEqual(different, []);
  const conflicts = expected.filter((line) => line.endsWith('conflict')).length;
  assert.ok(conflicts > 300 && expected.length - conflicts > 300, `${conflicts} of ${expected.length}`);
});

test('a clean merge by lines is also clean by words, with the same text', () => {
  for (const each of comparedCases()) {
    const merged = mergedByLines(each);
    if (merged === null) continue;
    const { edits, overlaps } = mergeTexts(each.base, each.mine, each.theirs, { within: 'words' });
    assert.deepEqual(overlaps, [], each.name);
    assert.equal(applyTextEdits(each.mine, edits), merged, each.name);
  }
});
