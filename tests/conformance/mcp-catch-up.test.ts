import assert from 'node:assert/strict';
import { test } from 'node:test';
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

/**
 * A workspace with two agents: Ada's asks, and Ben's makes changes. The first files of the workspace are Ben's.
 */
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
    /** The current cursor. */
    async cursor() {
      const nothing = await textOf(claude, 'catch_up', { since: '999999999' });
      const [, cursor = ''] = /\(cursor (\d+)\)/.exec(nothing) ?? [];
      return Number(cursor);
    },
  };
}

/** The lines of a result after its first one, without times. */
function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .slice(1)
    .map((line) => line.replace(/ (\d{4}-\d\d-\d\d )?\d\d:\d\d$/, ''));
}

test(...claims('mcp.catch-up', 'a line summarises each file that others changed'), async () => {
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
  ...claims('mcp.catch-up', 'a conflicted copy that moved with its folder still names its file'),
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
    'a shown change is repeated once, then skipped',
  ),
  async () => {
    const { write, catchUp, cursor } = await openScene();
    await write('a.md', 'x');
    const first = await catchUp();
    const [, begins = ''] = /^1 file changed by others since (\S+ \S+), now cursor/.exec(first) ?? [];
    const agoMs = Date.now() - Date.parse(`${begins.replace(' ', 'T')}Z`);
    assert.ok(Math.abs(agoMs - 24 * 3_600_000) <= 5 * 60_000, begins);
    // The first response may have been lost.
    assert.equal(await catchUp(), first);
    const [, begin = ''] =
      /^Nothing by others .* Cursor (\d+) to \d+ was not confirmed: if you missed it, pass since \1\./.exec(
        await catchUp(),
      ) ?? [];
    assert.deepEqual(linesOf(await catchUp({ since: begin })), ['+ a.md v1, Codex']);
    const since = await cursor();
    await write('b.md', 'x');
    const time = new Date(Date.now() - 3_600_000).toISOString();
    for (const form of ['24h', '7d', time, time.slice(0, 10)]) {
      assert.deepEqual(linesOf(await catchUp({ since: form })), ['+ a.md v1, Codex', '+ b.md v1, Codex']);
    }
    assert.deepEqual(linesOf(await catchUp()), ['+ b.md v1, Codex']);
    await write('c.md', 'x');
    const both = await catchUp();
    assert.match(both, / Up to cursor \d+ this repeats the last response\./);
    assert.deepEqual(linesOf(both), ['+ b.md v1, Codex', '+ c.md v1, Codex']);
    for (const form of [since, String(since)]) {
      assert.deepEqual(linesOf(await catchUp({ since: form })), ['+ b.md v1, Codex', '+ c.md v1, Codex']);
    }
  },
);

test(
  ...claims('mcp.catch-up.confirmed', 'a change confirmed by a cursor is not shown or named again'),
  async () => {
    const { write, catchUp, cursor } = await openScene();
    await write('a.md', 'x');
    assert.deepEqual(linesOf(await catchUp()), ['+ a.md v1, Codex']);
    const since = await cursor();
    assert.match(await catchUp({ since }), /^Nothing by others/);
    assert.match(await catchUp(), /^Nothing by others since \S+ \S+ \(cursor \d+\)\. No open threads\.$/);
    await write('b.md', 'x');
    // A repeated call gets the change again, because its response may have been lost.
    for (let time = 0; time < 3; time += 1)
      assert.deepEqual(linesOf(await catchUp({ since })), ['+ b.md v1, Codex']);
    assert.deepEqual(linesOf(await catchUp()), ['+ b.md v1, Codex']);
  },
);

test(...claims('mcp.catch-up.authors', 'all who changed a file are named, with what they did'), async () => {
  const { workspace, codex, write, edit, catchUp, cursor } = await openScene();
  const bens = workspace.as(ben.session);
  await write('leave.md', 'One.\nTwo.\n');
  await write('gone.md', 'x');
  await write('old.md', 'x');
  await write('talk.md', 'Some words.');
  const since = await cursor();
  await edit('leave.md', 'One.', 'First.');
  await bens.put('leave.md', 'Ben.', { ifMatch: 2 });
  await edit('gone.md', 'x', 'y');
  await bens.remove('gone.md', 2);
  await bens.post('move', { from: 'old.md', to: 'new.md' });
  await edit('new.md', 'x', 'y');
  await dataOf(codex, 'add_comment', { path: 'talk.md', quote: 'Some', body: 'Which?' });
  await bens.post('comments', { path: 'talk.md', kind: 'range', quote: 'words', body: 'Which?' });
  const clockless = (await catchUp({ since })).replaceAll(/ \d\d:\d\d(?=,|\n|$)/g, '');
  assert.deepEqual(clockless.split('\n').slice(1), [
    '~ leave.md v3, Codex v2, Ben v3',
    '- gone.md deleted, Codex v2, Ben deleted',
    '> new.md v2 moved from old.md, Ben moved, Codex v2',
    '" talk.md v1: 2 new, 2 open, Codex, Ben',
  ]);
});

