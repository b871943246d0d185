import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
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

interface Asked {
  readonly method: string;
  readonly keepalive: boolean;
  readonly body?: Uint8Array;
  readonly signal: AbortSignal;
}

const sent: Sent[] = [];
const saved = async () => Response.json({ version: 2 });
let response: (asked: Asked) => Promise<Response> = saved;

// Browser APIs that Node lacks. The client reads both when it is loaded.
Object.assign(globalThis, {
  location: { origin: 'http://stoa.example' },
  fetch: async (address: string, asked: Asked) => {
    const { keepalive, body = '' } = asked;
    sent.push({ address, keepalive, body: Buffer.from(body).toString() });
    return await response(asked);
  },
});
const { RunningEngine } = await import('../../src/saving/run-engine.ts');

beforeEach(() => {
  sent.length = 0;
  response = saved;
});

function openEngine() {
  let listener: FeedListener = {};
  const subscribe: FeedConnection['subscribe'] = (one) => {
    listener = one;
    return () => {};
  };
  const feed: Partial<FeedConnection> = { state: createStore({ kind: 'live' }), subscribe };
  const location = { userId: 'ada', workspaceId: 'ws_1', path: 'a.md', editorId: 'editor' };
  const file = { version: 1, hash: hashOf('one\n'), doc: 'one\n', seq: 1 };
  const state = openFile({ path: 'a.md', contentType: 'text/markdown', file });
  const engine = new RunningEngine<string>(
    {
      feed: feed as FeedConnection,
      documents: { ...texts, fromText: (text) => text, toText: (doc) => doc },
      location,
      nameOf: () => 'Ada',
      announce: () => {},
    },
    state,
  );
  engine.start({ state, effects: [] });
  return { engine, hear: (page: ChangePage) => listener.page?.(page) };
}

async function until(
  engine: ReturnType<typeof openEngine>['engine'],
  holds: (state: typeof engine.state) => boolean,
): Promise<void> {
  await new Promise<void>((resolve) => {
    const unsubscribe = engine.store.subscribe(() => {
      if (!holds(engine.state)) return;
      unsubscribe();
      // The effects of the step have run by then.
      queueMicrotask(resolve);
    });
  });
}

test('a page that is closed sends its text synchronously', async () => {
  const { engine } = openEngine();
  engine.notify({ kind: 'edited', doc: 'one two\n' });
  engine.notify({ kind: 'closed' });
  // The PUT awaited neither the draft nor the hash of the text.
  assert.deepEqual(sent, [
    { address: 'http://stoa.example/api/workspaces/ws_1/files/a.md', keepalive: true, body: 'one two\n' },
  ]);
  // If the page stays open, the response is handled as usual.
  await new Promise<void>((resolve) => {
    engine.store.subscribe(() => (engine.isDirty ? undefined : resolve()));
  });
  assert.partialDeepStrictEqual(engine.state.base, { version: 2, hash: hashOf('one two\n') });
  assert.equal(engine.state.sending, null);
  engine.close();
});

test('a feed record that arrives before the hash is computed is recognised as our own text', async () => {
  const { engine, hear } = openEngine();
  engine.notify({ kind: 'edited', doc: 'one three\n' });
  engine.notify({ kind: 'closed' });
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
      assert.equal(foreign, null, 'mistaken for a change by another user');
      echoes.push(sending?.echo);
      if (!engine.isDirty && sending === null) resolve();
    });
  });
  assert.deepEqual(echoes.find(Boolean), { version: 2, seq: 2, isDeleted: false });
  engine.close();
});

test('a save without a response counts as lost and is sent again if the file is unchanged', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.now() });
  const { engine } = openEngine();
  let isAsked = () => {};
  const next = () =>
    new Promise<void>((resolve) => {
      isAsked = resolve;
    });
  const asked: string[] = [];
  const responses = [
    ({ signal }: Asked) =>
      new Promise<Response>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    async () =>
      new Response('one\n', { headers: { 'x-service-version': '1', 'content-type': 'text/markdown' } }),
    // The author of the version is requested as well.
    async () => Response.json({ versions: [] }),
    saved,
  ];
  response = async (request) => {
    asked.push(request.method);
    const one = responses.shift();
    assert.ok(one, 'nothing more was to be asked');
    const responded = one(request);
    isAsked();
    return await responded;
  };
  const first = next();
  engine.notify({ kind: 'edited', doc: 'one four\n' });
  engine.notify({ kind: 'closed' });
  await first;
  const isLost = until(engine, ({ unsureSince }) => unsureSince !== null);
  t.mock.timers.tick(29_000);
  assert.notEqual(engine.state.sending, null);
  assert.equal(engine.state.unsureSince, null);
  t.mock.timers.tick(2000);
  await isLost;
  // The pause before the engine reads the file.
  t.mock.timers.tick(10_000);
  await until(engine, ({ sending, base }) => sending === null && base.version === 2);
  assert.deepEqual(asked, ['PUT', 'GET', 'GET', 'PUT']);
  assert.deepEqual([sent[0]?.body, sent[3]?.body], ['one four\n', 'one four\n']);
  engine.close();
});
