import assert from 'node:assert/strict';
import { test } from 'node:test';
import { distancesFrom, readImportGraph } from '../../scripts/testing/import-graph.ts';
import { browserTestsOf } from '../../scripts/testing/plan-near.ts';
import { findTestFiles } from '../../scripts/testing/plan-rounds.ts';
import { readResources } from '../../scripts/testing/resources.ts';

/** Folders of `service` and `http/routes` that are not resources of the interface, by their last name. */
const noResources = ['checking', 'ports', 'secrets', 'service'];

const graph = await readImportGraph();
const resources = await readResources(await findTestFiles(['tests/{conformance,matrix}/*.test.ts']));

test('a folder of the app selects the browser tests of its name', () => {
  const tests = [
    'tests/web/history.test.ts',
    'tests/web/people-and-keys.test.ts',
    'tests/conformance/keys.test.ts',
  ];
  assert.deepEqual(browserTestsOf('packages/web/src/keys/KeyList.tsx', tests), [tests[1]]);
  assert.deepEqual(browserTestsOf('packages/core/src/feed-page.ts', tests), []);
});

test('every resource has black-box tests that test:near finds by its folder', () => {
  const without = [...resources.folders].filter(
    ([folder, word]) =>
      resources.testFiles(word).length === 0 && !noResources.includes(folder.split('/').at(-1) ?? ''),
  );
  assert.deepEqual(without, []);
});

test('every route and every tool belongs to a resource', () => {
  const handlers = [...graph.keys()].filter((file) =>
    /^packages\/server\/src\/http\/routes\/.+\/|^packages\/contract\/src\/routes\/.*-routes\.ts/.test(file),
  );
  assert.ok(handlers.length > 50);
  assert.deepEqual(
    handlers.filter((file) => resources.of(file).length === 0 && !/service|health|plan/.test(file)),
    [],
  );
});

test('the graph has every import of the sources', () => {
  const lost = [...graph].flatMap(([file, names]) =>
    names.filter((name) => !graph.has(name)).map((name) => `${file} imports ${name}`),
  );
  assert.deepEqual(lost, []);
});

test("a decision selects its own test through the package's index, and not the tests of all users", () => {
  const decision = [...graph.keys()].find((file) => file.endsWith('/decide-write.ts')) ?? '';
  const distances = distancesFrom(graph, [decision]);
  const own = [...distances].find(([file]) => file.endsWith('/decide-write.test.ts'));
  assert.equal(own?.[1], 1);
  assert.ok(![...distances.keys()].some((file) => file.startsWith('packages/client/test/')));
});

test("a worker's entry selects the tests of the code that starts it", () => {
  const entry = 'packages/server/test/storage/support/store-writer-thread.ts';
  assert.ok(graph.has(entry));
  assert.ok([...distancesFrom(graph, [entry]).keys()].some((file) => file.endsWith('sqlite-store.test.ts')));
});
