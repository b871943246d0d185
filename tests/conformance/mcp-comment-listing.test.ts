import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosenBackEnd } from '../support/back-end.ts';
import {
  commentOnWords,
  listComments,
  postReply,
  putResolved,
  startThread,
  words,
  wordsFile,
} from '../support/comments.ts';
import { assertStatus } from '../support/expect.ts';
import { joinWorkspace } from '../support/join-workspace.ts';
import { openMcp } from '../support/mcp-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { type JsonRecord, jsonOf, recordsAt, textAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { assertHardError, dataOf, textOf } from '../support/tool-result.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server);
const ben = await signUp(server, 'Ben');
const key = await createKey(ada, { name: 'Reviewer' });
const bensKey = await createKey(ben);

async function commented() {
  const { workspace, ...rest } = await openWorkspace();
  const [first, second] = await commentOnWords(workspace);
  assert.ok(first !== undefined && second !== undefined);
  return { workspace, first, second, ...rest };
}

async function openWorkspace() {
  const workspace = await createWorkspace(ada, key.client);
  const mcp = openMcp(server, key, { workspaceId: workspace.id });
  return {
    workspace,
    mcp,
    list: (given: JsonRecord = {}) => dataOf(mcp, 'list_comments', given),
    /** The opening texts of the threads listed. */
    bodies: async (given: JsonRecord = {}) => bodiesIn(await dataOf(mcp, 'list_comments', given)),
    refused: (given: JsonRecord, says: RegExp) => assertHardError(mcp, 'list_comments', given, says),
  };
}

test(
  ...claims(
    ['mcp.list-comments', 'mcp.list-comments.optional', 'mcp.list-comments.thread'],
    'an agent reads the threads with their replies',
  ),
  async () => {
    const { workspace, list } = await openWorkspace();
    const none = { threads: [], total: 0, more: false, nextOffset: null, truncated: false };
    assert.deepEqual(await list(), none);
    await workspace.put('a.md', wordsFile);
    const thread = await startThread(workspace, { path: 'a.md', quote: 'line of two', body: 'Why\n"two"?' });
    const other = await startThread(workspace, { path: 'a.md', quote: 'line of one', body: 'Why?' });
    const reply = await postReply(workspace.as(ada.session), thread, { body: 'Because.' });
    const listed = await list();
    assert.deepEqual(Object.keys(listed).toSorted(), Object.keys(none).toSorted());
    const [shown, second] = recordsAt(listed, 'threads');
    assert.deepEqual(shown, { ...thread, entries: [jsonOf(reply).entry], entryCount: 1 });
    assert.deepEqual(second, other);
    const { more, ...same } = listed;
    assert.equal(more, false);
    assert.deepEqual(same, await listComments(workspace));

    const id = textAt(thread, 'id');
    assert.deepEqual(await list({ threadId: id }), { ...none, threads: [shown], total: 1 });
    assert.deepEqual(await list({ threadId: id, path: 'b.md' }), none);
    assert.deepEqual(await list({ threadId: 'none' }), none);
    const elsewhere = await createWorkspace(ada, key.client);
    assert.deepEqual(await list({ threadId: id, workspaceId: elsewhere.id }), none);
  },
);