test(...claims('mcp.catch-up.bulk', 'many changes by one author in one folder are one line'), async () => {
  const { codex, write, edit, catchUp, cursor } = await openScene();
  for (let file = 0; file < 12; file += 1) await write(`old/deep/${file}.md`, 'x');
  const since = await cursor();
  for (let file = 0; file < 12; file += 1) await write(`vendor/docs/${file % 3}/${file}.md`, 'x');
  await write('notes/a.md', 'x');
  for (let file = 0; file < 11; file += 1) await edit(`old/deep/${file}.md`, 'x', 'y');
  await textOf(codex, 'move_file', { from: 'old/deep', to: 'there' });
  assert.deepEqual(linesOf(await catchUp({ since })), [
    '+ vendor/ 12 new, Codex',
    '+ notes/a.md v1, Codex',
    '> there/ 12 moved from old/deep/, Codex',
  ]);
  assert.match(await catchUp({ since }), /^25 files /);
  const named = linesOf(await catchUp({ since, path: 'there' }));
  assert.equal(named.length, 12);
  assert.equal(linesOf(await catchUp({ since, path: 'vendor/docs/1' })).length, 4);
  assert.ok(linesOf(await catchUp({ since, diff: true })).length > 40);
});

test(
  ...claims('mcp.catch-up.revoked', 'members who saw a path learn that it was made private, and by whom'),
  async () => {
    const { codex, write, catchUp, cursor } = await openScene();
    await write('handbook/a.md', 'x');
    await write('plan.md', 'x');
    const since = await cursor();
    await textOf(codex, 'set_private', { path: 'handbook' });
    await textOf(codex, 'set_private', { path: 'plan.md' });
    await textOf(codex, 'set_private', { path: 'never-seen' });
    const hidden = (path: string) => `x ${path} made private: you no longer see it, Codex`;
    assert.deepEqual(linesOf(await catchUp({ since })), [hidden('handbook'), hidden('plan.md')]);
    assert.deepEqual(linesOf(await catchUp({ since, path: 'handbook/a.md' })), [hidden('handbook')]);
    await textOf(codex, 'set_private', { path: 'plan.md', private: false });
    assert.deepEqual(linesOf(await catchUp({ since })), [hidden('handbook'), '+ plan.md v1 shared, Codex']);
    // Moved while private, or deleted before it is shared again: the reader still does not see the files.
    await textOf(codex, 'move_file', { from: 'handbook', to: 'elsewhere' });
    assert.ok(linesOf(await catchUp({ since })).includes(hidden('handbook')));
    await textOf(codex, 'set_private', { path: 'plan.md' });
    await textOf(codex, 'delete_file', { path: 'plan.md', baseVersion: 1 });
    await textOf(codex, 'set_private', { path: 'plan.md', kind: 'folder', private: false }).catch(() => {});
    assert.ok(linesOf(await catchUp({ since })).includes(hidden('plan.md')));
  },
);

test(...claims('mcp.catch-up.since', 'an invalid since is rejected with the valid forms'), async () => {
  const { claude } = await openScene();
  for (const since of ['yesterday', '', '-1', '2026-13-01T00:00:00Z', '1.5h']) {
    await assertHardError(claude, 'catch_up', { since }, /^since: must be like 24h or 7d, an ISO time/);
  }
});

test(...claims('mcp.catch-up.path', 'a catch-up can be limited to a folder or a file'), async () => {
  const { codex, write, catchUp, cursor } = await openScene();
  await write('docs/out.md', 'x');
  const since = await cursor();
  await write('docs/a.md', 'x');
  await write('docs.md', 'x');
  // This placeholder keeps an empty folder. No listing shows it.
  await write('docs/empty/.keep', '\n');
  await textOf(codex, 'move_file', { from: 'docs/out.md', to: 'out.md' });
  assert.deepEqual(linesOf(await catchUp({ since, path: 'docs' })), [
    '+ docs/a.md v1, Codex',
    '> out.md v1 moved from docs/out.md, Codex',
  ]);
  assert.deepEqual(linesOf(await catchUp({ since, path: 'docs.md' })), ['+ docs.md v1, Codex']);
  assert.match(await catchUp({ since, path: 'dogs' }), /^Nothing by others .* No dogs\. Did you mean docs\b/);
  assert.match(await catchUp({ since, path: 'zzz' }), /^Nothing by others .* There is no zzz\.$/);
  // Without since: the folder is passed after a repeat, and the rest of the workspace is still news.
  for (let time = 0; time < 2; time += 1) await catchUp({ path: 'docs' });
  assert.match(await catchUp({ path: 'docs' }), /^Nothing by others/);
  assert.ok(linesOf(await catchUp()).includes('+ docs.md v1, Codex'));
});

