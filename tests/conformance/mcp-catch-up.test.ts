import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordOf, textAt } from '../support/answer.ts';
import { joinWorkspace } from '../support/join-workspace.ts';
import { openMcp } from '../support/mcp-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { useTarget } from '../support/target.ts';
import { assertHardError, dataOf, textOf } from '../support/tool-result.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server, 'Ada');
const ben = await signUp(server, 'Ben');

/** A workspace with an agent of Ada's, who asks, and one of Ben's, who does things. The workspace's first files are Ben's. */
async function openScene() {
  const key = await createKey(ada, { name: 'Claude', actorType: 'agent' });
  const bens = await createKey(ben, { name: 'Codex', actorType: 'agent' });
  const workspace = await createWorkspace(ada, key.client);
  await joinWorkspace(workspace, ada, ben);
  const workspaceId = workspace.id;
  const codex = openMcp(server, bens, { workspaceId, toolSet: 'extended' });
  const claude = openMcp(server, key, { workspaceId, toolSet: 'extended' });
  const write = (path: string, content: string) => dataOf(codex, 'write_file', { path, content });
  const edit = (path: string, oldText: string, newText: string) =>
    dataOf(codex, 'edit_file', { path, edits: [{ oldText, newText }] });
  return {
    workspace,
    claude,
    codex,
    write,
    edit,
    catchUp: (given: Readonly<Record<string, unknown>> = {}) => textOf(claude, 'catch_up', given),
    /** The cursor of now. */
    async cursor() {
      const nothing = await textOf(claude, 'catch_up', { since: '999999999' });
      const [, cursor = ''] = /\(cursor (\d+)\)/.exec(nothing) ?? [];
      return Number(cursor);
    },
  };
}

/** What an answer says below its first line, times left out. */
function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .slice(1)
    .map((line) => line.replace(/ (\d{4}-\d\d-\d\d )?\d\d:\d\d$/, ''));
}

test(...claims('mcp.catch-up', 'a line tells what became of each file that others changed'), async () => {
  const { claude, codex, catchUp, write, edit, cursor } = await openScene();
  await dataOf(claude, 'write_file', { path: 'mine.md', content: 'Mine.\n' });
  await dataOf(claude, 'write_file', { path: 'plan.md', content: 'One.\nTwo.\n' });
  await write('old/one.md', 'x');
  await write('gone.md', 'x');
  await write('paper.md', 'Claim one. Claim two.');
  const since = await cursor();
  await write('new.md', 'x');
  await write('brief.md', 'x');
  await textOf(codex, 'delete_file', { path: 'brief.md', baseVersion: 1 });
  await edit('plan.md', 'One.', 'First.');
  await dataOf(claude, 'write_file', { path: 'plan.md', content: 'Mine at last.', baseVersion: 2 });
  await textOf(codex, 'move_file', { from: 'old/one.md', to: 'archive/one.md' });
  await textOf(codex, 'delete_file', { path: 'gone.md', baseVersion: 1 });
  const { conflictCopyPath } = await dataOf(codex, 'write_file', {
    path: 'mine.md',
    content: 'Lost.',
    baseVersion: 9,
  });
  const { thread } = await dataOf(codex, 'add_comment', { path: 'paper.md', quote: 'one', body: 'Why?' });
  const threadId = textAt(recordOf(thread), 'id');
  await dataOf(codex, 'reply_comment', { threadId, body: 'Well?' });
  await dataOf(claude, 'reply_comment', { threadId, body: 'So.' });
  await dataOf(claude, 'write_file', { path: 'mine.md', content: 'Mine again.', baseVersion: 1 });
  const text = await catchUp({ since });
  assert.match(
    text,
    new RegExp(
      `^6 files changed by others since cursor ${since}, now cursor \\d+\\. ~ changed, \\+ new, > moved, - deleted, ! conflicted copy, " comments\\. You are Claude, for Ada, in .+\\.\n`,
    ),
  );
  assert.deepEqual(linesOf(text), [
    '+ new.md v1, Codex',
    '~ plan.md v3, Codex',
    '> archive/one.md v1 moved from old/one.md, Codex',
    '- gone.md deleted, Codex',
    `! ${conflictCopyPath} of mine.md, Codex`,
    '" paper.md v1: 2 new, 1 open, Codex',
  ]);
  await edit('paper.md', 'two', 'three');
  assert.deepEqual(linesOf(await catchUp({ since })).slice(-2), [
    '~ paper.md v2, Codex',
    '" paper.md v2: 2 new, 1 open, Codex',
  ]);
});