test(
  ...claims(
    ['mcp.list-comments.path', 'mcp.list-comments.status', 'mcp.list-comments.author'],
    'threads are filtered by path, status and who started them',
  ),
  async () => {
    const { workspace, second, list, bodies, refused: rejected } = await commented();
    const bens = await joinWorkspace(workspace, ada, ben);
    await workspace.put('a.md.md', 'Another file.\n');
    await startThread(bens, { path: 'a.md.md', quote: 'Another', body: 'six' });
    await postReply(bens, second, { body: 'Not the one who started it.' });
    await putResolved(workspace, second, true);
    const open = words.filter((word) => word !== 'two');

    assert.deepEqual(await bodies(), [...words, 'six']);
    assert.deepEqual(await bodies({ path: 'a.md' }), words);
    assert.deepEqual(await bodies({ path: 'a.md.md' }), ['six']);
    assert.deepEqual(await bodies({ path: 'none.md' }), []);
    await rejected({ path: '../a.md' }, /^Invalid path: /);

    const resolved = await list({ status: 'resolved' });
    assert.deepEqual([bodiesIn(resolved), resolved.total], [['two'], 1]);
    assert.equal(recordsAt(resolved, 'threads')[0]?.status, 'resolved');
    assert.deepEqual(await bodies({ status: 'open' }), [...open, 'six']);
    for (const status of ['done', 'Open', '', 1])
      await rejected({ status }, /^status: must be open or resolved/);

    assert.deepEqual(await bodies({ author: ben.id }), ['six']);
    assert.deepEqual(await bodies({ author: ada.id }), words);
    assert.deepEqual(await bodies({ author: 'nobody' }), []);
    await rejected({ author: 7 }, /^author: /);
    assert.deepEqual(await bodies({ path: 'a.md', status: 'open', author: ada.id }), open);
    assert.deepEqual(await bodies({ path: 'a.md', author: ben.id }), []);
  },
);

test(...claims('mcp.list-comments.anchor', 'threads are filtered by where their text is now'), async () => {
  const { workspace, list, bodies, refused: rejected } = await commented();
  assert.deepEqual(await bodies({ anchorStatus: 'anchored' }), words);
  const edited = wordsFile
    .replace('The line of five.', 'Gone.')
    .replace('The line of two.', 'The line of two. The line of two.');
  await workspace.put('a.md', edited, { ifMatch: 1 });
  const current = async (anchorStatus: string) => {
    const { threads, ...rest } = await list({ anchorStatus });
    assert.ok(Array.isArray(threads));
    assert.deepEqual(rest, { total: threads.length, more: false, nextOffset: null, truncated: false });
    return threads.map((thread) => [thread.body, thread.anchorStatus, thread.currentText]);
  };
  assert.deepEqual(await current('outdated'), [['five', 'outdated', null]]);
  assert.deepEqual(await current('ambiguous'), [['two', 'ambiguous', null]]);
  const rest = words.filter((word) => word !== 'two' && word !== 'five');
  assert.deepEqual(
    await current('anchored'),
    rest.map((word) => [word, 'anchored', `line of ${word}`]),
  );
  assert.deepEqual(await bodies(), words);
  assert.deepEqual(await bodies({ anchorStatus: 'anchored', author: ben.id }), []);
  for (const anchorStatus of ['lost', 'Anchored', '', 1]) {
    await rejected({ anchorStatus }, /^anchorStatus: must be anchored, ambiguous or outdated/);
  }
});

test(
  ...claims(
    ['mcp.list-comments.offset', 'mcp.list-comments.limit'],
    'threads come in pages that lead to the last one',
  ),
  async () => {
    const { list, refused: rejected } = await commented();
    const page = async (given: JsonRecord) => {
      const { threads, ...rest } = await list(given);
      return { bodies: bodiesIn({ threads }), ...rest };
    };
    for (const filter of [{}, { anchorStatus: 'anchored' }]) {
      const some = { total: 5, more: true, truncated: false };
      const last = { total: 5, more: false, nextOffset: null, truncated: false };
      assert.deepEqual(await page({ ...filter, limit: 2 }), {
        ...some,
        bodies: ['one', 'two'],
        nextOffset: 2,
      });
      assert.deepEqual(await page({ ...filter, limit: 2, offset: 2 }), {
        ...some,
        bodies: ['three', 'four'],
        nextOffset: 4,
      });
      assert.deepEqual(await page({ ...filter, limit: 2, offset: 4 }), { ...last, bodies: ['five'] });
      assert.deepEqual(await page({ ...filter, limit: 5 }), { ...last, bodies: words });
      assert.deepEqual(await page({ ...filter, offset: 9 }), { ...last, bodies: [] });
    }
    for (const limit of [0, -1, 1.5, 'two']) await rejected({ limit }, /^limit: .*at least 1/);
    for (const offset of [-1, 1.5, 'two']) await rejected({ offset }, /^offset: .*at least 0/);
  },
);

