import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRejection } from '../support/error.ts';
import { assertStatus, sha256 } from '../support/expect.ts';
import { joinWorkspace } from '../support/join-workspace.ts';
import { openMcp } from '../support/mcp-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { integerAt, type JsonRecord, jsonOf, recordsAt, textAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { assertHardError, textOf } from '../support/tool-result.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server, 'Ada');
const ben = await signUp(server, 'Ben');
const key = await createKey(ada);
const notes = await createWorkspace(ada, key.client);
const agent = openMcp(server, key, { workspaceId: notes.id, toolSet: 'extended' });
const plan = '# Plan\n\nThe Falcon handover happens in week 14.\nGrace signs it off.\nfalcon.*\n';
await notes.put('notes/plan.md', plan);
await notes.put('notes/2026/log.md', 'one\r\nA FALCON came\r\ntwo\r\n');
await notes.put('long.txt', `${'x'.repeat(2000)} heron ${'y'.repeat(2000)}`);
await notes.put('picture.bin', Buffer.from([0xff, 0x66, 0x61]));
await notes.put('large.txt', 'falcon '.repeat(1_250_000));

type Given = Readonly<Record<string, string | number>>;

async function search(workspace: WorkspaceClient, q: string, given: Given = {}): Promise<JsonRecord> {
  const response = await workspace.query('search-content', { q, ...given });
  assertStatus(response, 200);
  return jsonOf(response);
}

const linesOf = (found: JsonRecord) =>
  recordsAt(found, 'files').flatMap((file) =>
    recordsAt(file, 'lines').map((line) => [
      textAt(file, 'path'),
      integerAt(line, 'line'),
      textAt(line, 'text'),
    ]),
  );

const handover = ['notes/plan.md', 3, 'The Falcon handover happens in week 14.'];
const pattern = ['notes/plan.md', 5, 'falcon.*'];
const log = ['notes/2026/log.md', 2, 'A FALCON came'];

test(
  ...claims(
    ['search-content.shape', 'search-content.literal', 'search-content.skipped'],
    'a line matches in any case',
  ),
  async () => {
    const found = await search(notes, 'falcon');
    const { files: _, ...counts } = found;
    assert.deepEqual(linesOf(found), [log, handover, pattern]);
    assert.deepEqual(counts, {
      totalLines: 3,
      totalFiles: 2,
      searchedFiles: 3,
      skipped: { notText: 1, tooLarge: 1 },
      truncated: false,
      nextOffset: null,
      next: null,
    });
    const [, file] = recordsAt(found, 'files');
    assert.deepEqual(Object.keys(file ?? {}).sort(), ['contentHash', 'lines', 'path', 'version']);
    assert.equal(file?.contentHash, sha256(Buffer.from(plan)));
    assert.deepEqual(linesOf(await search(notes, 'falcon.*')), [pattern]);
    assert.deepEqual(linesOf(await search(notes, 'FALCON', { matchCase: 1 })), [log]);
  },
);

test(...claims('search-content.context', 'a match comes with the lines around it'), async () => {
  const [file] = recordsAt(await search(notes, 'handover', { context: 99 }), 'files');
  assert.deepEqual(recordsAt(file ?? {}, 'lines'), [
    { line: 3, text: handover[2], before: ['# Plan', ''], after: ['Grace signs it off.', 'falcon.*'] },
  ]);
});

test(...claims('search-content.path', 'a search can be limited to a folder, a file or a glob'), async () => {
  for (const [path, expected] of [
    ['notes', [log, handover, pattern]],
    ['notes/plan.md', [handover, pattern]],
    ['notes/*.md', [handover, pattern]],
    ['notes/**.md', [log, handover, pattern]],
    ['l?g.md', [log]],
    ['notes/20[0-9][5-7]/*', [log]],
    ['nowhere', []],
  ] as const) {
    assert.deepEqual(linesOf(await search(notes, 'falcon', { path })), expected, path);
  }
  assertRejection(await notes.query('search-content', { q: 'falcon', path: 'notes/[a*' }), 400);
  assertStatus(await notes.query('search-content', { q: 'falcon', path: '**a/'.repeat(20) }), 200);
  for (const [path, says] of [
    ['**a/'.repeat(21), /20 stars/],
    [`*${'a'.repeat(200)}`, /200 characters/],
  ] as const) {
    assertRejection(await notes.query('search-content', { q: 'falcon', path }), 400, { says });
  }
  const longName = `${'[a] '.repeat(60)}.md`;
  assertStatus(await notes.query('search-content', { q: 'falcon', path: longName }), 200);
});

test(...claims('search-content.pages', 'lines come in pages'), async () => {
  const first = await search(notes, 'falcon', { limit: 2 });
  assert.deepEqual(linesOf(first), [log, handover]);
  assert.equal(first.nextOffset, 2);
  const rest = await search(notes, 'falcon', { limit: 2, offset: 2 });
  assert.deepEqual(linesOf(rest), [pattern]);
  assert.deepEqual([rest.nextOffset, rest.totalLines], [null, 3]);
});

