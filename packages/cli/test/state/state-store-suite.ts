import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type BaseFile,
  type ContentHash,
  type ObjectId,
  parseWorkspacePath,
  type RemoteState,
  type Stamp,
} from '@stoa/core';
import type { StateStore } from '../../src/engine/ports/state-store.ts';

export interface OpenedStore extends AsyncDisposable {
  readonly store: StateStore;
  /** Ends the process that has the store open and opens its state again. */
  reopen(): Promise<StateStore>;
}

const path = parseWorkspacePath;
const hash = 'ab'.repeat(32) as ContentHash;
const stamp = '1:2:3:1790000000000000001:1790000000000000002' as Stamp;
const object = '1:2:1790000000000000000' as ObjectId;

export const plan: BaseFile = {
  version: 7,
  hash,
  sizeBytes: 2 ** 40,
  contentType: 'text/markdown',
  stamp,
  object,
  localName: null,
  mode: 0o644,
  isFlushed: false,
};
const placeholder: BaseFile = { ...plan, stamp: null, object: null, localName: 'Ü/.keep', isFlushed: true };
const remoteFile: RemoteState = {
  kind: 'file',
  version: 1,
  hash: null,
  sizeBytes: null,
  contentType: null,
  movedFrom: path('old.md'),
  conflictOf: path('plan.md'),
  seq: 12,
};