test(...claims('mcp.list-comments.entries', 'the replies of a thread come in pages'), async () => {
  const { workspace, first, list, refused: rejected } = await commented();
  for (let reply = 0; reply < 105; reply += 1) await postReply(workspace, first, { body: `${reply}` });
  const replies = async (given: JsonRecord) => {
    const [thread = {}, second = {}] = recordsAt(await list(given), 'threads');
    assert.deepEqual([thread.entryCount, second.entryCount, second.entries], [105, 0, []]);
    return recordsAt(thread, 'entries').map(({ body }) => Number(body));
  };
  assert.deepEqual(await replies({}), range(0, 20));
  assert.deepEqual(await replies({ entriesOffset: 20 }), range(20, 40));
  for (const entriesLimit of [100, 101, 1_000_000]) {
    assert.deepEqual(await replies({ entriesLimit }), range(0, 100));
  }
  assert.deepEqual(await replies({ entriesLimit: 100, entriesOffset: 100 }), range(100, 105));
  assert.deepEqual(await replies({ entriesLimit: 3, entriesOffset: 101 }), range(101, 104));
  assert.deepEqual(await replies({ entriesLimit: 1 }), [0]);
  assert.deepEqual(await replies({ entriesOffset: 105 }), []);
  for (const entriesLimit of [-1, 1.5, 'two']) await rejected({ entriesLimit }, /^entriesLimit: /);
  for (const entriesOffset of [-1, 1.5, 'two']) await rejected({ entriesOffset }, /^entriesOffset: /);
});

/** One back end is enough: the limit is applied above the storage, and thousands of threads take 15 seconds. */
if (chosenBackEnd() === 'sqlite-disk') {
  test(
    ...claims(
      ['mcp.list-comments.limit', 'mcp.list-comments.offset', 'mcp.list-comments.truncated'],
      'thousands of threads are read to the last one, and a filter by anchor says when it stopped early',
    ),
    async () => {
      const { workspace, mcp, list, bodies } = await openWorkspace();
      await workspace.put('a.md', 'A file that much is said about.\n');
      await workspace.put('b.md', 'Another file.\n');
      const early = range(0, 2000).map((number) => `early ${number}`);
      const waiting = early.values();
      // Each worker takes the next one when it is done: the iterator is shared.
      const startWaiting = async () => {
        for (const body of waiting) await startThread(workspace, { path: 'a.md', quote: 'much', body });
      };
      await Promise.all(range(0, 16).map(startWaiting));
      const anchored = { anchorStatus: 'anchored' };
      const whole = { total: 2000, more: true, truncated: false };
      assert.deepEqual(withoutThreads(await list(anchored)), { ...whole, nextOffset: 50 });

      await startThread(workspace, { path: 'b.md', quote: 'Another', body: 'late' });
      const all: string[] = [];
      for (let offset: unknown = 0; offset !== null; ) {
        const page = await list({ limit: 200, offset });
        assert.deepEqual([page.total, page.more, page.truncated], [2001, page.nextOffset !== null, false]);
        all.push(...bodiesIn(page));
        offset = page.nextOffset;
      }
      assert.equal(all.at(-1), 'late');
      assert.deepEqual(all.toSorted(), [...early, 'late'].toSorted());
      assert.deepEqual(await bodies(), all.slice(0, 50));
      for (const limit of [200, 201, 1_000_000]) assert.deepEqual(await bodies({ limit }), all.slice(0, 200));

      const stopped = await list(anchored);
      assert.deepEqual(bodiesIn(stopped), all.slice(0, 50));
      assert.deepEqual(withoutThreads(stopped), { ...whole, nextOffset: 50, truncated: true });
      assert.match((await mcp.call('list_comments', anchored)).text, /Truncated: .*Filter by path or status/);
      const narrowed = await list({ ...anchored, path: 'b.md' });
      assert.deepEqual(bodiesIn(narrowed), ['late']);
      assert.deepEqual(withoutThreads(narrowed), {
        total: 1,
        more: false,
        nextOffset: null,
        truncated: false,
      });
      const reported = await mcp.call('list_comments', { ...anchored, path: 'b.md' });
      assert.doesNotMatch(reported.text, /truncated|narrow/i);
    },
  );
}