test(
  ...claims('search-content.next', 'a search continues after a file and past the lines already shown'),
  async () => {
    const first = await search(notes, 'falcon', { limit: 2 });
    assert.deepEqual(first.next, { after: log[0], offset: 1 });
    const rest = await search(notes, 'falcon', { after: 'notes/2026/log.md', offset: 1 });
    assert.deepEqual([linesOf(rest), rest.totalLines, rest.next], [[pattern], 2, null]);
    const later = await search(notes, 'falcon', { after: 'notes/plan.md' });
    assert.deepEqual([linesOf(later), later.searchedFiles], [[], 0]);
    assertRejection(await notes.query('search-content', { q: 'falcon', after: '../a' }), 400);
  },
);

test(
  ...claims('search-content.current', 'a search finds each write at once, and no earlier text'),
  async () => {
    const workspace = await createWorkspace(ada, key.client);
    for (let n = 1; n <= 5; n += 1) {
      const put = await workspace.put('a.md', `kestrel ${n}`, n === 1 ? {} : { ifMatch: n - 1 });
      assertStatus(put, n === 1 ? 201 : 200);
      assert.deepEqual(linesOf(await search(workspace, 'kestrel')), [['a.md', 1, `kestrel ${n}`]]);
    }
  },
);

test(...claims('search-content.query', 'a query has 1 to 200 characters'), async () => {
  for (const q of ['', '😀'.repeat(201)]) assertRejection(await notes.query('search-content', { q }), 400);
  assertRejection(await notes.query('search-content', {}), 400);
  assert.equal((await search(notes, '😀'.repeat(200))).totalLines, 0);
});

test(...claims('search-content.long-lines', 'a long line is cut around the match'), async () => {
  const [[, , text] = []] = linesOf(await search(notes, 'heron'));
  assert.match(String(text), /^…x{200,} heron y{200,}…$/);
});

test(...claims('search-content.private', 'private files are not found or counted'), async () => {
  const workspace = await createWorkspace(ada, key.client);
  await joinWorkspace(workspace, ada, ben);
  await workspace.put('own/diary.md', 'osprey\n');
  await workspace.put('open.md', 'osprey\n');
  assertStatus(
    await workspace.send('PUT', '/node-private', { json: { path: 'own', kind: 'folder', private: true } }),
    200,
  );
  const bens = workspace.as(await createKey(ben).then(({ client }) => client));
  const found = await search(bens, 'osprey');
  assert.deepEqual([linesOf(found), found.searchedFiles], [[['open.md', 1, 'osprey']], 1]);
  assert.deepEqual(linesOf(await search(bens, 'osprey', { path: 'own' })), []);
  assert.equal((await search(workspace, 'osprey')).totalLines, 2);
});

test(...claims('mcp.search-content', 'an agent gets lines with numbers and versions'), async () => {
  assert.equal(
    await textOf(agent, 'search_content', { query: 'falcon', context: 1, path: 'notes' }),
    [
      '3 lines in 2 of 2 files.',
      '',
      'notes/2026/log.md v1',
      '1- one',
      '2: A FALCON came',
      '3- two',
      '',
      'notes/plan.md v1',
      '2- ',
      `3: ${handover[2]}`,
      '4- Grace signs it off.',
      '5: falcon.*',
    ].join('\n'),
  );
});

test(
  ...claims(
    ['mcp.search-content.page', 'mcp.search-content.clamped'],
    'a page says where it is and how to continue',
  ),
  async () => {
    const skipped = '2 files are not text or over 8 MiB.';
    const first = await textOf(agent, 'search_content', { query: 'falcon', limit: -3 });
    assert.equal(
      first.split('\n')[0],
      `lines 1-1 of 3 in 2 of 3 files. More: offset 1, or narrow path. ${skipped}`,
    );
    const rest = await textOf(agent, 'search_content', {
      query: 'falcon',
      offset: 1,
      limit: 5000,
      context: 99,
    });
    assert.equal(rest.split('\n')[0], `lines 2-3 of 3 in 2 of 3 files. ${skipped}`);
    assert.match(await textOf(agent, 'search_content', { query: 'falcon', offset: 7 }), /^There are 3 lines/);
    const after = 'notes/2026/log.md';
    const later = await textOf(agent, 'search_content', { query: 'falcon', after, limit: 1 });
    assert.equal(
      later.split('\n')[0],
      `lines 1-1 of 2 in 1 of 1 file. More: after "${after}", offset 1, or narrow path. 1 file is not text or over 8 MiB.`,
    );
  },
);

test(...claims('mcp.search-content.nothing', 'a query without a match counts its words'), async () => {
  assert.equal(
    await textOf(agent, 'search_content', { query: 'falcon, eagle', path: 'notes' }),
    'No match in 2 files. The text is taken literally: no patterns, one phrase. Mode words finds its words in any order. Lines with its words alone: falcon 3, eagle 0.',
  );
});

