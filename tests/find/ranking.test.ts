import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { assertStatus } from '../support/expect.ts';
import { createKey, signUp } from '../support/people.ts';
import { jsonOf, recordsAt, textAt } from '../support/response.ts';
import { useOwnService } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { readCorpus } from './corpus.ts';
import { questions } from './questions.ts';

const firstThreeMin = 54;
const firstTenMin = 58;
const putsAtOnce = 16;
const indexedWithinMs = 10 * 60_000;

const { client: server } = await useOwnService();
const ada = await signUp(server, 'Ada');
const corpus = await createWorkspace(ada, (await createKey(ada)).client);

async function find(q: string, limit: string) {
  const response = await corpus.query('find', { q, limit });
  assertStatus(response, 200);
  return jsonOf(response);
}

test('the wanted file of most questions is among the first results', { timeout: 15 * 60_000 }, async (t) => {
  const files = (await readCorpus()).values();
  const write = async () => {
    for (const { path, bytes } of files) assertStatus(await corpus.put(path, bytes), 201);
  };
  await Promise.all(Array.from({ length: putsAtOnce }, write));
  const giveUpAt = performance.now() + indexedWithinMs;
  while ((await find('no-such-word', '1')).isTotalExact !== true) {
    assert.ok(performance.now() < giveUpAt, 'the index is not complete');
    await pause(500);
  }
  const ranks: { query: string; wanted: string; rank: number; first: string[] }[] = [];
  for (const { query, wanted } of questions) {
    const paths = recordsAt(await find(query, '100'), 'results').map((result) => textAt(result, 'path'));
    ranks.push({ query, wanted, rank: paths.indexOf(wanted) + 1, first: paths.slice(0, 3) });
  }
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
