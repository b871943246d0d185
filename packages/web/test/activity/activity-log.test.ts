import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChangePage, ChangeRecord } from '@stoa/contract';
import { createActivityLog } from '../../src/activity/activity-log.ts';
import type { FeedListener } from '../../src/api/feed-connection.ts';

/** Creates a feed of `count` changes; every seventh is about `rare.md`. */
function fakeFeed(head: number) {
  const listeners = new Set<FeedListener>();
  const asked: number[] = [];
  const change = (seq: number) => ({ seq, path: seq % 7 === 0 ? 'rare.md' : 'a.md' }) as ChangeRecord;
  return {
    listeners,
    asked,
    client: {
      readChanges: async (_id: string, { sinceSeq, limit = 0 }: { sinceSeq: number; limit?: number }) => {
        asked.push(sinceSeq);
        const count = Math.min(limit, head - sinceSeq);
        const changes = Array.from({ length: count }, (_, i) => change(sinceSeq + 1 + i));
        return { changes, head, nextSeq: sinceSeq + count } satisfies ChangePage;
      },
    },
    feed: {
      workspaceId: 'w',
      position: async () => head,
      subscribe: (listener: FeedListener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    tell: (seq: number) => {
      const page = { changes: [change(seq)], head: seq, nextSeq: seq };
      for (const listener of listeners) listener.page?.(page);
    },
  };
}

const seqsOf = (log: ReturnType<typeof createActivityLog>) =>
  log.state
    .get()
    .changes.map(({ seq }) => seq)
    .sort((a, b) => a - b);

test('paging back misses no change and ends at the first', async () => {
  const { client, feed, asked } = fakeFeed(450);
  const log = createActivityLog({ client, feed });
  for (let page = 0; page < 5; page += 1) await log.loadOlder(() => true);
  assert.deepEqual(asked, [250, 50, 0]);
  assert.deepEqual(
    seqsOf(log),
    Array.from({ length: 450 }, (_, i) => i + 1),
  );
  assert.equal(log.state.get().hasOlder, false);
});

test('paging back continues until it finds a match, for at most ten pages', async () => {
  const { client, feed, asked } = fakeFeed(10_000);
  const log = createActivityLog({ client, feed });
  await log.loadOlder(({ path }) => path === 'rare.md');
  assert.equal(asked.length, 1);
  await log.loadOlder(({ path }) => path === 'nowhere.md');
  assert.equal(asked.length, 11);
  assert.deepEqual(log.state.get().hasOlder, true);
});

test('new changes are added only while the log is followed', () => {
  const { client, feed, listeners, tell: report } = fakeFeed(3);
  const log = createActivityLog({ client, feed });
  assert.equal(listeners.size, 0);
  const stop = log.follow();
  report(4);
  assert.deepEqual(seqsOf(log), [4]);
  stop();
  report(5);
  assert.deepEqual([seqsOf(log), listeners.size], [[4], 0]);
});

test('a failed page is reported and requested again from the same cursor', async () => {
  const { client, feed, asked } = fakeFeed(100);
  let fails = true;
  const failing = {
    readChanges: (...query: Parameters<typeof client.readChanges>) =>
      fails ? Promise.reject(new Error('no answer')) : client.readChanges(...query),
  };
  const log = createActivityLog({ client: failing, feed });
  await log.loadOlder(() => true);
  assert.equal(log.state.get().error?.message, 'no answer');
  fails = false;
  await log.loadOlder(() => true);
  assert.deepEqual([asked, log.state.get().error, seqsOf(log).length], [[0], null, 100]);
});
