import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ContentHash, WorkspaceError } from '@stoa/core';
import { createWorkerPool, type WorkerOutcome } from '../../src/concurrency/worker-pool.ts';
import {
  markdownRendererOf,
  type SharedMarkdown,
} from '../../src/http/pages/share/markdown/markdown-renderer.ts';
import { type MarkdownText, renderMarkdown } from '../../src/http/pages/share/markdown/render-markdown.ts';
import { createWorkers } from '../../src/workers/create-workers.ts';

const markdownEntry = new URL('../../src/workers/markdown-worker.ts', import.meta.url);

/** The content stands for its hash: the same text has the same one. */
const shared = (text: string, changed: Partial<SharedMarkdown> = {}): SharedMarkdown => ({
  makerId: 'maker',
  workspaceId: 'workspace',
  shareId: 'share',
  contentHash: text as ContentHash,
  text,
  neighbours: null,
  ...changed,
});

/** Renders at once and counts. A result of `outcomeOf` replaces the rendering. */
function countingPool(outcomeOf: (text: string) => WorkerOutcome<string | null> | null = () => null) {
  const asked: string[] = [];
  return {
    asked,
    async ask(question: MarkdownText): Promise<WorkerOutcome<string | null>> {
      asked.push(question.text);
      return outcomeOf(question.text) ?? { kind: 'answered', result: renderMarkdown(question) };
    },
  };
}

test('each text is rendered to its own result', async () => {
  // The service's worker without its limit: on a busy machine an ordinary text may take longer.
  const limits = { threads: 1, memoryMegabytes: 256, taskMs: 60_000, waitingMax: 3 };
  await using pool = createWorkerPool<MarkdownText, string | null>(markdownEntry, limits);
  const renderer = markdownRendererOf(pool);
  const texts = ['# one', '*two*', 'three'].map((text) => renderer.render(shared(text)));
  assert.deepEqual(await Promise.all(texts), ['<h1>one</h1>\n', '<p><em>two</em></p>\n', '<p>three</p>\n']);
});

test('a content is rendered once, also for concurrent calls and other links', async () => {
  const pool = countingPool();
  const renderer = markdownRendererOf(pool);
  await Promise.all([renderer.render(shared('# a')), renderer.render(shared('# a', { shareId: 'other' }))]);
  assert.equal(await renderer.render(shared('# a', { workspaceId: 'other' })), '<h1>a</h1>\n');
  assert.deepEqual(pool.asked, ['# a']);
});

test('each view gets the addresses of its own link, as if it had been rendered for it', async () => {
  const pool = countingPool();
  const renderer = markdownRendererOf(pool);
  const text =
    '[b](../b%20c.md) ![d](d.png "t") [out](../../../x) [web](https://example.org/?a&b) [q](e.md?x#y)';
  for (const neighbours of [
    { below: 'f/a.md', pageBase: '../view/', contentBase: '../content?v=1%2B2' },
    { below: 'f/a.md', pageBase: 'view/', contentBase: 'content?v=3' },
    { below: 'a.md', pageBase: 'view/', contentBase: 'content?v=3' },
  ]) {
    const html = await renderer.render(shared(text, { neighbours }));
    assert.equal(html, renderMarkdown({ text, neighbours }));
  }
  assert.equal(pool.asked.length, 2, 'once for each path in its folder');
});

test('a content that takes too long is not rendered again for a while', async () => {
  let now = 1;
  const pool = countingPool(() => ({ kind: 'exhausted', limit: 'time' }));
  const renderer = markdownRendererOf(pool, () => now);
  for (const minutes of [0, 1, 9]) {
    now = 1 + minutes * 60_000;
    assert.equal(await renderer.render(shared('slow')), null);
  }
  assert.equal(pool.asked.length, 1);
  now = 1 + 11 * 60_000;
  assert.equal(await renderer.render(shared('slow')), null);
  assert.equal(pool.asked.length, 2);
});

test('HTML that grows too large is left as text', async () => {
  const pool = countingPool(() => ({ kind: 'answered', result: 'x'.repeat(3 * 1024 * 1024) }));
  const renderer = markdownRendererOf(pool);
  assert.equal(await renderer.render(shared('grows')), null);
  assert.equal(await renderer.render(shared('grows')), null);
  assert.equal(pool.asked.length, 1);
});

test('a text that nests too deep to render is left as text', async () => {
  const pool = countingPool();
  const renderer = markdownRendererOf(pool);
  for (let view = 0; view < 2; view += 1) {
    assert.equal(await renderer.render(shared(`${'> '.repeat(1000)}deep`)), null);
  }
  assert.equal(pool.asked.length, 1);
});

test('a text that could not wait is plain this time, and rendered the next', async () => {
  let isFull = true;
  const pool = countingPool();
  const full = {
    ask: (question: MarkdownText) =>
      isFull ? Promise.reject(new WorkspaceError('overloaded')) : pool.ask(question),
  };
  const renderer = markdownRendererOf(full);
  assert.equal(await renderer.render(shared('text')), null);
  isFull = false;
  assert.equal(await renderer.render(shared('text')), '<p>text</p>\n');
});

test('a fault of the worker is reported each time', async () => {
  const renderer = markdownRendererOf({ ask: () => Promise.reject(new Error('a bug')) });
  await assert.rejects(renderer.render(shared('text')), /a bug/);
  await assert.rejects(renderer.render(shared('text')), /a bug/);
});

test('hostile contents of one workspace do not delay the page of another, nor of another link', async () => {
  await using workers = createWorkers({ maxFileBytes: 1024 });
  const { markdown } = workers;
  await markdown.render(shared('ready'));
  const order: string[] = [];
  const view = (name: string, wanted: SharedMarkdown) => markdown.render(wanted).then(() => order.push(name));
  const hostile = Array.from({ length: 3 }, (_, i) =>
    view('hostile', shared(`${i}${'['.repeat(120_000)}`, { workspaceId: 'evil', shareId: 'evil' })),
  );
  await Promise.all([
    ...hostile,
    view('same workspace', shared('# s', { workspaceId: 'evil', shareId: 'good' })),
    view('other workspace', shared('# o', { workspaceId: 'other', shareId: 'other' })),
  ]);
  assert.deepEqual(order, ['hostile', 'other workspace', 'same workspace', 'hostile', 'hostile']);
});

test('hostile contents in many workspaces of one user do not delay the page of another user', async () => {
  await using workers = createWorkers({ maxFileBytes: 1024 });
  const { markdown } = workers;
  await markdown.render(shared('ready'));
  const order: string[] = [];
  const view = (name: string, wanted: SharedMarkdown) => markdown.render(wanted).then(() => order.push(name));
  const hostile = Array.from({ length: 4 }, (_, i) =>
    view('hostile', shared(`${i}${'['.repeat(120_000)}`, { makerId: 'evil', workspaceId: `${i}` })),
  );
  await Promise.all([...hostile, view('other user', shared('# o', { workspaceId: 'other' }))]);
  assert.equal(order.indexOf('other user'), 1);
});