test(...claims('mcp.search-content.refused', 'an invalid query is a hard error'), async () => {
  for (const given of [
    { query: '' },
    { query: 'x'.repeat(201) },
    { query: 'falcon', path: '[a*' },
    { query: 'falcon', path: '../a' },
  ]) {
    await assertHardError(agent, 'search_content', given, /./);
  }
});

test(...claims('mcp.search-content.size', 'a response stays within what clients show'), async () => {
  const workspace = await createWorkspace(ada, key.client);
  const cranes = openMcp(server, key, { workspaceId: workspace.id, toolSet: 'extended' });
  await workspace.put('many.md', `${'鶴'.repeat(450)}\n`.repeat(200));
  const text = await textOf(cranes, 'search_content', { query: '鶴鶴', limit: 200 });
  assert.ok(text.length <= 40_000 && Buffer.byteLength(text) <= 60_000, `${text.length}`);
  const [, shown = ''] = /^lines 1-(\d+) of 200 in 1 of 1 file\. More: offset \1, /.exec(text) ?? [];
  assert.equal(text.split('\n').length, Number(shown) + 3);
});

const words = (given: Readonly<Record<string, unknown>>) => ({ mode: 'words', ...given });

test(
  ...claims('mcp.search-content.words', 'mode words finds files by words, with lines ready for an edit'),
  async () => {
    assert.equal(
      await textOf(agent, 'search_content', words({ query: 'grace falcon handov' })),
      [
        '1 result.',
        '',
        'notes/plan.md v1',
        `3: ${handover[2]}`,
        '4: Grace signs it off.',
        '5: falcon.*',
      ].join('\n'),
    );
    const all = await textOf(agent, 'search_content', words({ query: 'notes OR picture' }));
    assert.deepEqual(all.split('\n\n').toSorted(), [
      '4 results, best first.',
      'notes/',
      'notes/2026/log.md v1',
      'notes/plan.md v1',
      'picture.bin v1',
    ]);
    const inFolder = await textOf(agent, 'search_content', words({ query: 'falcon', path: 'notes/2026/' }));
    assert.equal(inFolder, '1 result.\n\nnotes/2026/log.md v1\n2: A FALCON came');
  },
);

test(...claims('mcp.search-content.words-pages', 'mode words pages over whole results'), async () => {
  const workspace = await createWorkspace(ada, key.client);
  const mcp = openMcp(server, key, { workspaceId: workspace.id, toolSet: 'extended' });
  for (const path of ['a.md', 'b.md', 'c.md']) await workspace.put(path, 'heron\nheron\nheron\nheron\n');
  const page = async (given: Readonly<Record<string, unknown>>) =>
    await textOf(mcp, 'search_content', words({ query: 'heron', ...given }));
  const lines = '\n1: heron\n2: heron\n3: heron';
  assert.equal(
    await page({ limit: 7 }),
    `results 1-2 of 3, best first. More: offset 2, or narrow path.\n\nc.md v1${lines}\n\nb.md v1${lines}`,
  );
  assert.equal(await page({ limit: 7, offset: 2 }), `results 3-3 of 3, best first.\n\na.md v1${lines}`);
  assert.match(await page({ limit: 1 }), /^results 1-1 of 3, best first\. More: offset 1, /);
  assert.equal(await page({ offset: 9 }), 'There are 3 results: offset is behind the last.');
});

test(
  ...claims('mcp.search-content.words-nothing', 'mode words says how to find more if nothing matches'),
  async () => {
    const nothing =
      /^Nothing matches\. Each word must be in the path or the text of a file, whole but for the last; OR finds either\./;
    const ask = (given: Readonly<Record<string, unknown>>) =>
      textOf(agent, 'search_content', words({ query: 'falcon eagle', ...given }));
    assert.match(await ask({}), new RegExp(`${nothing.source}$`));
    assert.match(await ask({ path: 'nowhere' }), new RegExp(`${nothing.source} There is no nowhere\\.$`));
    assert.match(
      await ask({ path: 'notes/plan.md' }),
      new RegExp(`${nothing.source} notes/plan\\.md is a file: mode words takes a folder\\.$`),
    );
    await notes.put('left/a.md', 'x');
    await notes.post('move', { from: 'left/a.md', to: 'here.md' });
    assert.match(
      await ask({ path: 'left' }),
      / No left: the folder was left: left\/a\.md is at here\.md now\.$/,
    );
  },
);

test(...claims('mcp.search-content.words-refused', 'mode words rejects what it cannot keep to'), async () => {
  for (const [given, says] of [
    [{ query: '  ' }, /the query is empty/],
    [{ query: 'a '.repeat(17) }, /more than 16 words/],
    [{ query: 'falcon', path: '*.md' }, /mode words takes a folder/],
    [{ query: 'falcon', path: '../a' }, /\.\./],
    [{ query: 'falcon', context: 1 }, /for mode phrase; read_lines/],
    [{ query: 'falcon', matchCase: true }, /for mode phrase/],
    [{ query: 'falcon', mode: 'regex' }, /mode: must be phrase or words/],
  ] as const) {
    await assertHardError(agent, 'search_content', words(given), says);
  }
});
