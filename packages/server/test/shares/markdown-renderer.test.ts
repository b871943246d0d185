import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorkers } from '../../src/workers/create-workers.ts';

test('texts are rendered one after the other, each to its own answer', async () => {
  await using workers = createWorkers({ maxFileBytes: 1024 });
  const texts = ['# one', '*two*', 'three'].map((text) =>
    workers.markdown.render({ text, neighbours: null }),
  );
  assert.deepEqual(await Promise.all(texts), ['<h1>one</h1>\n', '<p><em>two</em></p>\n', '<p>three</p>\n']);
});

test('too many at once are left plain rather than kept waiting', async () => {
  await using workers = createWorkers({ maxFileBytes: 1024 });
  const renderings = Array.from({ length: 40 }, () =>
    workers.markdown.render({ text: 'x', neighbours: null }),
  );
  const plain = (await Promise.all(renderings)).filter((html) => html === null);
  assert.equal(plain.length, 7);
});
