import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStoaClient, type FeedPace, FeedStoppedError, followFeed } from '@stoa/client';
import { type Play, type RecordedService, startRecordedService } from './recorded-service.ts';

/** A clock that advances only in pauses. It ends the follower after the last recorded response. */
function startFollowing(service: RecordedService, responses: number, cursor = 0) {
  const ending = new AbortController();
  const pauses: number[] = [];
  let elapsedMs = 0;
  const pace: FeedPace = {
    now: () => elapsedMs,
    random: () => 0.5,
    sleep: async (ms) => {
      pauses.push(ms);
      elapsedMs += ms;
      if (service.requests.length >= responses) ending.abort();
    },
  };
  const handled: number[][] = [];
  const saved: number[] = [];
  return {
    pauses,
    handled,
    saved,
    ending,
    options: {
      client: createStoaClient(service),
      workspaceId: 'ws_1',
      cursor,
      handle: (page: { readonly changes: readonly { readonly seq: number }[] }) => {
        handled.push(page.changes.map(({ seq }) => seq));
      },
      saveCursor: (next: number) => {
        saved.push(next);
      },
      signal: ending.signal,
      pace,
    },
  };
}

const page = (seqs: readonly number[], nextSeq: number, head: number): Play => ({
  status: 200,
  json: { changes: seqs.map((seq) => ({ seq })), nextSeq, head },
});

const cursorsAsked = (service: RecordedService) =>
  service.requests.map(({ target }) => Number(new URL(target, 'http://s').searchParams.get('sinceSeq')));

test('the feed is followed from nextSeq, not from the last change received', async () => {
  await using service = await startRecordedService(page([1, 2], 5, 9), page([7], 9, 9));
  const follower = startFollowing(service, 2);
  await followFeed(follower.options);
  assert.deepEqual(cursorsAsked(service), [0, 5]);
  assert.deepEqual(follower.handled, [[1, 2], [7]]);
  assert.deepEqual(follower.saved, [5, 9]);
});

test('a page without changes still moves the cursor, and is not handled', async () => {
  await using service = await startRecordedService(page([], 40, 90), page([90], 90, 90));
  const follower = startFollowing(service, 2, 3);
  await followFeed(follower.options);
  assert.deepEqual(cursorsAsked(service), [3, 40]);
  assert.deepEqual(follower.handled, [[90]]);
  assert.deepEqual(follower.saved, [40, 90]);
});

test('the follower reads pages behind head at once and polls every two seconds at head', async () => {
  await using service = await startRecordedService(page([1], 1, 2), page([2], 2, 2), page([], 2, 2));
  const follower = startFollowing(service, 3);
  await followFeed(follower.options);
  assert.deepEqual(follower.pauses, [2000, 2000]);
  assert.deepEqual(follower.saved, [1, 2]);
});

test('the cursor is saved only after the page was handled, so a crash replays it', async () => {
  await using service = await startRecordedService(page([1], 1, 2), page([2], 2, 2), page([2], 2, 2));
  const first = startFollowing(service, 2);
  const crash = new Error('the disk was unplugged');
  const handle = ({ changes }: { readonly changes: readonly { readonly seq: number }[] }) => {
    if (changes.some(({ seq }) => seq === 2)) throw crash;
  };
  await assert.rejects(followFeed({ ...first.options, handle }), crash);
  assert.deepEqual(first.saved, [1]);
  const second = startFollowing(service, 3, first.saved.at(-1));
  await followFeed(second.options);
  assert.deepEqual(cursorsAsked(service), [0, 1, 1]);
  assert.deepEqual(second.handled, [[2]]);
});

test('a failing service is polled with backoff, and no change is skipped', async () => {
  const down: Play = { status: 500, json: { message: 'down' } };
  await using service = await startRecordedService(
    down,
    'break',
    down,
    page([1], 1, 1),
    down,
    page([2], 2, 2),
  );
  const follower = startFollowing(service, 6);
  const reported: string[] = [];
  await followFeed({
    ...follower.options,
    onRetry: (error, { failures }) => reported.push(`${error.name} ${failures}`),
  });
  assert.deepEqual(follower.pauses, [750, 1500, 3000, 2000, 750, 2000]);
  assert.deepEqual(reported, ['StoaApiError 1', 'StoaConnectionError 2', 'StoaApiError 3', 'StoaApiError 1']);
  assert.deepEqual(follower.handled, [[1], [2]]);
});

test('pauses stop growing at a minute', async () => {
  const down: Play = { status: 503, json: {} };
  await using service = await startRecordedService(...Array<Play>(12).fill(down));
  const follower = startFollowing(service, 12);
  await followFeed(follower.options);
  assert.deepEqual(follower.pauses.slice(-3), [45_000, 45_000, 45_000]);
});

test('the follower waits as long as the service asks', async () => {
  await using service = await startRecordedService({
    status: 429,
    headers: { 'Retry-After': '90' },
    json: {},
  });
  const follower = startFollowing(service, 1);
  await followFeed(follower.options);
  assert.deepEqual(follower.pauses, [90_000]);
});

test('a permanent error ends the follower with the message of the service', async () => {
  for (const status of [400, 401, 403, 404]) {
    await using service = await startRecordedService({ status, json: { message: 'Not a workspace member' } });
    const follower = startFollowing(service, 1);
    await assert.rejects(followFeed(follower.options), (error) => {
      assert(error instanceof FeedStoppedError);
      assert.equal(error.status, status);
      assert.match(error.message, /ws_1.*Not a workspace member/);
      return true;
    });
    assert.deepEqual(follower.pauses, []);
  }
});

test('a response that is not a page of changes never moves the cursor', async () => {
  await using service = await startRecordedService(
    { status: 200, json: { hello: 'airport' } },
    { status: 200, bytes: '<html>' },
    page([], 3, 9),
    page([6], 6, 6),
  );
  const follower = startFollowing(service, 4, 5);
  await followFeed(follower.options);
  assert.deepEqual(cursorsAsked(service), [5, 5, 5, 5]);
  assert.deepEqual(follower.saved, [6]);
});

test('ending the follower aborts a pending request', async () => {
  await using service = await startRecordedService('silence');
  const follower = startFollowing(service, 1);
  const following = followFeed({ ...follower.options, waitSeconds: 30 });
  follower.ending.abort();
  await following;
  assert.deepEqual(follower.saved, []);
});

test('ending the follower while it handles a page still saves the cursor of that page', async () => {
  await using service = await startRecordedService(page([1], 1, 9));
  const follower = startFollowing(service, 9);
  await followFeed({ ...follower.options, handle: () => follower.ending.abort() });
  assert.deepEqual(follower.saved, [1]);
  assert.equal(service.requests.length, 1);
});

test('the follower polls at once with long polling, and with pauses without it', async () => {
  await using service = await startRecordedService(page([1], 1, 1), page([], 1, 1), page([], 1, 1));
  const follower = startFollowing(service, 3);
  await followFeed({ ...follower.options, waitSeconds: 30, includeComments: true, limit: 7 });
  assert.equal(
    service.requests[0]?.target,
    '/api/workspaces/ws_1/changes?sinceSeq=0&limit=7&includeComments=1&wait=30',
  );
  assert.deepEqual(follower.pauses, [2000, 2000]);
});

test('a service that never moves the cursor is polled with pauses', async () => {
  await using service = await startRecordedService(page([], 5, 9), page([], 5, 9));
  const follower = startFollowing(service, 2, 5);
  await followFeed(follower.options);
  assert.deepEqual(follower.pauses, [2000, 2000]);
});
