import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoaApiError, StoaConnectionError } from '@stoa/client';
import type { ChangePage } from '@stoa/contract';
import type { FeedListener } from '../../src/api/feed-connection.ts';
import { createListing, wantedAfter } from '../../src/api/listing.ts';
import { createStore } from '../../src/store/store.ts';

type ChangeRecord = ChangePage['changes'][number];

function page(...changes: readonly { readonly op: ChangeRecord['op']; readonly path: string }[]): ChangePage {
  return { changes: changes as unknown as ChangePage['changes'], head: 1, nextSeq: 1 };
}

/** A workspace of files by path, a feed that the test controls, and a listing over both. */
function opened(paths: readonly string[]) {
  const files = new Set(paths);
  const asked: string[] = [];
  const listeners = new Set<FeedListener>();
  const failures: Error[] = [];
  let gathered: (() => void) | null = null;
  let nowMs = 0;
  const visible = createStore(true);
  const listing = createListing({
    client: {
      list: async (_id, { prefix = '' } = {}) => {
        asked.push(prefix);
        const failure = failures.shift();
        if (failure !== undefined) throw failure;
        const inside = [...files].filter(
          (path) => prefix === '' || path === prefix || path.startsWith(`${prefix}/`),
        );
        return {
          entries: inside.map((path) => ({
            ...{ path, size: 1, contentType: 'text/plain', version: 1, contentHash: 'a'.repeat(64) },
            ...{ changedAt: '2026-11-22T10:00:00.000Z', principal: 'human' as const },
            ...{ actorId: 'us_1', actorKeyId: null, actorLabel: null },
          })),
          icons: {},
          orders: {},
          privatePaths: [],
          nextCursor: null,
        };
      },
    },
    feed: {
      workspaceId: 'w',
      state: createStore({ kind: 'live' as const }),
      position: () => Promise.resolve(0),
      subscribe: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      retry: () => {},
      disconnected: () => {},
      close: () => {},
    },
    visibility: { isVisible: visible.get, subscribe: visible.subscribe },
    now: () => nowMs,
    gather: (run) => {
      gathered = run;
      return () => {
        gathered = null;
      };
    },
  });
  const state = () => listing.state.get();
  return {
    listing,
    files,
    asked,
    failures,
    visible,
    passTime: (ms: number) => {
      nowMs += ms;
    },
    tell: (reported: ChangePage) => {
      for (const listener of listeners) listener.page?.(reported);
    },
    reachHead: () => {
      for (const listener of listeners) listener.reachedHead?.();
    },
    /** Ends the debounce time of changes. */
    gather: () => gathered?.(),
    /** Waits for the next state. */
    next: () =>
      new Promise<void>((resolve) => {
        const stop = listing.state.subscribe(() => {
          stop();
          resolve();
        });
      }),
    paths: () => {
      const now = state();
      assert.ok(now.kind === 'ready');
      return [...now.listing.files.keys()].sort();
    },
  };
}

test('a change requests only the changed path', async () => {
  const w = opened(['a.md', 'b.md']);
  await w.next();
  w.files.delete('a.md');
  w.files.add('c.md');
  w.tell(page({ op: 'delete', path: 'a.md' }, { op: 'move', path: 'c.md' }));
  w.gather();
  await w.next();
  assert.deepEqual(w.asked, ['', 'a.md', 'c.md']);
  assert.deepEqual(w.paths(), ['b.md', 'c.md']);
});

test('many changed paths or changed access request the whole list', () => {
  const many = page(...Array.from({ length: 21 }, (_, n) => ({ op: 'write' as const, path: `${n}.md` })));
  assert.equal(wantedAfter(many).kind, 'all');
  assert.equal(wantedAfter(page({ op: 'access_granted', path: 'a' })).kind, 'all');
  assert.equal(wantedAfter(page({ op: 'comment_created', path: 'a.md' })).kind, 'nothing');
});

test('a failed request is repeated when the feed is reached', async () => {
  const w = opened(['a.md']);
  await w.next();
  w.files.add('b.md');
  w.failures.push(new StoaConnectionError('lost'));
  w.tell(page({ op: 'write', path: 'b.md' }));
  w.gather();
  await new Promise(setImmediate);
  assert.deepEqual(w.paths(), ['a.md']);
  w.reachHead();
  await w.next();
  assert.deepEqual(w.paths(), ['a.md', 'b.md']);
});

test('a user without access sees no old list', async () => {
  const w = opened(['a.md']);
  await w.next();
  w.failures.push(new StoaApiError('no', { status: 403 }));
  w.tell(page({ op: 'write', path: 'a.md' }));
  w.gather();
  await w.next();
  assert.equal(w.listing.state.get().kind, 'failed');
});

test('a tab that is shown again after a minute requests the whole list', async () => {
  const w = opened(['a.md']);
  await w.next();
  w.visible.set(false);
  w.passTime(61_000);
  w.files.add('b.md');
  w.visible.set(true);
  w.gather();
  await w.next();
  assert.deepEqual(w.paths(), ['a.md', 'b.md']);
});

test('an optimistic change can be reverted', async () => {
  const w = opened(['a.md']);
  await w.next();
  const takeBack = w.listing.show((data) => ({ ...data, icons: { 'a.md': '📌' } }));
  const shown = w.listing.state.get();
  assert.ok(shown.kind === 'ready' && shown.listing.icons['a.md'] === '📌');
  takeBack();
  const after = w.listing.state.get();
  assert.ok(after.kind === 'ready' && after.listing.icons['a.md'] === undefined);
});