test(...claims('mcp.catch-up.wait', 'a catch-up waits for news'), async () => {
  const { claude, write, catchUp, cursor } = await openScene();
  const since = await cursor();
  assert.match(await catchUp({ since, wait: 1 }), /^Nothing by others/);
  const held = catchUp({ since, wait: 30 });
  // The caller's own changes do not end a wait.
  await dataOf(claude, 'write_file', { path: 'mine.md', content: 'x' });
  await write('a.md', 'x');
  assert.deepEqual(linesOf(await held), ['+ a.md v1, Codex']);
  // Changes of an earlier response do not end a wait. The result still repeats them.
  await catchUp();
  const again = catchUp({ wait: 30 });
  await write('b.md', 'x');
  assert.deepEqual(linesOf(await again), ['+ a.md v1, Codex', '+ b.md v1, Codex']);
  assert.match(await catchUp({ wait: 1 }), / Nothing new: this repeats the last response\./);
  const waited = performance.now();
  assert.match(await catchUp({ wait: 1 }), /^Nothing by others/);
  assert.ok(performance.now() - waited >= 900);
});

test(...claims('mcp.catch-up.diff', 'changed lines are shown on request'), async () => {
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

test(...claims('mcp.catch-up.size', 'a full result says where to continue'), async () => {
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

test(
  ...claims('mcp.catch-up.size', 'changes omitted from a full result come with the next call without since'),
  async () => {
    const { write, catchUp } = await openScene();
    const names = Array.from({ length: 230 }, (_, file) => `d${file % 80}/${file}.md`);
    for (const name of names) await write(name, 'x');
    const seen = new Set<string>();
    const texts: string[] = [];
    for (let calls = 0; calls < 6; calls += 1) {
      const text = await catchUp();
      texts.push(text);
      for (const [, name = ''] of text.matchAll(/^\+ (\S+) /gm)) seen.add(name);
    }
    const [, cursor = ''] = /, now cursor (\d+)\./.exec(texts[0] ?? '') ?? [];
    assert.match(texts[0] ?? '', new RegExp(`\\n30 more files: narrow path, or since ${cursor}\\.$`));
    assert.deepEqual([...seen].sort(), [...names].sort());
    assert.match(texts.at(-1) ?? '', /^Nothing by others/);
  },
);

test(...claims('mcp.catch-up.hidden', 'hidden paths are not named or counted'), async () => {
  const { codex, write, edit, catchUp, cursor } = await openScene();
  await write('later.md', 'x');
  await write('orig.md', 'x');
  const since = await cursor();
  await textOf(codex, 'set_private', { path: 'own' });
  await write('own/secret.md', 'secret');
  await edit('later.md', 'x', 'secret');
  await textOf(codex, 'set_private', { path: 'later.md', kind: 'file', others: true });
  const { conflictCopyPath } = await dataOf(codex, 'write_file', {
    path: 'orig.md',
    content: 'lost',
    baseVersion: 9,
  });
  await textOf(codex, 'set_private', { path: 'orig.md', kind: 'file' });
  await write('seen.md', 'x');
  const text = await catchUp({ since, diff: true });
  assert.deepEqual(linesOf(text), [
    'x later.md made private: you no longer see it, Codex',
    `! ${conflictCopyPath}, Codex`,
    '  1+ lost',
    'x orig.md made private: you no longer see it, Codex',
    '+ seen.md v1, Codex',
    '  1+ x',
  ]);
  assert.match(text, /^4 files /);
  await textOf(codex, 'move_file', { from: 'own/secret.md', to: 'told.md' });
  assert.match(await catchUp({ since, path: 'told.md' }), /^Nothing by others/);
  await textOf(codex, 'set_private', { path: 'told.md', kind: 'file', private: false });
  assert.deepEqual(linesOf(await catchUp({ since, path: 'told.md' })), ['+ told.md v1 shared, Codex']);
});

test(...claims('mcp.catch-up.nothing', 'a result without changes counts the open threads'), async () => {
  const { claude, catchUp, cursor } = await openScene();
  const since = await cursor();
  const nothing = await catchUp({ since });
  assert.equal(nothing, `Nothing by others since cursor ${since} (cursor ${since}). No open threads.`);
  await dataOf(claude, 'write_file', { path: 'a.md', content: 'One. Two.' });
  for (const quote of ['One', 'Two'])
    await dataOf(claude, 'add_comment', { path: 'a.md', quote, body: 'Why?' });
  assert.match(await catchUp({ since }), /\. 2 open threads in 1 file\.$/);
});

test(...claims('mcp.catch-up.wait-alone', 'calls that wait for news hold up no other call'), async () => {
  const { claude, catchUp, write, cursor } = await openScene();
  const since = String(await cursor());
  const waiting = Array.from({ length: 4 }, () => catchUp({ since, wait: 20 }));
  const first = await Promise.race([
    textOf(claude, 'list_files', {}).then(() => 'another call'),
    ...waiting.map((call) => call.then(() => 'news')),
  ]);
  assert.equal(first, 'another call');
  await write('news.md', 'x');
  for (const text of await Promise.all(waiting)) assert.match(text, /^\+ news\.md/m);
});