/** Behaviour of every state store. `open` returns an empty one. */
export function stateStoreSuite(name: string, open: () => Promise<OpenedStore>): void {
  describe(name, () => {
    it('is empty for a folder that was never synced', async () => {
      await using opened = await open();
      const state = await opened.store.load();
      assert.deepEqual([state.meta.cursor, state.meta.phase, state.base.size], [0, null, 0]);
      assert.deepEqual(await opened.store.readLog({ afterId: 0, path: null, limit: 10 }), []);
    });

    it('keeps every kind of row after the process ended', async () => {
      await using opened = await open();
      const { store } = opened;
      const intent = {
        id: 'i1',
        kind: 'put',
        path: path('plan.md'),
        toPath: null,
        version: null,
        hash,
        stamp,
        staging: 'part-1',
        seq0: 4,
        step: 'begun',
        copyPath: path('copy.md'),
      } as const;
      await store.commit(
        [
          { table: 'meta', values: { cursor: 41, lastRecord: { seq: 41, id: 'c' }, phase: 'live' } },
          { table: 'base', path: path('plan.md'), row: plan },
          { table: 'base', path: path('ü/.keep'), row: placeholder },
          { table: 'folder', path: path('ü'), row: { object } },
          { table: 'remote', path: path('plan.md'), row: remoteFile },
          { table: 'remote', path: path('gone.md'), row: { kind: 'absent' } },
          { table: 'remote', path: path('mine.md'), row: { kind: 'hidden' } },
          { table: 'revoked', path: path('mine.md'), seq: 40 },
          { table: 'hash_cache', path: 'new.md', row: { stamp, hash, sizeBytes: 3 } },
          { table: 'intent', id: 'i1', row: intent },
          { table: 'folder_move', id: 'm', row: { id: 'm', from: path('a'), to: path('b'), left: 500 } },
          {
            table: 'left_out',
            path: 'link',
            row: { path: 'link', reason: 'symlink', detail: null, since: 5, retryAt: null },
          },
          {
            table: 'hold',
            id: 'h',
            row: {
              id: 'h',
              kind: 'deletes_there',
              members: [{ path: path('plan.md'), hash }],
              since: 6,
              isConfirmed: true,
            },
          },
          {
            table: 'conflict',
            copyPath: path('copy.md'),
            row: { copyPath: path('copy.md'), ofPath: path('plan.md') },
          },
          {
            table: 'trash',
            id: 't',
            row: {
              id: 't',
              path: path('plan.md'),
              hash,
              sizeBytes: 9,
              why: 'replaced',
              at: 7,
              file: 'd/plan.md',
            },
          },
        ],
        'grouped',
      );
      const { meta, ...state } = await (await opened.reopen()).load();
      assert.deepEqual([meta.cursor, meta.lastRecord, meta.phase], [41, { seq: 41, id: 'c' }, 'live']);
      assert.deepEqual(
        [...state.base],
        [
          ['plan.md', plan],
          ['ü/.keep', placeholder],
        ],
      );
      assert.deepEqual([...state.folders], [['ü', { object }]]);
      assert.deepEqual(Object.fromEntries(state.remote), {
        'plan.md': remoteFile,
        'gone.md': { kind: 'absent' },
        'mine.md': { kind: 'hidden' },
      });
      assert.deepEqual([...state.revoked], [['mine.md', 40]]);
      assert.deepEqual([...state.hashCache], [['new.md', { stamp, hash, sizeBytes: 3 }]]);
      assert.deepEqual([...state.intents], [['i1', intent]]);
      assert.equal(state.folderMoves.get('m')?.left, 500);
      assert.equal(state.skipped.get('link')?.reason, 'symlink');
      assert.deepEqual(state.holds.get('h')?.members, [{ path: 'plan.md', hash }]);
      assert.equal(state.conflicts.get(path('copy.md'))?.ofPath, 'plan.md');
    });

    it('keeps the last of several changes of one row, also when it deletes the row', async () => {
      await using opened = await open();
      const { store } = opened;
      const first = store.commit([{ table: 'base', path: path('a'), row: plan }], 'grouped');
      const second = store.commit([{ table: 'base', path: path('a'), row: null }], 'grouped');
      const third = store.commit([{ table: 'base', path: path('b'), row: plan }], 'durable');
      await Promise.all([first, second, third]);
      assert.deepEqual([...(await store.load()).base.keys()], ['b']);
    });

    it('writes earlier grouped commits with a durable one', async () => {
      await using opened = await open();
      const { store } = opened;
      void store.commit([{ table: 'base', path: path('a'), row: plan }], 'grouped');
      await store.commit([{ table: 'meta', values: { cursor: 3 } }], 'durable');
      const state = await (await opened.reopen()).load();
      assert.deepEqual([state.meta.cursor, state.base.size], [3, 1]);
    });

    it('clears the rows of both sides at first contact and keeps log and meta', async () => {
      await using opened = await open();
      const { store } = opened;
      const entry = { at: 1, op: 'up', path: 'a', version: 1, bytes: 2, ms: 3, outcome: 'done' };
      await store.commit(
        [
          { table: 'meta', values: { workspaceId: 'ws_1', cursor: 9 } },
          { table: 'base', path: path('a'), row: plan },
          { table: 'remote', path: path('a'), row: { kind: 'absent' } },
          { table: 'log', entry },
          { table: 'all', kind: 'clear' },
          { table: 'remote', path: path('b'), row: { kind: 'hidden' } },
        ],
        'durable',
      );
      const state = await store.load();
      assert.deepEqual(
        [state.base.size, [...state.remote.keys()], state.meta.workspaceId, state.meta.cursor],
        [0, ['b'], 'ws_1', 9],
      );
      assert.equal((await store.readLog({ afterId: 0, path: null, limit: 5 })).length, 1);
    });

    it('reads the log after an entry, for a file or a folder', async () => {
      await using opened = await open();
      const { store } = opened;
      const paths = ['a/1', 'a/2', 'ab', 'a/1'];
      await store.commit(
        paths.map((each) => ({
          table: 'log' as const,
          entry: { at: 1, op: 'down', path: each, version: null, bytes: null, ms: null, outcome: 'done' },
        })),
        'grouped',
      );
      const read = async (of: string | null, limit: number, afterId = 0) =>
        (await store.readLog({ afterId, path: of, limit })).map((row) => row.path);
      assert.deepEqual(await read(null, 10), paths);
      assert.deepEqual(await read(null, 2), ['ab', 'a/1']);
      assert.deepEqual(await read('a', 10), ['a/1', 'a/2', 'a/1']);
      assert.deepEqual(await read('a/1', 10), ['a/1', 'a/1']);
      const second = (await store.readLog({ afterId: 0, path: null, limit: 10 }))[1]?.id ?? 0;
      assert.deepEqual(await read(null, 10, second), ['ab', 'a/1']);
    });

    it('counts and lists rows in order for commands', async () => {
      await using opened = await open();
      const { store } = opened;
      const left = (each: string, reason: 'symlink' | 'quota') => ({
        table: 'left_out' as const,
        path: each,
        row: { path: each, reason, detail: null, since: 1, retryAt: null },
      });
      await store.commit(
        [
          left('c', 'symlink'),
          left('a', 'quota'),
          left('b', 'symlink'),
          ...['docs/b', 'docs/a', 'other'].map((each) => ({
            table: 'base' as const,
            path: path(each),
            row: plan,
          })),
          ...['a', 'docs/b'].flatMap((each) => [
            { table: 'remote' as const, path: path(each), row: { kind: 'absent' as const } },
            {
              table: 'hash_cache' as const,
              path: each,
              row: { stamp, hash, sizeBytes: 1 },
            },
          ]),
        ],
        'grouped',
      );
      const counts = await store.readCounts();
      assert.deepEqual([counts.remoteDifferences, counts.localDifferences], [2, 2]);
      assert.deepEqual(counts.pending, { down: 1, up: 1, intents: 0 });
      assert.deepEqual(counts.skipped, [
        { reason: 'quota', count: 1 },
        { reason: 'symlink', count: 2 },
      ]);
      assert.deepEqual([counts.files, counts.intents], [3, 0]);
      assert.deepEqual(
        (await store.listLeftOut(2)).map((row) => row.path),
        ['a', 'b'],
      );
      assert.deepEqual(await store.listBasePaths('docs/', 10), ['docs/a', 'docs/b']);
      assert.deepEqual(await store.listBasePaths('docs/', 1), ['docs/a']);
      assert.deepEqual(await store.listBasePaths('', 10, path('docs/a')), ['docs/b', 'other']);
      assert.deepEqual(await store.readBaseFile(path('other')), plan);
      assert.equal(await store.readBaseFile(path('missing')), null);
    });
  });
}
