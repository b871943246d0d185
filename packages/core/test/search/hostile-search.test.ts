import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSearchQuery, parseWorkspacePath, searchedPath, searchPaths } from '../../src/index.ts';
import { MatchScorer } from '../../src/search/match-score.ts';
import { listOf, nothingPrivate, search } from './support/run-search.ts';

/** Paths of 1024 characters, all but their first few `a`. */
const paths = Array.from({ length: 30 }, (_, i) => {
  const start = `${String(i).padStart(3, '0')}/`;
  return parseWorkspacePath(start + `${'a'.repeat(204)}/`.repeat(4) + 'a'.repeat(200));
});

/** Limit of work for each path, in positions. All alignments of such a path have some 200,000 pairs. */
const workPerPathMax = 40_000;

for (const [name, hostile] of [
  ['long paths of one letter', paths],
  ['long paths of very many folders', paths.map((p) => parseWorkspacePath(p.replaceAll('aa', 'a/')))],
] as const) {
  for (const [asked, query] of [
    ['200 times the same letter', 'a'.repeat(200)],
    ['100 times the same letter as a term', 'a '.repeat(100)],
    ['200 times the same two letters', `${'a'.repeat(99)}/`.repeat(2)],
  ] as const) {
    test(`a search for ${asked} in ${name} is bounded`, () => {
      const parsed = parseSearchQuery(query);
      const scorer = new MatchScorer(parsed);
      for (const path of hostile) {
        const score = scorer.score(searchedPath(path), 0);
        assert.ok(scorer.work > 0 && scorer.work <= workPerPathMax, `${scorer.work} for one path`);
        scorer.work = 0;
        assert.ok(score > 1000, 'still scored by how well it matches');
      }
      const { results, totalMatches } = search(listOf(hostile), query, { limit: 20 });
      assert.ok(totalMatches >= hostile.length);
      assert.equal(results.length, 20);
    });
  }
}

test('a search in a large workspace pauses, so that other requests are served', () => {
  const files = listOf(Array.from({ length: 20_000 }, (_, i) => `folder-${i % 100}/name-of-file-${i}.md`));
  const steps = searchPaths(files, parseSearchQuery('n o f'), nothingPrivate, 200);
  let stops = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) stops += 1;
  assert.ok(stops >= 2);
  assert.equal(step.value.totalMatches, 20_000);
  assert.equal(step.value.results.length, 200);
});
