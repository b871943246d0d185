import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readClaims } from './read-claims.ts';
import { manifest } from './requirements/index.ts';

const tests = new URL('../', import.meta.url).pathname;
const claims = await readClaims(tests);

test('every requirement has a unique id and a description', () => {
  const ids = manifest.map((requirement) => requirement.id);
  assert.equal(new Set(ids).size, ids.length);
  for (const { id, says } of manifest) {
    assert.match(id, /^[a-z0-9-]+(\.[a-z0-9-]+)+$/);
    assert.match(says, /\.$/, id);
  }
});

test('every requirement is verified by a test', () => {
  assert.deepEqual(
    manifest.filter(({ id }) => !claims.filesById.has(id)).map(({ id }) => id),
    [],
  );
});

test('every requirement that a test names is in the manifest', () => {
  const known = new Set(manifest.map(({ id }) => id));
  assert.deepEqual(
    [...claims.filesById.keys()].filter((id) => !known.has(id)),
    [],
  );
});

test('reports the counts', (t) => {
  t.diagnostic(`${manifest.length} requirements; ${claims.tests} tests name them`);
});
