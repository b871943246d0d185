import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeAnchor, resolveAnchor, WorkspaceError } from '@stoa/core';
import { createThreadAnchorResolver } from '../../src/anchoring/thread-anchor-resolver.ts';

const realThread = new URL('../../src/anchoring-thread.ts', import.meta.url);
const mortalThread = new URL('./support/answering-thread.ts', import.meta.url);

const bytes = (text: string) => new TextEncoder().encode(text);
const refusedAs = (code: string) => (error: unknown) =>
  error instanceof WorkspaceError && error.code === code;

test('a thread answers what core answers', async () => {
  await using resolver = createThreadAnchorResolver(realThread);
  const before = 'One.\n\nThe second paragraph.\n';
  const after = 'Zero.\n\nOne.\n\nThe second paragraph!\n';
  const question = { kind: 'range', quote: 'second' } as const;
  const placed = await resolver.place({ ...question, content: bytes(before) });
  assert.deepEqual(placed, placeAnchor({ ...question, content: bytes(before) }));
  assert.equal(placed.kind, 'placed');
  const { start, end, quote, contextBefore, contextAfter } = placed;
  const asked = {
    anchor: { kind: 'range', quote, contextBefore, contextAfter },
    pinnedRange: { start, end },
  } as const;
  const job = { pinnedContent: bytes(before), content: bytes(after), anchors: [asked, asked] };
  const expected = resolveAnchor({ ...asked, pinnedContent: bytes(before), content: bytes(after) });
  assert.equal(expected.status, 'anchored');
  assert.deepEqual(await resolver.resolve(job), [expected, expected]);
  const mapped = await resolver.map({ ...question, baseContent: bytes(before), content: bytes(after) });
  assert.equal(mapped.kind, 'placed');
});

test('a short question does not wait for a long one', async () => {
  await using resolver = createThreadAnchorResolver(realThread);
  // Both threads are up before the race begins.
  const large = () => new Uint8Array(8 * 1024 * 1024).fill(0x61);
  await resolver.place({ kind: 'range', quote: 'x', content: large() });
  await resolver.place({ kind: 'range', quote: 'x', content: bytes('x') });
  const order: string[] = [];
  const long = Array.from({ length: 4 }, () =>
    resolver.place({ kind: 'range', quote: 'aaaaab', content: large() }),
  );
  const last = Promise.all(long).then(() => order.push('long'));
  await resolver.place({ kind: 'range', quote: 'x', content: bytes('x') }).then(() => order.push('short'));
  await last;
  assert.deepEqual(order, ['short', 'long']);
});

test('a thread that ends or breaks fails its question alone, and the next one gets a new thread', async () => {
  await using resolver = createThreadAnchorResolver(mortalThread);
  const place = (quote: string) => resolver.place({ kind: 'range', quote, content: bytes('fine') });
  await assert.rejects(place('deadly'));
  assert.equal((await place('fine')).kind, 'placed');
  await assert.rejects(place('broken'), /a bug in the thread/);
  const [broken, after] = await Promise.allSettled([place('broken'), place('fine')]);
  assert.equal(broken.status, 'rejected');
  assert.equal(after.status, 'fulfilled');
});

test('more questions than can wait are refused', async () => {
  await using resolver = createThreadAnchorResolver(realThread);
  const asked = Array.from({ length: 80 }, () =>
    resolver.place({ kind: 'range', quote: 'x', content: bytes('x') }),
  );
  const refused = (await Promise.allSettled(asked)).filter((answer) => answer.status === 'rejected');
  assert.equal(refused.length, 16);
  for (const { reason } of refused) assert.ok(refusedAs('overloaded')(reason));
});

test('a closed resolver answers nothing', async () => {
  const resolver = createThreadAnchorResolver(realThread);
  await resolver.place({ kind: 'range', quote: 'x', content: bytes('x') });
  const asked = resolver.place({ kind: 'range', quote: 'x', content: bytes('x') });
  const failed = assert.rejects(asked, refusedAs('shutting_down'));
  await resolver[Symbol.asyncDispose]();
  await failed;
  await assert.rejects(
    resolver.place({ kind: 'range', quote: 'x', content: bytes('x') }),
    refusedAs('shutting_down'),
  );
});
