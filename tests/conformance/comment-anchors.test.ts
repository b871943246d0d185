import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  commentChanges,
  listComments,
  postReply,
  putResolved,
  readThread,
  startThread,
} from '../support/comments.ts';
import { assertStatus } from '../support/expect.ts';
import { createKey, signUp } from '../support/people.ts';
import type { JsonRecord } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server);
const robot = await createKey(ada);

const quote = 'The review takes two weeks, and nobody ships before it is over.';
const text = `# Plan

An introduction that says what this is about.

${quote} It is done by two people.

## After that

We ship.
`;

async function commented(): Promise<{ workspace: WorkspaceClient; thread: JsonRecord }> {
  const workspace = await createWorkspace(ada, robot.client);
  await workspace.put('plan.md', text);
  return { workspace, thread: await startThread(workspace, { path: 'plan.md', quote }) };
}

async function anchorOf(workspace: WorkspaceClient, thread: JsonRecord): Promise<readonly unknown[]> {
  const { anchorStatus, currentText } = await readThread(workspace, thread);
  return [anchorStatus, currentText];
}

test(...claims('comments.anchors', 'an anchor follows its text through edits'), async () => {
  const { workspace, thread } = await commented();
  const put = async (changed: string, ifMatch: number) =>
    assertStatus(await workspace.put('plan.md', changed, { ifMatch }), 200);
  await put(text.replace('An introduction', 'First of all, an introduction'), 1);
  assert.deepEqual(await anchorOf(workspace, thread), ['anchored', quote]);
  const rewrapped = quote.replace('weeks, and', 'weeks,\nand');
  await put(text.replace(quote, rewrapped), 2);
  assert.deepEqual(await anchorOf(workspace, thread), ['anchored', rewrapped]);
  const edited = quote.replace('two weeks', 'three weeks');
  await put(text.replace(quote, edited), 3);
  assert.deepEqual(await anchorOf(workspace, thread), ['anchored', edited]);
  await put(text.replace(`${quote} It is done by two people.\n\n`, ''), 4);
  assert.deepEqual(await anchorOf(workspace, thread), ['outdated', null]);
  await put(`${text}\nÄ.\n`, 5);
  assert.deepEqual(await anchorOf(workspace, thread), ['anchored', quote]);
  assert.equal((await readThread(workspace, thread)).pinnedVersion, 1);
});

test(...claims('comments.anchors', 'an anchor never jumps to a look-alike'), async () => {
  const workspace = await createWorkspace(ada, robot.client);
  const before = 'First.\n\n- Agreed by all.\n\nMiddle of the file, which stays.\n\nLast.\n';
  await workspace.put('a.md', before);
  const thread = await startThread(workspace, { path: 'a.md', quote: 'Agreed by all.' });
  const elsewhere = before.replace('- Agreed by all.\n\n', '').replace('Last.', 'Last. Agreed by all.');
  await workspace.put('a.md', elsewhere, { ifMatch: 1 });
  assert.deepEqual(await anchorOf(workspace, thread), ['outdated', null]);
});

test(
  ...claims(
    ['moves.threads', 'comments.deleted'],
    'threads move with the file, and are anchored again when a deleted file is restored',
  ),
  async () => {
    const { workspace, thread } = await commented();
    await workspace.post('move', { from: 'plan.md', to: 'docs/plan.md' });
    const moved = await readThread(workspace, thread);
    assert.deepEqual([moved.path, moved.anchorStatus], ['docs/plan.md', 'anchored']);
    assert.equal((await listComments(workspace, { path: 'plan.md' })).total, 0);

    await workspace.remove('docs/plan.md', 1);
    const deleted = await readThread(workspace, thread);
    assert.deepEqual(
      [deleted.anchorStatus, deleted.currentText, deleted.currentRange],
      ['outdated', null, null],
    );
    assert.deepEqual([deleted.path, deleted.quote], ['docs/plan.md', quote]);
    assertStatus(await postReply(workspace, thread, { body: 'Why is it gone?' }), 201);
    const resolved = await putResolved(workspace, thread, true);
    assert.equal(JSON.parse(resolved.bytes.toString()).resolvedAtVersion, null);

    await workspace.post('restore', { path: 'docs/plan.md', targetVersion: 1 });
    assert.deepEqual(await anchorOf(workspace, thread), ['anchored', quote]);
    assert.equal((await readThread(workspace, thread)).entryCount, 1);
  },
);