test(
  ...claims(
    'mcp.catch-up',
    'a conflicted copy that moved with its folder is said to be of the file beside it',
  ),
  async () => {
    const { codex, write, catchUp, cursor } = await openScene();
    await write('docs/a.md', 'x');
    const since = await cursor();
    await dataOf(codex, 'write_file', { path: 'docs/a.md', content: 'lost', baseVersion: 9 });
    await textOf(codex, 'move_file', { from: 'docs', to: 'old/docs' });
    const [copy = ''] = linesOf(await catchUp({ since })).filter((line) => line.startsWith('! '));
    assert.match(copy, /^! old\/docs\/a \(conflicted copy [^)]+\)\.md of old\/docs\/a\.md, Codex$/);
  },
);

test(
  ...claims(
    ['mcp.catch-up.first', 'mcp.catch-up.repeat', 'mcp.catch-up.since'],
    'what was told is told again soon after, whatever was asked with since meanwhile',
  ),
  async () => {
    const { write, catchUp, cursor } = await openScene();
    await write('a.md', 'x');
    const first = await catchUp();
    const [, begins = ''] = /^1 file changed by others since (\S+ \S+), now cursor/.exec(first) ?? [];
    const agoMs = Date.now() - Date.parse(`${begins.replace(' ', 'T')}Z`);
    assert.ok(Math.abs(agoMs - 24 * 3_600_000) <= 5 * 60_000, begins);
    assert.equal(await catchUp(), first);
    const since = await cursor();
    await write('b.md', 'x');
    for (const form of [since, String(since)]) {
      assert.deepEqual(linesOf(await catchUp({ since: form })), ['+ b.md v1, Codex']);
    }
    const time = new Date(Date.now() - 3_600_000).toISOString();
    for (const form of ['24h', '7d', time, time.slice(0, 10)]) {
      assert.deepEqual(linesOf(await catchUp({ since: form })), ['+ a.md v1, Codex', '+ b.md v1, Codex']);
    }
    assert.deepEqual(linesOf(await catchUp()), ['+ a.md v1, Codex', '+ b.md v1, Codex']);
  },
);

test(...claims('mcp.catch-up.since', 'another form of since is refused with those there are'), async () => {
  const { claude } = await openScene();
  for (const since of ['yesterday', '', '-1', '2026-13-01T00:00:00Z', '1.5h']) {
    await assertHardError(claude, 'catch_up', { since }, /^since: must be like 24h or 7d, an ISO time/);
  }
});

test(...claims('mcp.catch-up.path', 'it can be asked about a folder or a file'), async () => {
  const { codex, write, catchUp, cursor } = await openScene();
  await write('docs/out.md', 'x');
  const since = await cursor();
  await write('docs/a.md', 'x');
  await write('docs.md', 'x');
  // Keeps an empty folder, and is listed nowhere.
  await write('docs/empty/.keep', '\n');
  await textOf(codex, 'move_file', { from: 'docs/out.md', to: 'out.md' });
  assert.deepEqual(linesOf(await catchUp({ since, path: 'docs' })), [
    '+ docs/a.md v1, Codex',
    '> out.md v1 moved from docs/out.md, Codex',
  ]);
  assert.deepEqual(linesOf(await catchUp({ since, path: 'docs.md' })), ['+ docs.md v1, Codex']);
});

test(...claims('mcp.catch-up.wait', 'it waits for news'), async () => {
  const { claude, write, catchUp, cursor } = await openScene();
  const since = await cursor();
  assert.match(await catchUp({ since, wait: 1 }), /^Nothing by others/);
  const held = catchUp({ since, wait: 30 });
  // Own changes end no wait.
  await dataOf(claude, 'write_file', { path: 'mine.md', content: 'x' });
  await write('a.md', 'x');
  assert.deepEqual(linesOf(await held), ['+ a.md v1, Codex']);
});

