import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  commentChanges,
  commentOnWords,
  listComments,
  listedBodies,
  postReply,
  putResolved,
  startThread,
  words,
} from '../support/comments.ts';
import { assertRejection } from '../support/error.ts';
import { joinWorkspace } from '../support/join-workspace.ts';
import { createKey, signUp } from '../support/people.ts';
import { jsonOf, recordsAt, textAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server);
const ben = await signUp(server, 'Ben');
const robot = await createKey(ada);

async function commented() {
  const workspace = await createWorkspace(ada, robot.client);
  return { workspace, threads: await commentOnWords(workspace) };
}

test(
  ...claims('comments.list-filters', 'threads are filtered by path, id, status, anchor and author'),
  async () => {
    const { workspace, threads } = await commented();
    const [first, second] = threads;
    assert.ok(first !== undefined && second !== undefined);
    const bens = await joinWorkspace(workspace, ada, ben);
    await workspace.put('b.md', 'Another file.\n');
    await startThread(bens, { path: 'b.md', quote: 'Another', body: 'six' });
    await putResolved(workspace, second, true);
    const replaced = words.map((word) => (word === 'one' ? 'Gone.\n' : `The line of ${word}.\n`));
    await workspace.put('a.md', replaced.join('\n'), { ifMatch: 1 });

    assert.deepEqual(await listedBodies(workspace), [...words, 'six']);
    assert.deepEqual(await listedBodies(workspace, { path: 'b.md' }), ['six']);
    assert.deepEqual(await listedBodies(workspace, { path: 'none.md' }), []);
    assert.deepEqual(await listedBodies(workspace, { threadId: textAt(second, 'id') }), ['two']);
    assert.deepEqual(await listedBodies(workspace, { threadId: textAt(second, 'id'), path: 'b.md' }), []);
    assert.deepEqual(await listedBodies(workspace, { threadId: 'none' }), []);
    assert.deepEqual(await listedBodies(workspace, { status: 'resolved' }), ['two']);
    assert.deepEqual(await listedBodies(workspace, { status: 'open', path: 'a.md' }), [
      'one',
      ...words.slice(2),
    ]);
    assert.deepEqual(await listedBodies(workspace, { author: ben.id }), ['six']);
    assert.deepEqual(await listedBodies(workspace, { author: 'nobody' }), []);
    assert.deepEqual(await listedBodies(workspace, { anchorStatus: 'outdated' }), ['one']);
    assert.deepEqual(await listedBodies(workspace, { anchorStatus: 'ambiguous' }), []);
    const open = { anchorStatus: 'anchored', status: 'open', author: ada.id } as const;
    assert.deepEqual(await listedBodies(workspace, open), words.slice(2));
    for (const wrong of [
      { status: 'done' },
      { anchorStatus: 'lost' },
      { threadId: '' },
      { author: '' },
      { path: '../a.md' },
      { path: '' },
      { limit: 0 },
      { limit: '1.5' },
      { offset: -1 },
      { entriesLimit: -1 },
      { entriesOffset: 'x' },
    ] as Record<string, string | number>[]) {
      assertRejection(await workspace.query('comments', wrong), 400);
    }
  },
);

test(
  ...claims(['comments.list-paging', 'comments.large-page'], 'threads and their replies come in pages'),
  async () => {
    const { workspace, threads } = await commented();
    const [first] = threads;
    assert.ok(first !== undefined);
    const page = async (query: Record<string, string | number>) => {
      const { threads: listed, ...rest } = await listComments(workspace, query);
      assert.ok(Array.isArray(listed));
      return { bodies: listed.map((thread) => thread.body), ...rest };
    };
    assert.deepEqual(await page({ limit: 2 }), {
      bodies: ['one', 'two'],
      total: 5,
      nextOffset: 2,
      truncated: false,
    });
    const last = { bodies: ['five'], total: 5, nextOffset: null, truncated: false };
    assert.deepEqual(await page({ limit: 2, offset: 4 }), last);
    assert.deepEqual(await page({ limit: 2, offset: 9 }), { ...last, bodies: [] });
    const anchored = { anchorStatus: 'anchored', limit: 2 };
    assert.deepEqual(await page({ ...anchored, offset: 2 }), {
      bodies: ['three', 'four'],
      total: 5,
      nextOffset: 4,
      truncated: false,
    });

    for (let reply = 0; reply < 105; reply += 1) await postReply(workspace, first, { body: `${reply}` });
    const replies = async (query: Record<string, string | number>) => {
      const [thread = {}] = recordsAt(await listComments(workspace, { limit: 1, ...query }), 'threads');
      assert.equal(thread.entryCount, 105);
      return recordsAt(thread, 'entries').map((entry) => Number(entry.body));
    };
    assert.deepEqual(await replies({}), range(0, 20));
    assert.deepEqual(await replies({ entriesLimit: 500 }), range(0, 100));
    assert.deepEqual(await replies({ entriesLimit: 3, entriesOffset: 104 }), [104]);
    assert.deepEqual(await replies({ entriesLimit: 0 }), []);

    for (let thread = 0; thread < 200; thread += 1) {
      await startThread(workspace, { path: 'a.md', quote: 'line of one', body: `more ${thread}` });
    }
    assert.equal((await listedBodies(workspace)).length, 50);
    assert.equal((await listedBodies(workspace, { limit: 1000 })).length, 200);
    const all: string[] = [];
    for (let offset: unknown = 0; offset !== null; ) {
      const list = await listComments(workspace, { limit: 60, offset: Number(offset) });
      all.push(...recordsAt(list, 'threads').map((thread) => textAt(thread, 'body')));
      offset = list.nextOffset;
    }
    assert.deepEqual(all, [...words, ...range(0, 200).map((thread) => `more ${thread}`)]);
  },
);

