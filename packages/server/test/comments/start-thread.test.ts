import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseWorkspacePath, WorkspaceError } from '@stoa/core';
import type { AskAnchoring } from '../../src/service/comments/anchoring.ts';
import { deleteFile } from '../../src/service/files/delete-file.ts';
import { openCommentedWorkspace } from './support/commented-workspace.ts';

const path = 'a.md';

/** Wraps anchoring so that something happens after each placement, before the result is returned. */
function whilePlacing(happens: () => Promise<unknown>) {
  return (real: AskAnchoring): AskAnchoring =>
    async (kind, question) => {
      const outcome = await real(kind, question);
      if (kind === 'match') await happens();
      return outcome;
    };
}

test('a file that changes during placement is read again', async () => {
  let writes = 0;
  let write = async () => {};
  await using workspace = await openCommentedWorkspace(whilePlacing(() => write()));
  await workspace.write(path, 'The quote stands here.\n');
  write = async () => {
    if (writes === 3) return;
    writes += 1;
    await workspace.write(path, `${'More. '.repeat(writes)}The quote stands here.\n`);
  };
  const outcome = await workspace.start(path, { quote: 'quote' });
  assert.equal(outcome.kind, 'created');
  const { thread, resolved } = outcome.thread;
  const start = 'More. More. More. The '.length;
  assert.equal(thread.pinnedVersion, 4);
  assert.deepEqual(thread.pinnedRange, { start, end: start + 5 });
  assert.deepEqual(resolved.range, thread.pinnedRange);
  const { threads } = await workspace.list();
  assert.deepEqual(
    threads.map((each) => each.resolved),
    [resolved],
  );
});

test('a file that keeps changing rejects the thread', async () => {
  let writes = 0;
  let write = async () => {};
  await using workspace = await openCommentedWorkspace(whilePlacing(() => write()));
  await workspace.write(path, 'The quote.\n');
  write = async () => {
    writes += 1;
    await workspace.write(path, `The quote, ${writes}.\n`);
  };
  await assert.rejects(workspace.start(path, { quote: 'quote' }), rejectedAs('overloaded'));
  assert.equal(writes, 5);
  assert.equal((await workspace.list()).total, 0);
});

test('the same bytes written again keep the anchor, at their new version', async () => {
  let write = async () => {};
  let placed = 0;
  const again = whilePlacing(async () => {
    placed += 1;
    await write();
  });
  await using workspace = await openCommentedWorkspace(again);
  await workspace.write(path, 'The quote.\n');
  write = async () => void (await workspace.write(path, 'The quote.\n'));
  const outcome = await workspace.start(path, { quote: 'quote' });
  assert.equal(outcome.kind, 'created');
  assert.equal(outcome.thread.thread.pinnedVersion, 2);
  assert.equal(placed, 1);
});

test('a file that is deleted during placement is not found', async () => {
  let remove = async () => {};
  await using workspace = await openCommentedWorkspace(whilePlacing(() => remove()));
  await workspace.write(path, 'The quote.\n');
  remove = async () => {
    const target = { path: parseWorkspacePath(path), expected: { version: 1, contentHash: null } };
    await deleteFile(workspace.deps, workspace.access, target);
  };
  await assert.rejects(workspace.start(path, { quote: 'quote' }), rejectedAs('file_not_found'));
});

test('a large file is commented on like a small one', async () => {
  await using workspace = await openCommentedWorkspace();
  const filler = 'Nothing to see in this line.\n'.repeat(100_000);
  await workspace.write(path, `${filler}The quote.\n${filler}`);
  const outcome = await workspace.start(path, { quote: 'quote' });
  assert.equal(outcome.kind, 'created');
  assert.equal(outcome.thread.thread.pinnedRange.start, filler.length + 4);
  await workspace.write(path, `An introduction.\n${filler}The new quote.\n${filler}`);
  const [thread] = (await workspace.list()).threads;
  assert.equal(thread?.resolved.currentText, 'quote');
});

function rejectedAs(code: string): (error: unknown) => boolean {
  return (error) => error instanceof WorkspaceError && error.code === code;
}