test(...claims('mcp.catch-up.diff', 'changed lines are shown where they are asked for'), async () => {
  const { codex, write, edit, catchUp, cursor } = await openScene();
  await write('plan.md', 'One.\nTwo.\nThree.\n');
  await write('moved.md', 'A\nB\n');
  const since = await cursor();
  await edit('plan.md', 'Two.', 'Second.\nThen.');
  await textOf(codex, 'move_file', { from: 'moved.md', to: 'there.md' });
  await edit('there.md', 'B', 'C');
  await write('long.md', Array.from({ length: 25 }, (_, line) => `Line ${line}`).join('\n'));
  await dataOf(codex, 'write_file', { path: 'image.bin', content: '//4A', encoding: 'base64' });
  const lines = linesOf(await catchUp({ since, diff: true }));
  assert.deepEqual(lines.slice(0, 9), [
    '~ plan.md v2, Codex',
    '  2- Two.',
    '  2+ Second.',
    '  3+ Then.',
    '> there.md v2 moved from moved.md, Codex',
    '  2- B',
    '  2+ C',
    '+ long.md v1, Codex',
    '  1+ Line 0',
  ]);
  assert.deepEqual(lines.slice(-4), [
    '  20+ Line 19',
    '  … 5 more changed lines',
    '+ image.bin v1, Codex',
    '  (not compared: read_lines shows it)',
  ]);
});

test(...claims('mcp.catch-up.size', 'an answer that is full says where it goes on'), async () => {
  const { codex, catchUp, cursor } = await openScene();
  const content = Array.from({ length: 30 }, (_, line) => `${'漢'.repeat(299)}${line}`).join('\n');
  const since = await cursor();
  for (let file = 0; file < 15; file += 1) {
    await dataOf(codex, 'write_file', { path: `${file}.md`, content: `${file}\n${content}` });
  }
  const seen: string[] = [];
  let from: string | number = since;
  for (let pages = 0; pages < 20; pages += 1) {
    const text = await catchUp({ since: from, diff: true });
    assert.ok(text.length <= 40_000 && Buffer.byteLength(text) <= 60_000 && text.split('\n').length <= 202);
    seen.push(...(text.match(/(?<=^\+ )\d+\.md/gm) ?? []));
    const [, next] = /more files?: narrow path, or since (\d+)\.$/.exec(text) ?? [];
    if (next === undefined) break;
    from = next;
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 15 }, (_, file) => `${file}.md`),
  );
});

test(...claims('mcp.catch-up.hidden', 'what is hidden is neither named nor counted'), async () => {
  const { codex, write, edit, catchUp, cursor } = await openScene();
  await write('later.md', 'x');
  await write('orig.md', 'x');
  const since = await cursor();
  await textOf(codex, 'set_private', { path: 'own' });
  await write('own/secret.md', 'secret');
  await edit('later.md', 'x', 'secret');
  await textOf(codex, 'set_private', { path: 'later.md', kind: 'file' });
  const { conflictCopyPath } = await dataOf(codex, 'write_file', {
    path: 'orig.md',
    content: 'lost',
    baseVersion: 9,
  });
  await textOf(codex, 'set_private', { path: 'orig.md', kind: 'file' });
  await write('seen.md', 'x');
  const text = await catchUp({ since, diff: true });
  assert.deepEqual(linesOf(text), [
    `! ${conflictCopyPath}, Codex`,
    '  1+ lost',
    '+ seen.md v1, Codex',
    '  1+ x',
  ]);
  assert.match(text, /^2 files /);
  await textOf(codex, 'move_file', { from: 'own/secret.md', to: 'told.md' });
  assert.match(await catchUp({ since, path: 'told.md' }), /^Nothing by others/);
  await textOf(codex, 'set_private', { path: 'told.md', kind: 'file', private: false });
  assert.deepEqual(linesOf(await catchUp({ since, path: 'told.md' })), ['+ told.md v1 shared, Codex']);
});

test(...claims('mcp.catch-up.nothing', 'where nothing happened the open threads are counted'), async () => {
  const { claude, catchUp, cursor } = await openScene();
  const since = await cursor();
  const nothing = await catchUp({ since });
  assert.equal(nothing, `Nothing by others since cursor ${since} (cursor ${since}). No open threads.`);
  await dataOf(claude, 'write_file', { path: 'a.md', content: 'One. Two.' });
  for (const quote of ['One', 'Two'])
    await dataOf(claude, 'add_comment', { path: 'a.md', quote, body: 'Why?' });
  assert.match(await catchUp({ since }), /\. 2 open threads in 1 file\.$/);
});
