import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { StoaApiError, StoaConnectionError } from '@stoa/client';
import type { ChangePage } from '@stoa/contract';
import { createFeedConnection, type TabVisibility } from '../../src/api/feed-connection.ts';
import { createStore } from '../../src/store/store.ts';

type Asked = Parameters<Parameters<typeof createFeedConnection>[0]['client']['readChanges']>[1];
type HttpResponse = ChangePage | Error;

/** A service whose pages are requested one by one. The test receives each request and gives the response. */
function askedService() {
  const questions: { readonly query: Asked; answer(response: HttpResponse): void }[] = [];
  let asked = () => {};
  return {
    client: {
      readChanges: (_id: string, query: Asked, options: { readonly signal?: AbortSignal } = {}) =>
        new Promise<ChangePage>((resolve, reject) => {
          options.signal?.addEventListener('abort', () => reject(new StoaConnectionError('ended')));
          const response = (given: HttpResponse) => (given instanceof Error ? reject(given) : resolve(given));
          questions.push({ query, answer: response });
          asked();
        }),
    },
    async question() {
      if (questions.length === 0) await new Promise<void>((resolve) => (asked = resolve));
      const next = questions.shift();
      assert.ok(next);
      return next;
    },
  };
}

function seen(visible: boolean): TabVisibility & { set(visible: boolean): void } {
  const store = createStore(visible);
  return { isVisible: store.get, subscribe: store.subscribe, set: store.set };
}

const now = { now: () => 0, random: () => 0, sleep: () => Promise.resolve() };
const page = (nextSeq: number, head = nextSeq, changes: ChangePage['changes'] = []): ChangePage => ({
  changes,
  head,
  nextSeq,
});
const change = (seq: number) =>
  ({ id: `c${seq}`, seq, path: 'a.md', op: 'write' }) as unknown as ChangePage['changes'][number];

function opened(
  t: TestContext,
  { client }: Pick<ReturnType<typeof askedService>, 'client'>,
  visibility: TabVisibility = seen(true),
) {
  const feed = createFeedConnection({ client, workspaceId: 'w', visibility, pace: now });
  t.after(feed.close);
  return feed;
}

test('the position is requested first, and the feed continues from it', async (t) => {
  const service = askedService();
  const feed = opened(t, service);
  const first = await service.question();
  assert.deepEqual(first.query, { sinceSeq: 0, limit: 0 });
  first.answer(page(0, 7));
  assert.equal(await feed.position(), 7);
  const second = await service.question();
  assert.equal(second.query.sinceSeq, 7);
  assert.equal(second.query.waitSeconds, 25);
  assert.equal(feed.state.get().kind, 'live');
});

test('a missing workspace has no position until it is requested again', async (t) => {
  for (const status of [403, 404]) {
    const service = askedService();
    const feed = opened(t, service);
    const waiting = feed.position();
    const error = new StoaApiError('Not found', { status });
    (await service.question()).answer(error);
    await assert.rejects(waiting, error);
    await assert.rejects(feed.position(), error);
    feed.retry();
    const again = await service.question();
    const position = feed.position();
    again.answer(page(0, 4));
    assert.equal(await position, 4);
  }
});

test('a signed-out user waits for the position; a closed connection has none', async (t) => {
  const service = askedService();
  const feed = opened(t, service);
  const waiting = feed.position();
  const stopped = new Promise<void>((resolve) => feed.state.subscribe(resolve));
  (await service.question()).answer(new StoaApiError('Sign in', { status: 401 }));
  await stopped;
  assert.deepEqual(feed.state.get(), { kind: 'stopped', status: 401 });
  feed.retry();
  const again = await service.question();
  const later = feed.position();
  again.answer(page(0, 4));
  assert.deepEqual(await Promise.all([waiting, later]), [4, 4]);

  const never = opened(t, askedService());
  const unanswered = never.position();
  never.close();
  await assert.rejects(unanswered, /closed/);
  await assert.rejects(never.position(), /closed/);
});

test('a hidden tab keeps no open request', async (t) => {
  const service = askedService();
  const visibility = seen(true);
  opened(t, service, visibility);
  (await service.question()).answer(page(0, 3));
  assert.equal((await service.question()).query.waitSeconds, 25);
  visibility.set(false);
  const hidden = await service.question();
  assert.equal(hidden.query.waitSeconds, undefined);
  assert.equal(hidden.query.sinceSeq, 3);
});

test('every subscriber gets each page and a notification at the head', async (t) => {
  const service = askedService();
  const feed = opened(t, service);
  const reported: string[] = [];
  const told2 = new Promise<void>((resolve) => {
    feed.subscribe({
      page: ({ changes }) => reported.push(changes.map(({ seq }) => seq).join()),
      reachedHead: () => reported.push('head'),
    });
    feed.subscribe({ page: () => resolve() });
  });
  (await service.question()).answer(page(0, 0));
  (await service.question()).answer(page(2, 2, [change(1), change(2)]));
  await told2;
  assert.deepEqual(
    reported.filter((each) => each !== 'head'),
    ['1,2'],
  );
  await service.question();
  assert.equal(reported.at(-1), 'head');
});

test('one lost response is ignored, two are reported', async (t) => {
  const service = askedService();
  const feed = opened(t, service);
  (await service.question()).answer(page(0, 0));
  (await service.question()).answer(new StoaConnectionError('lost'));
  const third = await service.question();
  assert.equal(feed.state.get().kind, 'live');
  third.answer(new StoaConnectionError('lost'));
  const fourth = await service.question();
  assert.deepEqual(feed.state.get(), { kind: 'failing', because: 'no_answer' });
  assert.equal(fourth.query.waitSeconds, undefined, 'not held: the connection may be back');
  fourth.answer(new StoaApiError('restarting', { status: 503 }));
  const fifth = await service.question();
  assert.deepEqual(feed.state.get(), { kind: 'failing', because: 'busy' });
  fifth.answer(page(0, 0));
  await service.question();
  assert.equal(feed.state.get().kind, 'live');
});

test('a permanent error stops the feed until a new request', async (t) => {
  const service = askedService();
  const feed = opened(t, service);
  (await service.question()).answer(page(0, 5));
  const second = await service.question();
  const stopped = new Promise<void>((resolve) => feed.state.subscribe(resolve));
  second.answer(new StoaApiError('signed out', { status: 401 }));
  await stopped;
  assert.deepEqual(feed.state.get(), { kind: 'stopped', status: 401 });
  feed.retry();
  const again = await service.question();
  assert.equal(again.query.sinceSeq, 5);
  again.answer(page(5));
  await service.question();
  assert.equal(feed.state.get().kind, 'live');
});

test('without a network the feed reports it at once, and reconnects without long polling', async (t) => {
  const service = askedService();
  const feed = opened(t, service);
  (await service.question()).answer(page(0, 5));
  (await service.question()).answer(page(5));
  const held = await service.question();
  assert.notEqual(held.query.waitSeconds, undefined);
  feed.disconnected();
  assert.deepEqual(feed.state.get(), { kind: 'failing', because: 'no_answer' });
  feed.retry();
  const again = await service.question();
  assert.equal(again.query.waitSeconds, undefined);
  again.answer(page(5));
  await service.question();
  assert.equal(feed.state.get().kind, 'live');
});
