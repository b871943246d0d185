import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import {
  commentsPerWorkspaceMax,
  parseWorkspacePath,
  privacyRecordsPerWorkspaceMax,
  repliesPerThreadMax,
} from '@stoa/core';
import { addReply } from '../../src/service/comments/add-reply.ts';
import { setNodePrivate } from '../../src/service/nodes/set-node-private.ts';
import { openCommentedWorkspace } from './support/commented-workspace.ts';

/** Runs a statement that makes the workspace look nearly full. */
function alter(dataDir: string, statement: string): void {
  const db = new DatabaseSync(join(dataDir, 'stoa.db'), { timeout: 10_000 });
  db.exec(statement);
  db.close();
}

test('a workspace keeps a bounded number of comments, threads and replies together', async () => {
  await using workspace = await openCommentedWorkspace();
  const { deps, access, dataDir } = workspace;
  await workspace.write('plan.md', 'once upon a time');
  const thread = { path: 'plan.md', quote: 'once' };
  const started = await workspace.start(thread.path, { quote: thread.quote });
  assert.ok(started.kind === 'created');
  const reply = (body: string, dedupeKey: string | null = null) =>
    addReply(deps, access, { threadId: started.thread.thread.id, body, dedupeKey });
  const held = async () => (await deps.store.reader.workspaces.find(access.workspace.id))?.comments;
  await reply('first', 'a');
  await reply('first', 'a');
  assert.equal(await held(), 2);
  alter(dataDir, `update workspace_counter set comments = ${commentsPerWorkspaceMax - 1}`);
  await reply('the last');
  assert.equal(await held(), commentsPerWorkspaceMax);
  await assert.rejects(reply('one more'), { code: 'too_many_comments' });
  await assert.rejects(workspace.start(thread.path, { quote: thread.quote }), { code: 'too_many_comments' });
  assert.deepEqual((await reply('first', 'a')).deduped, true);
  assert.equal(await held(), commentsPerWorkspaceMax);
});

test('a thread keeps a bounded number of replies', async () => {
  await using workspace = await openCommentedWorkspace();
  const { deps, access, dataDir } = workspace;
  await workspace.write('plan.md', 'once upon a time');
  const started = await workspace.start('plan.md', { quote: 'once' });
  assert.ok(started.kind === 'created');
  const threadId = started.thread.thread.id;
  alter(
    dataDir,
    `insert into comment_entry (id, workspace_id, thread_id, seq, principal, actor_id, created_at, body)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${repliesPerThreadMax - 1})
      select 'entry_' || i, '${access.workspace.id}', '${threadId}', -i, 'human', 'ann', 0, 'so' from n`,
  );
  await addReply(deps, access, { threadId, body: 'the last', dedupeKey: null });
  const oneMore = addReply(deps, access, { threadId, body: 'one more', dedupeKey: null });
  await assert.rejects(oneMore, { code: 'too_many_replies' });
});

test('a workspace keeps a bounded number of private items that were chosen', async () => {
  await using workspace = await openCommentedWorkspace();
  const { deps, access, dataDir } = workspace;
  const make = (path: string, isPrivate = true) =>
    setNodePrivate(deps, access, { path: parseWorkspacePath(path), kind: 'folder', private: isPrivate });
  await make('a');
  alter(dataDir, `update workspace_counter set privacy_records = ${privacyRecordsPerWorkspaceMax - 1}`);
  await make('b');
  await assert.rejects(make('c'), { code: 'too_many_private_items' });
  await make('b');
  await make('a', false);
  await make('c');
});
