import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commentChanges, startThread } from '../support/comments.ts';
import { feedLine, iso8601 } from '../support/expect.ts';
import { join } from '../support/invites.ts';
import { type McpClient, openMcp } from '../support/mcp-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { recordOf, recordsAt, textAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { assertHardError, dataOf, textOf } from '../support/tool-result.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server, 'Ada');
const ben = await signUp(server, 'Ben');
const adasKey = await createKey(ada, { name: 'Reviewer' });
const bensKey = await createKey(ben, { name: 'Writer' });
const plan = 'We ship on Monday, after the review.\n';

/** A workspace of Ada's that Ben belongs to, with a thread of Ada's on its file `notes/plan.md`. */
async function openThread() {
  const workspace = await createWorkspace(ada);
  await join(ada, ben, workspace.id);
  await workspace.put('notes/plan.md', plan);
  const { id } = await startThread(workspace, { path: 'notes/plan.md', quote: 'on Monday' });
  const reach = { workspaceId: workspace.id };
  return {
    workspace,
    threadId: String(id),
    mcp: openMcp(server, adasKey, reach),
    bens: openMcp(server, bensKey, reach),
  };
}

const reply = (mcp: McpClient, given: Readonly<Record<string, unknown>>) =>
  dataOf(mcp, 'reply_comment', given);
const resolve = (mcp: McpClient, threadId: string, resolved: boolean) =>
  dataOf(mcp, 'resolve_comment', { threadId, resolved });

/** The thread as it is listed now. */
async function listed(mcp: McpClient, threadId: string) {
  const { threads } = await dataOf(mcp, 'list_comments', { threadId });
  return recordOf(Array.isArray(threads) ? threads[0] : undefined);
}

const openState = { resolvedAt: null, resolvedAtVersion: null, resolvedBy: null };

test(...claims('mcp.reply-comment', 'an agent replies, and the reply says who made it'), async () => {
  const { workspace, threadId, mcp, bens } = await openThread();
  const body = '**Done**: "moved" to Tuesday.\n\n\\ Grüße 😀';
  const response = await reply(bens, { threadId, body });
  const { id, createdAt, ...entry } = recordOf(response.entry);
  assert.match(String(id), /^\S+$/);
  assert.match(String(createdAt), iso8601);
  assert.deepEqual(response, { ok: true, entry: response.entry, deduped: false });
  assert.deepEqual(entry, {
    threadId,
    body,
    createdBy: ben.id,
    principal: 'agent',
    actorKeyId: bensKey.id,
    actorLabel: 'Writer',
  });
  const second = await reply(mcp, { threadId, body: 'Thanks.' });
  assert.deepEqual(recordsAt(await listed(mcp, threadId), 'entries'), [response.entry, second.entry]);
  assert.deepEqual((await commentChanges(workspace)).map(feedLine), [
    'comment_created notes/plan.md 1',
    'comment_replied notes/plan.md 1',
    'comment_replied notes/plan.md 1',
  ]);
});

test(
  ...claims('mcp.reply-comment', 'a resolved thread, and one of a deleted file, accept replies'),
  async () => {
    const { workspace, threadId, mcp } = await openThread();
    await resolve(mcp, threadId, true);
    assert.equal((await reply(mcp, { threadId, body: 'After all.' })).ok, true);
    await workspace.remove('notes/plan.md', 1);
    assert.equal((await reply(mcp, { threadId, body: 'Gone.' })).ok, true);
    const { status, entryCount } = await listed(mcp, threadId);
    assert.deepEqual([status, entryCount], ['resolved', 2]);
  },
);

