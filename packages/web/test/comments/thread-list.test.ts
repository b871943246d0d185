import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CommentThread } from '@stoa/contract';
import { areStale, occurrenceOfMatch, shownThreads, threadPassages } from '../../src/comments/thread-list.ts';
import { byteOffsets } from '../../src/text/byte-offsets.ts';

const thread = (id: string, facts: Partial<CommentThread> = {}): CommentThread => ({
  id,
  path: 'a.md',
  status: 'open',
  body: 'why?',
  createdBy: 'ada',
  principal: 'human',
  actorKeyId: null,
  actorLabel: null,
  createdAt: '2026-11-20T10:00:00.000Z',
  anchorKind: 'range',
  quote: 'two',
  contextBefore: '',
  contextAfter: '',
  anchorStatus: 'anchored',
  currentText: 'two',
  currentRange: { start: 4, end: 7 },
  pinnedVersion: 1,
  pinnedContentHash: '0'.repeat(64),
  entries: [],
  entryCount: 0,
  resolvedAt: null,
  resolvedAtVersion: null,
  resolvedBy: null,
  ...facts,
});
const outdated = { anchorStatus: 'outdated', currentText: null, currentRange: null } as const;
const at = (start: number) => ({ currentRange: { start, end: start + 3 } });

test('threads are in text order, those without a position last and oldest first', () => {
  const threads = [
    thread('newer outdated', { ...outdated, createdAt: '2026-11-22T10:00:00.000Z' }),
    thread('below', at(20)),
    thread('older outdated', { ...outdated, createdAt: '2026-11-21T10:00:00.000Z' }),
    thread('above', at(2)),
    thread('resolved', { status: 'resolved' }),
  ];
  const ids = (options: Partial<Parameters<typeof shownThreads>[1]>) =>
    shownThreads(threads, { status: 'open', order: 'text', show: 'all', ...options }).map(({ id }) => id);
  assert.deepEqual(ids({}), ['above', 'below', 'older outdated', 'newer outdated']);
  assert.deepEqual(ids({ order: 'newest' }).slice(0, 2), ['newer outdated', 'older outdated']);
  assert.deepEqual(ids({ show: 'outdated' }), ['older outdated', 'newer outdated']);
  assert.deepEqual(ids({ status: 'resolved' }), ['resolved']);
});

test('threads of agents and of users are distinguished', () => {
  const threads = [thread('person'), thread('agent', { principal: 'agent', actorKeyId: 'k' })];
  const ids = (show: 'people' | 'agents') =>
    shownThreads(threads, { status: 'open', order: 'text', show }).map(({ id }) => id);
  assert.deepEqual(ids('people'), ['person']);
  assert.deepEqual(ids('agents'), ['agent']);
});

test('a passage is marked only if the text at its byte range is that of the server', () => {
  const source = 'o\u00e9e two two';
  const text = { source, ...byteOffsets(source) };
  const threads = [
    thread('one', { currentRange: { start: 5, end: 8 }, entryCount: 2 }),
    thread('same place', { currentRange: { start: 5, end: 8 } }),
    thread('of another text', { currentRange: { start: 4, end: 7 } }),
    thread('resolved', { currentRange: { start: 9, end: 12 }, status: 'resolved' }),
  ];
  assert.deepEqual(threadPassages(threads, text), [
    { id: 'one', start: 4, end: 7, quote: 'two', comments: 4, threads: ['one', 'same place'] },
  ]);
  assert.ok(areStale(threads, text));
  assert.ok(!areStale(threads.slice(0, 2), text));
});

test('a listed match is counted among all matches of the quote', () => {
  const source = 'x y x\nx\n\nx x\n';
  const matches = [{ line: 1 }, { line: 4 }, { line: 4 }];
  assert.deepEqual(
    [0, 1, 2, 3].map((index) => occurrenceOfMatch(source, 'x', matches, index)),
    [1, 4, 5, null],
  );
});