test(
  ...claims(
    ['moves.threads', 'comments.deleted'],
    'a draft moved to the path of a deleted file takes over its threads and keeps them when renamed',
  ),
  async () => {
    const { workspace, thread } = await commented();
    await workspace.put('draft.md', text.replace('We ship.', 'We ship on Monday.'));
    await workspace.remove('plan.md', 1);
    await workspace.post('move', { from: 'draft.md', to: 'plan.md' });
    assert.deepEqual(await anchorOf(workspace, thread), ['anchored', quote]);
    await workspace.post('move', { from: 'plan.md', to: 'docs/plan.md' });
    assert.deepEqual(await anchorOf(workspace, thread), ['anchored', quote]);
    assert.equal((await readThread(workspace, thread)).path, 'docs/plan.md');
  },
);

test(
  ...claims(
    ['moves.threads', 'comments.anchors'],
    'threads of a deleted file stay readable but outdated when another text is moved to its path',
  ),
  async () => {
    const { workspace, thread } = await commented();
    await workspace.put('other.md', '# Something else\n\nOf another matter.\n');
    await workspace.remove('plan.md', 1);
    await workspace.post('move', { from: 'other.md', to: 'plan.md' });
    assert.deepEqual(await anchorOf(workspace, thread), ['outdated', null]);
    await workspace.post('move', { from: 'plan.md', to: 'docs/other.md' });
    await workspace.post('restore', { path: 'plan.md', targetVersion: 1 });
    const transferred = await readThread(workspace, thread);
    assert.deepEqual([transferred.path, transferred.anchorStatus], ['docs/other.md', 'outdated']);
    assert.deepEqual([transferred.quote, transferred.pinnedVersion], [quote, 1]);
    assertStatus(await postReply(workspace, thread, { body: 'Where is the plan now?' }), 201);
    const pinned = await workspace.query(`comments/${transferred.id}/pinned-content`);
    assert.equal(pinned.bytes.toString(), text);
    assert.equal((await listComments(workspace, { path: 'plan.md' })).total, 0);
  },
);

test(
  ...claims(
    ['feed.op.comments', 'feed.comment-version', 'feed.comments-on'],
    'each change of a thread is in the feed once',
  ),
  async () => {
    const { workspace, thread } = await commented();
    await workspace.put('plan.md', `${text}\n`, { ifMatch: 1 });
    const reply = { body: 'x', dedupeKey: 'k' };
    await postReply(workspace, thread, reply);
    await postReply(workspace, thread, reply);
    await workspace.post('comments', { path: 'plan.md', kind: 'range', body: 'x', quote: 'nowhere' });
    await workspace.put('plan.md', text, { ifMatch: 2 });
    await putResolved(workspace.as(ada.session), thread, true);
    await putResolved(workspace, thread, true);
    await putResolved(workspace, thread, false);
    const changes = await commentChanges(workspace);
    assert.deepEqual(
      changes.map(({ op, path, version }) => `${op} ${path} ${version}`),
      [
        'comment_created plan.md 1',
        'comment_replied plan.md 2',
        'comment_resolved plan.md 3',
        'comment_reopened plan.md 3',
      ],
    );
    assert.deepEqual(
      changes.map(({ principal, actorId, actorKeyId, contentHash }) => [
        principal,
        actorId,
        actorKeyId,
        contentHash,
      ]),
      [
        ['agent', ada.id, robot.id, null],
        ['agent', ada.id, robot.id, null],
        ['human', ada.id, null, null],
        ['agent', ada.id, robot.id, null],
      ],
    );
    const since = new Date(0).toISOString();
    const byTime = await workspace.query('changes', { since, includeComments: 'true', limit: 1000 });
    assert.ok(byTime.bytes.includes('comment_reopened'));
  },
);

test(...claims('feed.comments-off', 'the feed has no comments unless the caller asks'), async () => {
  const { workspace, thread } = await commented();
  await postReply(workspace, thread, { body: 'x' });
  assert.deepEqual(
    (await workspace.changes()).map(({ op }) => op),
    ['write'],
  );
  const since = new Date(0).toISOString();
  assert.ok(!(await workspace.query('changes', { since, limit: 1000 })).bytes.includes('comment_'));
});
