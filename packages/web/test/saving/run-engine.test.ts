import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChangePage, ChangeRecord } from '@stoa/contract';
import type { FeedConnection, FeedListener } from '../../src/api/feed-connection.ts';
import { openFile } from '../../src/saving/open.ts';
import { createStore } from '../../src/store/store.ts';
import { hashOf } from './fake-server.ts';
import { texts } from './world.ts';

interface Sent {
  readonly address: string;
  readonly keepalive: boolean;
  readonly body: string;
}

const sent: Sent[] = [];

// What a page has and Node has not. The client takes both when it is loaded.
Object.assign(globalThis, {
  location: { origin: 'http://stoa.example' },
  fetch: async (address: string, { keepalive, body }: { keepalive: boolean; body: Uint8Array }) => {
    sent.push({ address, keepalive, body: Buffer.from(body).toString() });
    return Response.json({ version: 2 });
  },
});
const { RunningEngine } = await import('../../src/saving/run-engine.ts');

function openEngine() {
  let listener: FeedListener = {};
  const subscribe: FeedConnection['subscribe'] = (one) => {
    listener = one;
    return () => {};
  };
  const feed: Partial<FeedConnection> = { state: createStore({ kind: 'live' }), subscribe };
  const place = { userId: 'ada', workspaceId: 'ws_1', path: 'a.md', editorId: 'editor' };
  const file = { version: 1, hash: hashOf('one\n'), doc: 'one\n', seq: 1 };
  const state = openFile({ path: 'a.md', contentType: 'text/markdown', file });
  const engine = new RunningEngine<string>(
    {
      feed: feed as FeedConnection,
      documents: { ...texts, fromText: (text) => text, toText: (doc) => doc },
      place,
      nameOf: () => 'Ada',
      announce: () => {},
    },
    state,
  );
  engine.start({ state, effects: [] });
  return { engine, hear: (page: ChangePage) => listener.page?.(page) };
}

test('a page that is closed sends its text before it gives the thread back', async () => {
  const { engine } = openEngine();
  engine.tell({ kind: 'edited', doc: 'one two\n' });
  engine.tell({ kind: 'closed' });
  // Nothing was awaited: neither the draft nor the hash of the text.
  assert.deepEqual(sent, [
    { address: 'http://stoa.example/api/workspaces/ws_1/files/a.md', keepalive: true, body: 'one two\n' },
  ]);
  // Where the page lives on, the answer is understood as ever.
  await new Promise<void>((resolve) => {
    engine.store.subscribe(() => (engine.isDirty ? undefined : resolve()));
  });
  assert.partialDeepStrictEqual(engine.state.base, { version: 2, hash: hashOf('one two\n') });
  assert.equal(engine.state.sending, null);
  engine.close();
});

test('the feed tells of a text before its hash is made: it is known as what was sent all the same', async () => {
  const { engine, hear } = openEngine();
  engine.tell({ kind: 'edited', doc: 'one three\n' });
  engine.tell({ kind: 'closed' });
  const record: Partial<ChangeRecord> = {
    seq: 2,
    op: 'write',
    path: 'a.md',
    version: 2,
    contentHash: hashOf('one three\n'),
    principal: 'human',
    actorId: 'ada',
    actorKeyId: null,
  };
  hear({ changes: [record as ChangeRecord], nextSeq: 2, head: 2 });
  const echoes: unknown[] = [];
  await new Promise<void>((resolve) => {
    engine.store.subscribe(() => {
      const { foreign, sending } = engine.state;
      assert.equal(foreign, null, 'taken for a change by somebody else');
      echoes.push(sending?.echo);
      if (!engine.isDirty && sending === null) resolve();
    });
  });
  assert.deepEqual(echoes.find(Boolean), { version: 2, seq: 2, isDeleted: false });
  engine.close();
});
