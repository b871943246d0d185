import assert from 'node:assert/strict';
import { test } from 'node:test';
import { feedLines, listedPaths } from '../support/expect.ts';
import { joinWorkspace } from '../support/join-workspace.ts';
import { openMcp } from '../support/mcp-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { recordOf, textAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { assertHardError, dataOf, textOf } from '../support/tool-result.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server, 'Ada');
const ben = await signUp(server, 'Ben');
const key = await createKey(ada, { name: 'Claude', actorType: 'agent' });
const bensKey = await createKey(ben, { name: 'Codex', actorType: 'agent' });

async function openWorkspace(...paths: readonly string[]) {
  const workspace = await createWorkspace(ada, key.client);
  for (const path of paths) await workspace.put(path, 'x');
  const mcp = openMcp(server, key, { workspaceId: workspace.id, toolSet: 'extended' });
  return { workspace, mcp };
}

async function threadsOn(mcp: ReturnType<typeof openMcp>, count: number) {
  const quotes = Array.from({ length: count }, (_, i) => `Claim ${i}.`);
  await dataOf(mcp, 'write_file', { path: 'paper.md', content: `# Paper\n\n${quotes.join('\n')}\n` });
  const ids: string[] = [];
  for (const quote of quotes) {
    const { thread } = await dataOf(mcp, 'add_comment', { path: 'paper.md', quote, body: `Why ${quote}` });
    ids.push(textAt(recordOf(thread), 'id'));
  }
  return ids;
}

test(...claims('mcp.answer-comments', 'one call replies to and resolves any number of threads'), async () => {
  const { mcp } = await openWorkspace();
  const [one = '', two = '', three = ''] = await threadsOn(mcp, 3);
  const responses = [
    { threadId: one, body: 'Fixed.', resolved: true },
    { threadId: two, body: 'Not yet.' },
    { threadId: three, resolved: true },
  ];
  const given = { answers: responses, dedupeKey: 'first' };
  assert.deepEqual(await dataOf(mcp, 'answer_comments', given), { ok: true, answered: 2, resolved: 2 });
  assert.deepEqual(await dataOf(mcp, 'answer_comments', given), { ok: true, answered: 2, resolved: 2 });
  const twice = [one, one].map((threadId) => ({ threadId, body: 'Once more.', resolved: true }));
  const again = { answers: twice, dedupeKey: 'second' };
  assert.deepEqual(await dataOf(mcp, 'answer_comments', again), { ok: true, answered: 1, resolved: 1 });
  const brief = await textOf(mcp, 'list_comments', { brief: true });
  assert.equal(brief.match(/Fixed\./g)?.length, 1);
  const json = { answers: JSON.stringify({ threadId: three, resolved: 'no' }) };
  await assertHardError(mcp, 'answer_comments', json, /^answers\.0\.resolved: /);
  await assertHardError(mcp, 'answer_comments', { answers: [] }, /^answers: .*empty/);
});

test(...claims('mcp.answer-comments.each', 'each reply fails or succeeds on its own'), async () => {
  const { mcp } = await openWorkspace();
  const [one = '', two = ''] = await threadsOn(mcp, 2);
  const responses = [
    { threadId: 'thread_none', body: 'x' },
    { threadId: one, body: 'Fixed.', resolved: true },
    { threadId: two },
  ];
  const { data, text } = await mcp.call('answer_comments', { answers: responses });
  assert.deepEqual(data, {
    ok: false,
    answered: 1,
    resolved: 1,
    failed: [
      { threadId: 'thread_none', error: 'thread_not_found' },
      { threadId: two, error: 'nothing_to_do' },
    ],
    next: 'list_comments shows the threads there are. The others are done: do not send them again.',
  });
  assert.ok(text.endsWith(String(data.next)));
  const alone = await mcp.call('answer_comments', { answers: [{ threadId: 'thread_none', body: 'x' }] });
  assert.equal(alone.data.next, 'list_comments shows the threads there are.');
  assert.ok(alone.text.startsWith('Answered 0 threads, resolved 0. Failed: thread_none: thread_not_found. '));
  assert.ok(alone.text.endsWith(String(alone.data.next)));
});

