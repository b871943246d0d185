import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRejection } from '../support/error.ts';
import { assertJson, assertStatus } from '../support/expect.ts';
import { createKey, signUp } from '../support/people.ts';
import { integerAt, type JsonRecord, jsonOf, recordsAt, textAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server);
const robot = await createKey(ada);
const emptyWorkspace = () => createWorkspace(ada, robot.client);

async function search(
  workspace: WorkspaceClient,
  q: string,
  parameters: Readonly<Record<string, string | number>> = {},
): Promise<JsonRecord> {
  const response = await workspace.query('search', { q, ...parameters });
  assertStatus(response, 200);
  return jsonOf(response);
}

async function foundPaths(workspace: WorkspaceClient, q: string): Promise<readonly string[]> {
  return recordsAt(await search(workspace, q), 'results').map((result) => textAt(result, 'path'));
}

const tree = await emptyWorkspace();
for (const path of [
  'Projects/Budget 2026.md',
  'Projects/.keep',
  'projects.txt',
  'notes/banana.md',
  'notes/übung.md',
]) {
  await tree.put(path, 'zzqqxx');
}
const many = await emptyWorkspace();
await Promise.all(Array.from({ length: 230 }, (_, n) => many.put(`item-${n}.txt`, `${n}`)));

test(
  ...claims(
    ['search.shape', 'search.result'],
    'a result says path, name, whether it is a folder, and a score',
  ),
  async () => {
    const found = await search(tree, 'Budget');
    assert.deepEqual(Object.keys(found).sort(), ['results', 'totalMatches', 'truncated']);
    const [result] = recordsAt(found, 'results');
    assert.equal(typeof result?.score, 'number');
    assert.deepEqual(
      { ...result, score: 0 },
      { path: 'Projects/Budget 2026.md', name: 'Budget 2026.md', isDir: false, score: 0 },
    );
    assert.equal(found.totalMatches, 1);
    assert.equal(found.truncated, false);
  },
);

for (const q of ['bdgt', 'prjbud', 'P/B26', 'budget 2026', 'b2026md']) {
  test(...claims('search.fuzzy', `${q} finds the budget`), async () => {
    assert.ok((await foundPaths(tree, q)).includes('Projects/Budget 2026.md'));
  });
}

test(...claims(['search.fuzzy', 'search.none'], 'letters in another order find nothing'), async () => {
  assertJson(await tree.query('search', { q: 'tegdub' }), 200, {
    results: [],
    totalMatches: 0,
    truncated: false,
  });
});

test(...claims('search.case', 'case does not matter'), async () => {
  assert.deepEqual(await foundPaths(tree, 'BANANA'), ['notes/banana.md']);
  assert.deepEqual(await foundPaths(tree, 'banana'), ['notes/banana.md']);
  assert.deepEqual(await foundPaths(tree, 'ÜBUNG'), ['notes/übung.md']);
});

test(...claims('search.folders', 'folders are found'), async () => {
  const results = recordsAt(await search(tree, 'projects'), 'results');
  const folder = results.find(({ path }) => path === 'Projects');
  assert.deepEqual({ name: folder?.name, isDir: folder?.isDir }, { name: 'Projects', isDir: true });
  assert.equal(results.find(({ path }) => path === 'projects.txt')?.isDir, false);
});

test(...claims('search.not-contents', 'file contents are not searched'), async () => {
  assert.deepEqual(await foundPaths(tree, 'zzqqxx'), []);
});

test(...claims('search.keep', 'placeholders are never found'), async () => {
  assert.deepEqual(await foundPaths(tree, '.keep'), []);
  const found = await search(tree, 'keep');
  assert.equal(found.totalMatches, 0);
});

test(...claims(['search.ranked', 'search.exact-first'], 'the best comes first'), async () => {
  const workspace = await emptyWorkspace();
  for (const path of [
    'r/e/p/o/r/t.md',
    'reparation of the ort.md',
    'archive/report.md',
    'reports of port/x.md',
  ]) {
    await workspace.put(path, 'x');
  }
  const results = recordsAt(await search(workspace, 'report.md'), 'results');
  assert.equal(results[0]?.path, 'archive/report.md');
  const scores = results.map(({ score }) => Number(score));
  assert.deepEqual(
    scores,
    [...scores].sort((a, b) => b - a),
  );
});

test(...claims('search.required', 'a search needs something to search for'), async () => {
  assertRejection(await tree.send('GET', '/search'), 400);
  assertRejection(await tree.send('GET', '/search?q='), 400);
});

test(...claims('search.query-length', 'a query has at most 200 characters'), async () => {
  assertStatus(await tree.query('search', { q: 'b'.repeat(200) }), 200);
  assertRejection(await tree.query('search', { q: 'b'.repeat(201) }), 400);
  assertStatus(await tree.query('search', { q: 'ü'.repeat(200) }), 200);
});

test(
  ...claims(['search.limit-default', 'search.truncated'], 'fifty results come back unless asked otherwise'),
  async () => {
    const found = await search(many, 'item');
    assert.equal(recordsAt(found, 'results').length, 50);
    assert.equal(integerAt(found, 'totalMatches'), 230);
    assert.equal(found.truncated, true);
  },
);

for (const [limit, length] of [
  [1, 1],
  [200, 200],
  [201, 200],
  [100_000, 200],
] as const) {
  test(
    ...claims(
      ['search.limit', 'search.limit-max', 'search.truncated'],
      `a limit of ${limit} gives ${length}`,
    ),
    async () => {
      const found = await search(many, 'item', { limit });
      assert.equal(recordsAt(found, 'results').length, length);
      assert.equal(integerAt(found, 'totalMatches'), 230);
      assert.equal(found.truncated, true);
    },
  );
}

test(...claims('search.truncated', 'a search that found everything is not truncated'), async () => {
  const found = await search(many, 'item-22', { limit: 200 });
  assert.equal(recordsAt(found, 'results').length, integerAt(found, 'totalMatches'));
  assert.equal(found.truncated, false);
});

for (const limit of ['x', '-1', '1.5', '', '1e2']) {
  test(...claims('search.limit-malformed', `a limit of ${JSON.stringify(limit)} is rejected`), async () => {
    assertRejection(await many.query('search', { q: 'item', limit }), 400);
  });
}

test(...claims('search.current', 'a moved file is found at its new path, a deleted one is not'), async () => {
  const workspace = await emptyWorkspace();
  await workspace.put('alpha.md', 'x');
  await workspace.put('beta.md', 'x');
  assert.deepEqual(await foundPaths(workspace, 'alpha'), ['alpha.md']);
  await workspace.remove('alpha.md', 1);
  await workspace.post('move', { from: 'beta.md', to: 'gamma/beta.md' });
  assert.deepEqual(await foundPaths(workspace, 'alpha'), []);
  assert.deepEqual(await foundPaths(workspace, 'beta'), ['gamma/beta.md']);
});