test(
  ...claims('mcp.list-comments.hidden', 'other members do not see threads on a private file'),
  async () => {
    const { workspace, mcp, first, bodies } = await commented();
    const bensWorkspace = await joinWorkspace(workspace, ada, ben);
    const bens = openMcp(server, bensKey, { workspaceId: workspace.id });
    const seen = async (given: JsonRecord = {}) => {
      const { threads, total } = await dataOf(bens, 'list_comments', given);
      return [bodiesIn({ threads }), total];
    };
    await workspace.put('b.md', 'Another file.\n');
    await startThread(bensWorkspace, { path: 'b.md', quote: 'Another', body: 'shared' });
    await commentOn(workspace, 'mine/c.md', 'in a folder');
    assert.deepEqual(await seen({ path: 'a.md' }), [words, 5]);
    assert.deepEqual(await seen(), [[...words, 'shared', 'in a folder'], 7]);
    await textOf(mcp, 'set_private', { path: 'a.md', kind: 'file' });
    await textOf(mcp, 'set_private', { path: 'mine' });

    assert.deepEqual(await seen(), [['shared'], 1]);
    assert.deepEqual(await seen({ limit: 1 }), [['shared'], 1]);
    assert.deepEqual(await seen({ anchorStatus: 'anchored' }), [['shared'], 1]);
    assert.deepEqual(await seen({ status: 'open' }), [['shared'], 1]);
    const nothing = await bens.call('list_comments', { path: 'none.md' });
    const { next, ...reported } = nothing.data;
    assert.match(String(next), /list_comments without arguments/);
    assert.deepEqual(reported, {
      threads: [],
      total: 0,
      more: false,
      nextOffset: null,
      truncated: false,
    });
    for (const given of [
      { path: 'a.md' },
      { path: 'mine/c.md' },
      { path: 'a.md', anchorStatus: 'anchored' },
      { threadId: first.id },
      { author: ada.id },
      { author: ada.id, anchorStatus: 'anchored' },
    ]) {
      const found = await bens.call('list_comments', given);
      // The text names the path that was asked for.
      const named = JSON.parse(JSON.stringify(found).replaceAll(`There is no ${given.path}. `, ''));
      const expected = JSON.parse(JSON.stringify(nothing).replaceAll('There is no none.md. ', ''));
      assert.deepEqual(named, expected, JSON.stringify(given));
    }
    // The owner of the workspace is also just another member.
    await commentOn(bensWorkspace, 'bens/d.md', "Ben's");
    await textOf(bens, 'set_private', { path: 'bens' });
    assert.deepEqual(await bodies(), [...words, 'shared', 'in a folder']);
    assert.deepEqual(await bodies({ author: ben.id }), ['shared']);
    assert.deepEqual(await seen(), [['shared', "Ben's"], 2]);
    await textOf(mcp, 'set_private', { path: 'a.md', kind: 'file', private: false });
    assert.deepEqual(await seen({ path: 'a.md' }), [words, 5]);
  },
);

async function commentOn(workspace: WorkspaceClient, path: string, body: string): Promise<void> {
  assertStatus(await workspace.put(path, 'Another file.\n'), 201);
  await startThread(workspace, { path, quote: 'Another', body });
}

function bodiesIn(list: JsonRecord): readonly string[] {
  return recordsAt(list, 'threads').map((thread) => textAt(thread, 'body'));
}

function withoutThreads({ threads: _, ...rest }: JsonRecord): JsonRecord {
  return rest;
}

function _fileOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('\n');
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}
