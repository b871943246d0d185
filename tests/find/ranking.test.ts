import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFindQuery } from '@stoa/core';
import { readCorpus } from './corpus.ts';
import { MemoryIndex } from './memory-index.ts';
import { questions } from './questions.ts';

const firstThreeMin = 54;
const firstTenMin = 58;

test('the wanted file of most questions is among the first results', async (t) => {
  const index = new MemoryIndex(await readCorpus());
  const ranks = questions.map(({ query, wanted }) => {
    const paths = index.find(parseFindQuery(query));
    return { query, wanted, rank: paths.indexOf(wanted) + 1, first: paths.slice(0, 3) };
  });
  for (const { query, wanted, rank, first } of ranks) {
    if (rank === 0 || rank > 3) t.diagnostic(`${query} → ${wanted}: ${rank}; first: ${first.join(', ')}`);
  }
  const within = (most: number) => ranks.filter(({ rank }) => rank > 0 && rank <= most).length;
  t.diagnostic(
    `first: ${within(1)}, first three: ${within(3)}, first ten: ${within(10)} of ${questions.length}`,
  );
  assert.ok(within(3) >= firstThreeMin, `${within(3)} in the first three`);
  assert.ok(within(10) >= firstTenMin, `${within(10)} in the first ten`);
});
