import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { parseWorkspacePath, resolveAnchor, WorkspaceError } from '@stoa/core';
import { openWorkspace } from '../../src/service/access.ts';
import type { AskAnchoring } from '../../src/service/comments/anchoring.ts';
import { insertThreadScript } from '../../src/service/comments/insert-thread.ts';
import { readPinnedContent } from '../../src/service/comments/read-pinned-content.ts';
import { resolveThreads } from '../../src/service/comments/resolve-threads.ts';
import { setNodePrivate } from '../../src/service/nodes/set-node-private.ts';
import { authorOf } from '../../src/service/script-steps.ts';
import { addMember, signedIn } from '../support/signed-in.ts';
import { type CommentedWorkspace, openCommentedWorkspace } from './support/commented-workspace.ts';

const path = 'a.md';
const text = 'An introduction.\n\nThe quote stands here.\n\nThe end.\n';

/** Counts the contents that were compared, and how many anchors with each. */
function counting(jobs: number[]) {
  return (real: AskAnchoring): AskAnchoring =>
    (kind, question) => {
      if ('anchors' in question) jobs.push(question.anchors.length);
      return real(kind, question);
    };
}

test('threads that are pinned to the same bytes are resolved together, and once', async () => {
  const jobs: number[] = [];
  await using workspace = await openCommentedWorkspace(counting(jobs));
  await workspace.write(path, text);
  await startMany(workspace, 1000);
  assert.equal((await workspace.list({ limit: 200 })).threads.length, 200);
  assert.deepEqual(jobs, []);
  await workspace.write(path, `More. ${text}`);
  const { total } = await workspace.list({ anchorStatus: 'anchored' });
  assert.equal(total, 1000);
  assert.deepEqual(jobs, [1000]);
  await workspace.list({ limit: 200, offset: 400 });
  assert.deepEqual(jobs, [1000]);
  await workspace.write(path, `Still more. ${text}`);
  await workspace.list({ limit: 200 });
  assert.deepEqual(jobs, [1000, 200]);
});

test('in an unchanged file every anchor is where resolving it would find it', async () => {
  await using workspace = await openCommentedWorkspace();
  const repeated = '- the same\n- the same\n- the same\n\nthe end';
  await workspace.write(path, repeated);
  const point = { kind: 'point', contextBefore: '\n\nthe ', contextAfter: 'end' } as const;
  for (const thread of [{ quote: 'same', occurrence: 2 }, { quote: 'the same', occurrence: 3 }, point]) {
    assert.equal((await workspace.start(path, thread)).kind, 'created');
  }
  const pinnedContent = Buffer.from(repeated);
  for (const { thread, resolved } of (await workspace.list()).threads) {
    const content = Buffer.from(repeated);
    const { anchor, pinnedRange } = thread;
    assert.deepEqual(resolved, resolveAnchor({ pinnedContent, pinnedRange, content, anchor }));
  }
});

test('a filter by anchor looks at a bounded number of threads, and says so', async () => {
  await using workspace = await openCommentedWorkspace();
  await workspace.write(path, text);
  await startMany(workspace, 2001);
  const { threads, ...all } = await workspace.list({ anchorStatus: 'anchored', offset: 1990 });
  assert.equal(threads.length, 10);
  assert.deepEqual(all, { total: 2000, nextOffset: null, truncated: true });
  const { total, truncated } = await workspace.list();
  assert.deepEqual({ total, truncated }, { total: 2001, truncated: false });
});

test('work on large files ends early, but never before the first thread', async () => {
  await using workspace = await openCommentedWorkspace();
  await workspace.write(path, text);
  await startMany(workspace, 3);
  await workspace.write('b.md', text.toUpperCase());
  await startMany(workspace, 1, 'b.md');
  const { deps } = workspace;
  const threads = (await workspace.list()).threads.map(({ thread }) => thread);
  const changed = threads.map((thread) => ({ ...thread, pinnedContentHash: 'f'.repeat(64) as never }));
  const resolvedWith = async (workBytesMax: number) =>
    (await resolveThreads(deps, changed, { workBytesMax })).size;
  assert.equal(await resolvedWith(0), 1);
  assert.equal(await resolvedWith(text.length * 4), 2);
  assert.equal(await resolvedWith(text.length * 5), 3);
  assert.equal(await resolvedWith(text.length * 8), 4);
});

