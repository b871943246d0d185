import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchAnchor, resolveAnchor, WorkspaceError } from '@stoa/core';
import { askAnchoringOf } from '../../src/service/comments/anchoring.ts';
import { createWorkers } from '../../src/workers/create-workers.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

test('a worker returns the same results as core', async () => {
  await using workers = createWorkers({ maxFileBytes: 1024 });
  const ask = workers.askAnchoring;
  const before = 'One.\n\nThe second paragraph.\n';
  const after = 'Zero.\n\nOne.\n\nThe second paragraph!\n';
  const question = { kind: 'range', quote: 'second' } as const;
  const placed = await ask('match', { ...question, content: bytes(before) });
  assert.deepEqual(placed, matchAnchor({ ...question, content: bytes(before) }));
  assert.equal(placed.kind, 'placed');
  const { start, end, quote, contextBefore, contextAfter } = placed;
  const asked = {
    anchor: { kind: 'range', quote, contextBefore, contextAfter },
    pinnedRange: { start, end },
  } as const;
  const job = { pinnedContent: bytes(before), content: bytes(after), anchors: [asked, asked] };
  const expected = resolveAnchor({ ...asked, pinnedContent: bytes(before), content: bytes(after) });
  assert.equal(expected.status, 'anchored');
  assert.deepEqual(await ask('resolve', job), [expected, expected]);
  const mapped = await ask('map', { ...question, baseContent: bytes(before), content: bytes(after) });
  assert.equal(mapped.kind, 'placed');
});

test('a short question does not wait for a long one', async () => {
  await using workers = createWorkers({ maxFileBytes: 1024 });
  const ask = workers.askAnchoring;
  // Both threads are up before the race begins.
  const large = () => new Uint8Array(8 * 1024 * 1024).fill(0x61);
  await ask('match', { kind: 'range', quote: 'x', content: large() });
  await ask('match', { kind: 'range', quote: 'x', content: bytes('x') });
  const order: string[] = [];
  const long = Array.from({ length: 4 }, () =>
    ask('match', { kind: 'range', quote: 'aaaaab', content: large() }),
  );
  const last = Promise.all(long).then(() => order.push('long'));
  await ask('match', { kind: 'range', quote: 'x', content: bytes('x') }).then(() => order.push('short'));
  await last;
  assert.deepEqual(order, ['short', 'long']);
});

test('work that takes too long is rejected as overload', async () => {
  const pool = { ask: async () => ({ kind: 'exhausted', limit: 'time' }) as const };
  const ask = askAnchoringOf(pool, pool);
  await assert.rejects(
    ask('match', { kind: 'range', quote: 'x', content: bytes('x') }),
    (error: unknown) => error instanceof WorkspaceError && error.code === 'overloaded',
  );
});