test(...claims('comments.large-page', 'a page of long texts ends early and skips no thread'), async () => {
  const { workspace, threads } = await commented();
  const body = 'x'.repeat(64 * 1024);
  for (const thread of threads) {
    await Promise.all(range(0, 20).map(() => postReply(workspace, thread, { body })));
  }
  const first = await listComments(workspace);
  assert.ok(recordsAt(first, 'threads').length < words.length);
  const rest = await listComments(workspace, { offset: Number(first.nextOffset) });
  assert.equal(rest.nextOffset, null);
  assert.deepEqual(
    [...recordsAt(first, 'threads'), ...recordsAt(rest, 'threads')].map((thread) => thread.body),
    words,
  );
});

test(...claims('comments.private', 'other members do not see threads on a private file'), async () => {
  const { workspace, threads } = await commented();
  const [thread] = threads;
  assert.ok(thread !== undefined);
  const bens = await joinWorkspace(workspace, ada, ben);
  await workspace.put('b.md', 'Another file.\n');
  const shared = await startThread(bens, { path: 'b.md', quote: 'Another', body: 'shared' });
  assert.deepEqual(await listedBodies(bens, { path: 'a.md' }), words);
  const setPrivate = { path: 'a.md', kind: 'file', private: true };
  await workspace.send('PUT', '/node-private', { json: setPrivate });

  const none = { threads: [], total: 0, nextOffset: null, truncated: false };
  assert.equal((await listComments(bens)).total, 1);
  assert.deepEqual(await listedBodies(bens), ['shared']);
  assert.deepEqual(await listedBodies(bens, { anchorStatus: 'anchored' }), ['shared']);
  assert.deepEqual(await listComments(bens, { path: 'a.md' }), none);
  assert.deepEqual(await listComments(bens, { author: ada.id }), none);
  const id = textAt(thread, 'id');
  assert.deepEqual(await listComments(bens, { threadId: id }), none);
  const absent = 'thread_none';
  for (const ask of [
    (threadId: string) => bens.post(`comments/${threadId}/replies`, { body: 'x' }),
    (threadId: string) => bens.send('PUT', `/comments/${threadId}/resolved`, { json: { resolved: true } }),
    (threadId: string) => bens.query(`comments/${threadId}/pinned-content`),
  ]) {
    assertRejection(await ask(id), 404);
    assert.deepEqual((await ask(id)).bytes, (await ask(absent)).bytes);
  }
  const onPrivate = await bens.post('comments', { path: 'a.md', kind: 'range', quote: 'line', body: 'x' });
  const onNone = await bens.post('comments', { path: 'none.md', kind: 'range', quote: 'line', body: 'x' });
  assert.equal(onPrivate.status, 404);
  assert.deepEqual(onPrivate.bytes, onNone.bytes);
  assert.deepEqual(await listedBodies(workspace), [...words, 'shared']);
  assert.equal(jsonOf(await putResolved(bens, shared, true)).changed, true);
});

test(
  ...claims('comments.private', 'threads on a private file stay out of other members’ feeds'),
  async () => {
    const { workspace } = await commented();
    const bens = await joinWorkspace(workspace, ada, ben);
    const node = { path: 'secret.md', kind: 'file' };
    await workspace.put('secret.md', 'Not for everybody.\n');
    await workspace.send('PUT', '/node-private', { json: { ...node, private: true } });
    await startThread(workspace, { path: 'secret.md', quote: 'Not' });
    const seen = async (viewer: WorkspaceClient) =>
      (await commentChanges(viewer)).filter(({ path }) => path === 'secret.md').map(({ op }) => op);
    assert.deepEqual(await seen(bens), []);
    assert.deepEqual(await seen(workspace), ['comment_created']);
    await workspace.send('PUT', '/node-private', { json: { ...node, private: false } });
    assert.deepEqual(await seen(bens), []);
    assert.deepEqual(await listedBodies(bens, { path: 'secret.md' }), ['Why?']);
  },
);

test(...claims('comments.private', 'a thread in another workspace is not there'), async () => {
  const { threads } = await commented();
  const other = await createWorkspace(ada, robot.client);
  const [thread = {}] = threads;
  assert.equal((await listComments(other, { threadId: textAt(thread, 'id') })).total, 0);
  assertRejection(await postReply(other, thread, { body: 'x' }), 404);
  assertRejection(await other.query(`comments/${textAt(thread, 'id')}/pinned-content`), 404);
});

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}
