import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseWorkspacePath, searchPaths } from '../../src/index.ts';
import { PathScan } from '../../src/search/path-scan.ts';
import { parseSearchQuery } from '../../src/search/search-query.ts';
import { indexOf, nothingPrivate, search } from './support/run-search.ts';

const long = 'a'.repeat(200);

const resultsMax = 20;
/** Paths of 1024 characters, all but their first few `a`: more than are kept as results. */
const paths = Array.from({ length: 30 }, (_, i) => {
  const start = `${String(i).padStart(3, '0')}/`;
  return parseWorkspacePath(start + `${'a'.repeat(204)}/`.repeat(4) + 'a'.repeat(200));
});

/** Limit of work for each path, in symbols and pairs. All alignments of such a path have some 200,000 pairs. */
const workPerPathMax = 40_000;

for (const [name, hostile] of [
  ['long paths of one letter', paths],
  ['long paths of very many folders', paths.map((p) => parseWorkspacePath(p.replaceAll('aa', 'a/')))],
] as const) {
  test(`a search for 200 times the same letter in ${name} is bounded`, () => {
    const index = indexOf(hostile);
    const scan = new PathScan(parseSearchQuery(long), nothingPrivate, resultsMax);
    let stops = 0;
    for (const chunk of index.chunks) {
      for (let next = 0; next < chunk.paths.length; stops += 1) {
        const before = scan.work;
        const from = next;
        next = scan.scan(chunk, next, before + 1);
        assert.equal(next, from + 1, 'it stops at the first path that passes the bound');
      }
    }
    assert.equal(stops, hostile.length);
    const candidates = scan.totalMatches;
    assert.ok(candidates >= hostile.length);
    assert.ok(scan.work <= candidates * workPerPathMax, `${scan.work} for ${candidates}`);
    assert.equal(search(index, long).totalMatches, candidates);
    for (const { score } of scan.results()) assert.ok(score > 1000, 'still scored by how well it matches');
  });
}

test('a search in a large workspace pauses, so that other requests are served', () => {
  const index = indexOf(Array.from({ length: 20_000 }, (_, i) => `folder-${i % 100}/name-of-file-${i}.md`));
  const steps = searchPaths(index, parseSearchQuery('n o f'), nothingPrivate, 200);
  let stops = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) stops += 1;
  assert.ok(stops >= 2);
  assert.equal(step.value.totalMatches, 20_000);
  assert.equal(step.value.results.length, 200);
});