test(
  ...claims('mcp.reply-comment.limit', 'a reply has at most 64 KiB, counted in bytes, and some text'),
  async () => {
    const { threadId, mcp } = await openThread();
    const longest = 'é'.repeat(32 * 1024);
    for (const body of ['x'.repeat(64 * 1024), longest]) {
      assert.equal(recordOf((await reply(mcp, { threadId, body })).entry).body, body);
    }
    for (const body of ['x'.repeat(64 * 1024 + 1), `${longest}x`]) {
      await assertHardError(mcp, 'reply_comment', { threadId, body }, /^body: .*65536 bytes.*64 KiB/);
    }
    for (const body of [undefined, null, 7]) {
      await assertHardError(
        mcp,
        'reply_comment',
        { threadId, body },
        /\bbody(: | is missing: it )must be a text/,
      );
    }
    for (const body of ['', ' \n']) {
      await assertHardError(mcp, 'reply_comment', { threadId, body }, /^body: must not be empty/);
    }
    assert.equal((await listed(mcp, threadId)).entryCount, 2);
  },
);

test(...claims('mcp.reply-comment.dedupe', 'a reply sent again with its key is recorded once'), async () => {
  const { workspace, threadId, mcp, bens } = await openThread();
  const given = { threadId, body: 'Done.', dedupeKey: 'turn-7' };
  const [first, again] = await Promise.all([reply(mcp, given), reply(mcp, given)]);
  assert.deepEqual(first.entry, again.entry);
  assert.deepEqual([first.deduped, again.deduped].toSorted(), [false, true]);
  const retry = { ok: true, entry: first.entry, deduped: true };
  assert.deepEqual(await reply(mcp, given), retry);
  // The key identifies the reply, whatever text comes with the second call.
  assert.deepEqual(await reply(mcp, { ...given, body: 'Really done.' }), retry);
  assert.match((await mcp.call('reply_comment', given)).text, /deduped/);
  assert.equal((await listed(mcp, threadId)).entryCount, 1);
  const other = await startThread(workspace, { path: 'notes/plan.md', quote: 'review' });
  for (const [by, change] of [
    [mcp, { dedupeKey: 'turn-8' }],
    [mcp, { dedupeKey: undefined }],
    [mcp, { dedupeKey: undefined }],
    [mcp, { threadId: other.id }],
    [bens, {}],
  ] as const) {
    assert.equal((await reply(by, { ...given, ...change })).deduped, false);
  }
  assert.equal((await listed(mcp, threadId)).entryCount, 5);
  const replied = (await commentChanges(workspace)).filter(({ op }) => op === 'comment_replied');
  assert.equal(replied.length, 6);
  await assertHardError(mcp, 'reply_comment', { ...given, dedupeKey: '' }, /^dedupeKey: /);
});

test(
  ...claims(
    ['mcp.reply-comment.unknown', 'mcp.resolve-comment.required'],
    "a thread that is missing, elsewhere, or on another's private file is an error",
  ),
  async () => {
    const { threadId, mcp, bens } = await openThread();
    const elsewhere = await openThread();
    await textOf(mcp, 'set_private', { path: 'notes' });
    for (const [tool, rest] of [
      ['reply_comment', { body: 'x' }],
      ['resolve_comment', { resolved: true }],
    ] as const) {
      const reject = (by: McpClient, id: string) =>
        assertHardError(by, tool, { threadId: id, ...rest }, /^Comment thread not found.*list_comments/);
      const text = await reject(mcp, 'none');
      assert.equal(await reject(mcp, ''), text);
      assert.equal(await reject(mcp, elsewhere.threadId), text);
      assert.equal(await reject(bens, threadId), text);
      for (const wrong of [undefined, null, 7]) {
        await assertHardError(
          mcp,
          tool,
          { ...rest, threadId: wrong },
          /\bthreadId(: | is missing: it )must be/,
        );
      }
    }
    for (const { reader, id } of [
      { reader: mcp, id: threadId },
      { reader: elsewhere.mcp, id: elsewhere.threadId },
    ]) {
      const { status, entryCount } = await listed(reader, id);
      assert.deepEqual([status, entryCount], ['open', 0]);
    }
  },
);

