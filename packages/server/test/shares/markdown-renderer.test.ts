import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMarkdownRenderer } from '../../src/http/pages/share/markdown/markdown-renderer.ts';

const threadUrl = new URL('../../src/markdown-thread.ts', import.meta.url);

test('texts are rendered one after the other, each to its own answer', async () => {
  await using renderer = createMarkdownRenderer(threadUrl);
  const texts = ['# one', '*two*', 'three'].map((text) => renderer.render({ text, neighbours: null }));
  assert.deepEqual(await Promise.all(texts), ['<h1>one</h1>\n', '<p><em>two</em></p>\n', '<p>three</p>\n']);
});

test('a thread that fails leaves the text plain, and the next one works', async () => {
  const failing = `import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ text }) => { if (text === 'bad') throw new Error('x'); parentPort.postMessage(text); });`;
  const url = new URL(`data:text/javascript,${encodeURIComponent(failing)}`);
  await using renderer = createMarkdownRenderer(url);
  assert.equal(await renderer.render({ text: 'bad', neighbours: null }), null);
  assert.equal(await renderer.render({ text: 'good', neighbours: null }), 'good');
});

test('too many at once are left plain rather than kept waiting', async () => {
  await using renderer = createMarkdownRenderer(threadUrl);
  const renderings = Array.from({ length: 40 }, () => renderer.render({ text: 'x', neighbours: null }));
  const plain = (await Promise.all(renderings)).filter((html) => html === null);
  assert.equal(plain.length, 8);
});