test('counts of one are in the singular', async () => {
  const { mcp } = await openWorkspace();
  const [one = ''] = await threadsOn(mcp, 1);
  const responded = await mcp.call('answer_comments', { answers: [{ threadId: one, body: 'Fixed.' }] });
  assert.equal(responded.text, 'Answered 1 thread, resolved 0.');
  assert.match(await textOf(mcp, 'list_comments', { brief: true }), /^1 thread\./);
  assert.match((await mcp.call('list_comments', {})).text, /^1 thread\./);
  assert.equal((await mcp.call('search_files', { query: 'paper.md' })).text, '1 match:\npaper.md');
});

test(
  ...claims('mcp.list-comments.brief', 'brief listings show threads in short lines, by name and line'),
  async () => {
    const { workspace, mcp } = await openWorkspace();
    await joinWorkspace(workspace, ada, ben);
    const bens = openMcp(server, bensKey, { workspaceId: workspace.id, toolSet: 'extended' });
    const [one = '', two = ''] = await threadsOn(mcp, 2);
    await dataOf(bens, 'reply_comment', { threadId: one, body: 'First.\nSecond.' });
    await dataOf(mcp, 'edit_file', {
      path: 'paper.md',
      edits: [{ oldText: 'Claim 1.', newText: 'Entirely other words.' }],
    });
    await dataOf(mcp, 'resolve_comment', { threadId: one, resolved: true });
    assert.equal(
      await textOf(mcp, 'list_comments', { brief: true }),
      [
        '2 threads.',
        'paper.md',
        `${one} resolved line 3 "Claim 0."`,
        '  Claude: Why Claim 0.',
        '  Codex: First.',
        '    Second.',
        `${two} outdated "Claim 1."`,
        '  Claude: Why Claim 1.',
      ].join('\n'),
    );
    assert.match(
      await textOf(mcp, 'list_comments', { brief: true, limit: 1 }),
      /^2 threads, 1 of them here\. More: offset 1\.\n/,
    );
    assert.match(await textOf(mcp, 'list_comments', { brief: true, path: 'none.md' }), /^0 threads\./);
  },
);

test(...claims('mcp.list-files.depth', 'files can be listed as a tree of a given depth'), async () => {
  const { workspace, mcp } = await openWorkspace(
    'a.md',
    'docs/b.md',
    'docs/deep/c.md',
    'docs/deep/d/e.md',
    'z/f.md',
  );
  await workspace.put('empty/.keep', ' ');
  const tree = (given: Readonly<Record<string, unknown>>) => textOf(mcp, 'list_files', given);
  assert.equal(await tree({ depth: 1 }), 'a.md v1 1\ndocs/ 3 files\nempty/ 0 files\nz/ 1 file');
  assert.equal(
    await tree({ depth: 2 }),
    'a.md v1 1\ndocs/\n  b.md v1 1\n  deep/ 2 files\nempty/\nz/\n  f.md v1 1',
  );
  assert.equal(
    await tree({ depth: 9, prefix: 'docs' }),
    'b.md v1 1\ndeep/\n  c.md v1 1\n  d/\n    e.md v1 1',
  );
  assert.equal(await tree({ depth: 2, offset: 3 }), 'docs/\n  deep/ 2 files\nempty/\nz/\n  f.md v1 1');
  assert.equal(await tree({ depth: 1, prefix: 'none' }), '(no files)');
  await assertHardError(mcp, 'list_files', { depth: 0 }, /^depth: /);
});