test(
  ...claims(
    ['mcp.resolve-comment', 'mcp.resolve-comment.who', 'mcp.resolve-comment.idempotent'],
    'a thread is resolved once, and the result names the user and the version',
  ),
  async () => {
    const { workspace, threadId, mcp, bens } = await openThread();
    await workspace.put('notes/plan.md', `${plan}More.\n`, { ifMatch: 1 });
    const response = await resolve(bens, threadId, true);
    const { resolvedAt } = response;
    assert.match(textAt(response, 'resolvedAt'), iso8601);
    const resolution = { resolvedAt, resolvedAtVersion: 2, resolvedBy: ben.id };
    assert.deepEqual(response, { ok: true, resolved: true, changed: true, ...resolution });
    await workspace.put('notes/plan.md', `${plan}Still more.\n`, { ifMatch: 2 });
    for (const by of [bens, mcp]) {
      assert.deepEqual(await resolve(by, threadId, true), { ...response, changed: false });
    }
    // Agents see the text, and pass it on to people who know no user ids.
    const { text } = await mcp.call('resolve_comment', { threadId, resolved: true });
    const said = `The thread ${threadId} is still resolved at ${resolvedAt} by Ben (${ben.id}), at file version 2.`;
    assert.equal(text, said);
    const thread = await listed(mcp, threadId);
    assert.deepEqual(
      { status: thread.status, ...resolutionOf(thread) },
      { status: 'resolved', ...resolution },
    );
    assert.deepEqual((await commentChanges(workspace)).map(feedLine), [
      'comment_created notes/plan.md 1',
      'comment_resolved notes/plan.md 2',
    ]);
  },
);

test(
  ...claims('mcp.resolve-comment.who', 'a thread of a deleted file is resolved at no version'),
  async () => {
    const { workspace, threadId, mcp } = await openThread();
    await workspace.remove('notes/plan.md', 1);
    const response = await resolve(mcp, threadId, true);
    assert.deepEqual([response.resolvedAtVersion, response.resolvedBy], [null, ada.id]);
  },
);

test(
  ...claims(
    ['mcp.resolve-comment.reopen', 'mcp.resolve-comment.idempotent', 'mcp.resolve-comment'],
    'a reopened thread has no resolver',
  ),
  async () => {
    const { workspace, threadId, mcp, bens } = await openThread();
    const open = { ok: true, resolved: false, ...openState };
    assert.deepEqual(await resolve(mcp, threadId, false), { ...open, changed: false });
    await resolve(bens, threadId, true);
    assert.deepEqual(await resolve(mcp, threadId, false), { ...open, changed: true });
    assert.deepEqual(await resolve(bens, threadId, false), { ...open, changed: false });
    const thread = await listed(mcp, threadId);
    assert.deepEqual({ status: thread.status, ...resolutionOf(thread) }, { status: 'open', ...openState });
    await workspace.put('notes/plan.md', `${plan}More.\n`, { ifMatch: 1 });
    const { resolvedAtVersion, resolvedBy } = await resolve(mcp, threadId, true);
    assert.deepEqual([resolvedAtVersion, resolvedBy], [2, ada.id]);
    assert.deepEqual(
      (await commentChanges(workspace)).map(({ op }) => op),
      ['comment_created', 'comment_resolved', 'comment_reopened', 'comment_resolved'],
    );
  },
);

test(...claims('mcp.resolve-comment.required', 'an incomplete call resolves no thread'), async () => {
  const { threadId, mcp } = await openThread();
  for (const resolved of [undefined, null, 'yes', 1]) {
    const given = { threadId, resolved };
    await assertHardError(mcp, 'resolve_comment', given, /\bresolved(: | is missing: it )must be true or/);
  }
  await assertHardError(mcp, 'resolve_comment', { resolved: true }, /^threadId is missing: it must be/);
  assert.equal((await listed(mcp, threadId)).status, 'open');
});

function resolutionOf({ resolvedAt, resolvedAtVersion, resolvedBy }: Readonly<Record<string, unknown>>) {
  return { resolvedAt, resolvedAtVersion, resolvedBy };
}