test('a thread is not shown when its file becomes private while anchors are resolved', async () => {
  let hide = async () => {};
  const hiding =
    (real: AskAnchoring): AskAnchoring =>
    async (kind, question) => {
      if (kind === 'resolve') await hide();
      return real(kind, question);
    };
  await using workspace = await openCommentedWorkspace(hiding);
  await workspace.write(path, text);
  await startMany(workspace, 2);
  await workspace.write(path, `More. ${text}`);
  hide = async () => {
    const { deps } = workspace;
    const workspaceId = workspace.access.workspace.id;
    const ben = await signedIn(deps.store, 'ben');
    await addMember(deps.store, workspaceId, 'ben');
    const record = { path: parseWorkspacePath(path), kind: 'file', private: true } as const;
    await setNodePrivate(deps, await openWorkspace(deps, ben, workspaceId), record);
  };
  const { threads, nextOffset } = await workspace.list();
  assert.deepEqual({ threads, nextOffset }, { threads: [], nextOffset: null });
});

test('a thread remains when the content that it is pinned to is gone', async () => {
  await using workspace = await openCommentedWorkspace();
  await workspace.write(path, text);
  const outcome = await workspace.start(path, { quote: 'The quote stands here.' });
  assert.equal(outcome.kind, 'created');
  const { thread } = outcome.thread;
  await workspace.write(path, `More. ${text}`);
  const pinned = await readPinnedContent(workspace.deps, workspace.access, thread.id);
  assert.deepEqual(Buffer.from(await bytesOf(await pinned.open())).toString(), text);

  await loseContent(workspace, thread.pinnedContentHash);
  await assert.rejects(
    pinned.open(),
    (error) => error instanceof WorkspaceError && error.code === 'pinned_content_gone',
  );
  const [listed] = (await workspace.list()).threads;
  assert.deepEqual(
    [listed?.resolved.status, listed?.resolved.currentText],
    ['anchored', 'The quote stands here.'],
  );
});

test('a file whose bytes are lost leaves its threads readable', async () => {
  await using workspace = await openCommentedWorkspace();
  await workspace.write(path, text);
  await startMany(workspace, 1);
  await workspace.write(path, `More. ${text}`);
  const file = await workspace.deps.store.reader.files.find(
    workspace.access.workspace.id,
    parseWorkspacePath(path),
  );
  await loseContent(workspace, file?.contentHash ?? '');
  const [listed] = (await workspace.list()).threads;
  assert.equal(listed?.resolved.status, 'outdated');
});

/** Threads on the quote, without looking for it each time. */
async function startMany(workspace: CommentedWorkspace, count: number, at = path): Promise<void> {
  const { deps, access } = workspace;
  const filePath = parseWorkspacePath(at);
  const file = await deps.store.reader.files.find(access.workspace.id, filePath);
  assert.ok(file !== null);
  const start = text.indexOf('quote');
  const command = {
    ...authorOf(access, 1),
    path: filePath,
    body: 'Why?',
    anchor: { kind: 'range', quote: 'quote', contextBefore: 'The ', contextAfter: ' stands' },
    range: { start, end: start + 5 },
    contentHash: file.contentHash,
  } as const;
  const inserted = Array.from({ length: count }, () =>
    deps.store.transact(insertThreadScript, { ...command, id: deps.ids('thread') }),
  );
  for (const { kind } of await Promise.all(inserted)) assert.equal(kind, 'created');
}

/** Removes bytes from the store, as a damaged disk would. Reads see it from the next tick on. */
async function loseContent(workspace: CommentedWorkspace, contentHash: string): Promise<void> {
  const db = new DatabaseSync(join(workspace.dataDir, 'stoa.db'));
  db.prepare('delete from blob where content_hash = ?').run(contentHash);
  db.close();
  await nextTick();
}

async function bytesOf(content: Uint8Array | ReadableStream<Uint8Array>): Promise<Uint8Array> {
  return content instanceof Uint8Array
    ? content
    : new Uint8Array(await new Response(content as never).arrayBuffer());
}