test(...claims('mcp.move-folder', 'a folder moves with all in it, in one transaction'), async () => {
  const { workspace, mcp } = await openWorkspace('docs/old/a.md', 'docs/old/deep/b.md', 'docs/c.md');
  const { thread } = await dataOf(mcp, 'add_comment', { path: 'docs/old/a.md', quote: 'x', body: 'Why?' });
  await textOf(mcp, 'set_file_icon', { path: 'docs/old', icon: 'star' });
  const before = (await workspace.changes()).length;
  assert.equal(
    await textOf(mcp, 'move_file', { from: 'docs/old', to: 'docs/new' }),
    'Moved folder docs/old to docs/new: 2 files, each now at version 1.',
  );
  assert.deepEqual(await listedPaths(workspace), ['docs/c.md', 'docs/new/a.md', 'docs/new/deep/b.md']);
  assert.deepEqual((await feedLines(workspace)).slice(before), [
    'delete docs/old/a.md 1',
    'move docs/new/a.md 1',
    'delete docs/old/deep/b.md 1',
    'move docs/new/deep/b.md 1',
  ]);
  const { threads } = await dataOf(mcp, 'list_comments', { threadId: textAt(recordOf(thread), 'id') });
  assert.ok(Array.isArray(threads) && threads[0].path === 'docs/new/a.md');
  await assertHardError(
    mcp,
    'move_file',
    { from: 'docs/new', to: 'docs/new/in' },
    /cannot be moved into itself/,
  );
  await workspace.put('there.md', 'x');
  for (const to of ['there.md', 'docs']) {
    await assertHardError(mcp, 'move_file', { from: 'docs/new', to }, /^The destination already exists/);
  }
  await assertHardError(mcp, 'move_file', { from: 'docs/new', to: 'there.md/in' }, /"there\.md" is a file/);
  await assertHardError(mcp, 'move_file', { from: 'docs/none', to: 'x' }, /^File not found/);
});

test(
  ...claims(
    'mcp.move-folder.hidden',
    'a folder move leaves files the caller cannot see, and keeps private paths private',
  ),
  async () => {
    const { workspace, mcp } = await openWorkspace('docs/a.md', 'docs/own/b.md', 'docs/c.md');
    await joinWorkspace(workspace, ada, ben);
    const bens = openMcp(server, bensKey, { workspaceId: workspace.id, toolSet: 'extended' });
    await textOf(mcp, 'set_private', { path: 'docs/own' });
    assert.match(await textOf(bens, 'move_file', { from: 'docs', to: 'moved' }), /: 2 files, /);
    assert.deepEqual(await listedPaths(workspace), ['docs/own/b.md', 'moved/a.md', 'moved/c.md']);
    await assertHardError(bens, 'move_file', { from: 'docs', to: 'again' }, /^File not found/);
    assert.match(await textOf(mcp, 'move_file', { from: 'docs', to: 'kept' }), /: 1 file, /);
    assert.deepEqual(await listedPaths(workspace.as(bensKey.client)), ['moved/a.md', 'moved/c.md']);
    assert.deepEqual(await listedPaths(workspace), ['kept/own/b.md', 'moved/a.md', 'moved/c.md']);
  },
);

test(...claims('moves.folder.files', 'over REST a folder moves with its files on request'), async () => {
  const { workspace } = await openWorkspace('docs/a.md', 'docs/b.md');
  const move = (json: Readonly<Record<string, unknown>>) => workspace.send('POST', '/move-folder', { json });
  const only = await move({ from: 'docs', to: 'new' });
  assert.equal(only.status, 200);
  assert.deepEqual(await listedPaths(workspace), ['docs/a.md', 'docs/b.md']);
  const moved = await move({ from: 'docs', to: 'new', files: true });
  assert.equal(moved.bytes.toString(), JSON.stringify({ ok: true, from: 'docs', to: 'new', files: 2 }));
  assert.deepEqual(await listedPaths(workspace), ['new/a.md', 'new/b.md']);
  assert.equal((await move({ from: 'docs', to: 'x', files: true })).status, 404);
  await workspace.put('there/a.md', 'x');
  assert.equal((await move({ from: 'new', to: 'there', files: true })).status, 409);
});
