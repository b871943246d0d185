import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRejection } from '../support/error.ts';
import { assertStatus } from '../support/expect.ts';
import { joinWorkspace } from '../support/join-workspace.ts';
import { createKey, signUp } from '../support/people.ts';
import { type JsonRecord, jsonOf, recordsAt, textAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server, 'Ada Lovelace');
const ben = await signUp(server, 'Ben');
const key = await createKey(ada, { name: 'Claude Code' });

/** A workspace with these files, written by the key of an agent. */
async function openWorkspace(files: Readonly<Record<string, string | Uint8Array>>): Promise<WorkspaceClient> {
  const workspace = await createWorkspace(ada, key.client);
  for (const [path, content] of Object.entries(files)) assertStatus(await workspace.put(path, content), 201);
  return workspace;
}

async function find(
  workspace: WorkspaceClient,
  q: string,
  more: Readonly<Record<string, string | number>> = {},
): Promise<JsonRecord> {
  const response = await workspace.query('find', { q, ...more });
  assertStatus(response, 200);
  return jsonOf(response);
}

/** Paths from the best to the worst, folders with a slash. */
async function found(workspace: WorkspaceClient, q: string): Promise<readonly string[]> {
  const { results, ...counts } = await find(workspace, q, { limit: 100 });
  const paths = recordsAt({ results }, 'results').map(
    (result) => `${textAt(result, 'path')}${result.isDir === true ? '/' : ''}`,
  );
  assert.deepEqual([counts.total, counts.isTotalExact], [paths.length, true], q);
  return paths;
}

async function assertFound(
  workspace: WorkspaceClient,
  expected: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  for (const [q, paths] of Object.entries(expected)) {
    assert.deepEqual((await found(workspace, q)).toSorted(), paths.toSorted(), q);
  }
}

interface Line {
  readonly line: number;
  readonly text: string;
  readonly ranges: readonly (readonly [number, number])[];
}

/** The matching lines of the only result. */
async function linesFor(workspace: WorkspaceClient, q: string): Promise<readonly Line[]> {
  const [result, ...others] = recordsAt(await find(workspace, q), 'results');
  assert.deepEqual(others, [], q);
  return (result?.matches ?? []) as readonly Line[];
}

const markedIn = ({ text, ranges }: Line) => ranges.map(([start, end]) => text.slice(start, end));

const handover = '---\nowner: Grace\n---\n# Handover\n\nIt begins in week fourteen.\n';
const project = await openWorkspace({
  'Projects/Falcon/Budget.md': handover,
  'notes/other.md': 'Grace is on leave in week fifteen.\n',
});
const budget = 'Projects/Falcon/Budget.md';

const terms = await openWorkspace({
  'a.md': 'alpha, beta\ngamma delta\n',
  'b.md': 'alpha epsilon\nbeta\n',
  'c.md': 'if (x => y) alphabet\n',
});
const png = Buffer.from('89504e470d0a1a0a', 'hex');
const filed = await openWorkspace({
  'notes/plan.md': '---\ntags: [Road map, "#launch"]\n---\nplan\n',
  'notes/2026/list.md': '---\ntags: launch, other\n---\nplan\n',
  'notes2/plan.txt': 'plan tags: launch\n',
  'My notes/plan.ts': 'plan();\n',
  'plan.png': png,
  'paper.pdf': '%PDF-1.4 plan',
  'quotes.txt': 'He said color red, say hello, is shiny.\n',
});
const many = await openWorkspace({});
await Promise.all(Array.from({ length: 130 }, (_, at) => many.put(`item-${at}.txt`, `shelf ${at}\n`)));

test(
  ...claims(['find.shape', 'find.result'], 'a result has path, title, score, lines and last change'),
  async () => {
    const response = await find(project, 'fourteen');
    const { results, tookMs, ...rest } = response;
    assert.deepEqual(rest, { total: 1, isTotalExact: true, nextCursor: null });
    assert.ok(typeof tookMs === 'number' && tookMs >= 0, String(tookMs));
    const [{ score, changedAt, ...result } = {}, ...others] = recordsAt({ results }, 'results');
    assert.deepEqual(others, []);
    assert.equal(typeof score, 'number');
    assert.equal(new Date(String(changedAt)).toISOString(), changedAt);
    assert.deepEqual(result, {
      path: budget,
      name: 'Budget.md',
      isDir: false,
      version: 1,
      title: 'Handover',
      matches: [{ line: 6, text: 'It begins in week fourteen.', ranges: [[18, 26]] }],
      changedBy: 'Claude Code',
    });
    const [plain] = recordsAt(await find(project, 'fifteen'), 'results');
    assert.equal(plain?.title, null);
    const { tookMs: _, ...nothing } = await find(project, 'nothing-like-it');
    assert.deepEqual(nothing, { results: [], total: 0, isTotalExact: true, nextCursor: null });
  },
);

test(...claims('find.words', 'all words must be there, in any order and in any field'), async () => {
  await assertFound(project, {
    'fourteen grace handover budget falcon projects': [budget],
    'week grace': [budget, 'notes/other.md'],
    'grace fifteen budget': [],
    'WEEK GRACE FOURTEEN': [budget],
  });
});

test(...claims('find.prefix', 'only the last word is also a prefix'), async () => {
  await assertFound(project, {
    'week fourt': [budget],
    'fourt week': [],
    'fourt in:Projects/': [budget],
    ourteen: [],
  });
});

test(...claims('find.folders', 'a folder is found by its own name only, without a version'), async () => {
  assert.deepEqual((await found(project, 'falcon')).toSorted(), ['Projects/Falcon/', budget]);
  const folder = recordsAt(await find(project, 'falcon'), 'results').find(({ isDir }) => isDir === true);
  assert.deepEqual(
    { ...folder, score: 0 },
    {
      path: 'Projects/Falcon',
      name: 'Falcon',
      isDir: true,
      version: null,
      title: null,
      score: 0,
      matches: [],
      changedAt: null,
      changedBy: null,
    },
  );
  await assertFound(project, { 'projects falcon': [budget] });
});

test(...claims('find.phrase', 'a phrase is literal, in any case, and within one line'), async () => {
  await assertFound(terms, {
    '"alpha, beta"': ['a.md'],
    '"ALPHA, Beta"': ['a.md'],
    '"alpha beta"': [],
    '"beta gamma"': [],
    '"beta\ngamma"': [],
    '"x => y"': ['c.md'],
    '"=>"': ['c.md'],
    '=>': ['c.md'],
    'gamma => delta': ['a.md'],
    '"delta" beta': ['a.md'],
  });
});

test(...claims('find.exclude', 'a dash excludes a whole word or a phrase'), async () => {
  await assertFound(terms, {
    '-gamma alpha': ['b.md', 'c.md'],
    '-gamm alpha': ['a.md', 'b.md', 'c.md'],
    '-"alpha, beta" alpha': ['b.md', 'c.md'],
    '-"=>" alpha': ['a.md', 'b.md'],
    '-beta': ['c.md'],
  });
});

test(...claims('find.or', 'OR binds tighter than AND, and only in capitals'), async () => {
  await assertFound(terms, {
    'gamma OR epsilon alpha': ['a.md', 'b.md'],
    'alpha gamma OR epsilon': ['a.md', 'b.md'],
    'gamma OR epsilon OR alphabet beta': ['a.md', 'b.md'],
    '"=> y" OR epsilon': ['b.md', 'c.md'],
    'gamma or epsilon': [],
  });
});

test(...claims('find.in', 'in: finds what is in a folder'), async () => {
  await assertFound(filed, {
    'plan in:notes/': ['notes/plan.md', 'notes/2026/list.md'],
    'plan in:notes': ['notes/plan.md', 'notes/2026/list.md'],
    'in:notes': ['notes/2026/', 'notes/plan.md', 'notes/2026/list.md'],
    'in:/notes/2026/': ['notes/2026/list.md'],
    'in:"My notes/" plan': ['My notes/plan.ts'],
    'in:nowhere/': [],
  });
});

test(...claims('find.type', 'type: finds files of a kind or an extension'), async () => {
  await assertFound(filed, {
    'type:md': ['notes/plan.md', 'notes/2026/list.md'],
    'type:image': ['plan.png'],
    'type:png plan': ['plan.png'],
    'type:pdf': ['paper.pdf'],
    'type:code': ['My notes/plan.ts'],
    'type:.txt plan': ['notes2/plan.txt'],
  });
});

test(...claims('find.tag', 'tag: finds files by the tags in their front matter'), async () => {
  await assertFound(filed, {
    'tag:launch': ['notes/plan.md', 'notes/2026/list.md'],
    'tag:#LAUNCH plan': ['notes/plan.md', 'notes/2026/list.md'],
    'tag:"road map"': ['notes/plan.md'],
    'tag:road': [],
  });
});

test(...claims('find.by', 'by: finds files by who changed them last'), async () => {
  const workspace = await openWorkspace({ 'agent.md': 'x' });
  await joinWorkspace(workspace, ada, ben);
  const people = workspace.as(ada.session);
  assertStatus(await people.put('ada.md', 'x'), 201);
  assertStatus(await workspace.as(ben.session).put('ben.md', 'x'), 201);
  await assertFound(workspace, {
    'by:agents': ['agent.md'],
    'by:people': ['ada.md', 'ben.md'],
    'by:ben': ['ben.md'],
    'by:BEN type:md': ['ben.md'],
    'by:"ada lovelace"': ['ada.md'],
    'by:"claude code"': ['agent.md'],
    'by:claude': ['agent.md'],
    'by:nobody': [],
  });
  assertStatus(await people.put('agent.md', 'y', { ifMatch: 1 }), 200);
  await assertFound(workspace, { 'by:agents': [], 'by:lovelace': ['ada.md', 'agent.md'] });
});

test(...claims('find.days', 'after: includes its day and before: does not, in UTC'), async () => {
  const workspace = await openWorkspace({ 'a.md': 'x' });
  const [result] = recordsAt(await find(workspace, 'x'), 'results');
  const at = Date.parse(textAt(result ?? {}, 'changedAt'));
  const day = (offset: number) => new Date(at + offset * 24 * 3_600_000).toISOString().slice(0, 10);
  await assertFound(workspace, {
    [`after:${day(0)}`]: ['a.md'],
    [`after:${day(1)}`]: [],
    [`before:${day(0)}`]: [],
    [`before:${day(1)}`]: ['a.md'],
    [`after:${day(-1)} before:${day(1)} x`]: ['a.md'],
  });
});

test(...claims('find.conflict', 'is:conflict finds conflicted copies'), async () => {
  const workspace = await openWorkspace({ 'plan.md': 'one' });
  const stale = await workspace.put('plan.md', 'two', { ifMatch: 9 });
  assertStatus(stale, 412);
  const copy = textAt(jsonOf(stale), 'conflict_copy_path');
  await assertFound(workspace, { 'is:conflict': [copy], 'is:conflict two': [copy], 'is:conflict one': [] });
});

test(...claims('find.literal', 'an unknown filter and a lone quote are words'), async () => {
  await assertFound(filed, {
    'color:red': ['quotes.txt'],
    'color:blue': [],
    'say "hello': ['quotes.txt'],
    'is:shiny': ['quotes.txt'],
    'before:2026-02-30': [],
  });
});

test(...claims('find.query', 'a query is required, up to 200 characters and 16 words'), async () => {
  const words = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`).join(' ');
  for (const q of ['', '  ', 'x'.repeat(201), '😀'.repeat(201), words(17), `"${words(17)}"`]) {
    assertRejection(await project.query('find', { q }), 400);
  }
  assertRejection(await project.query('find', {}), 400);
  for (const q of ['x'.repeat(200), `${'𝔞'.repeat(200)}`, words(16), `type:md ${words(16)}`]) {
    assert.deepEqual(await found(project, q), [], q);
  }
});

test(...claims('find.pages', 'pages have 20 results, at most 100, and cover all once'), async () => {
  const counts = async (more: Readonly<Record<string, string | number>>) =>
    recordsAt(await find(many, 'shelf', more), 'results').length;
  assert.deepEqual(
    [await counts({}), await counts({ limit: 7 }), await counts({ limit: 1000 })],
    [20, 7, 100],
  );
  const seen: string[] = [];
  const sizes: number[] = [];
  for (let cursor: string | null = '0'; cursor !== null; ) {
    const page: JsonRecord = await find(many, 'shelf', { limit: 50, cursor });
    assert.equal(page.total, 130);
    const results = recordsAt(page, 'results');
    sizes.push(results.length);
    seen.push(...results.map((result) => textAt(result, 'path')));
    cursor = page.nextCursor === null ? null : textAt(page, 'nextCursor');
  }
  assert.deepEqual([sizes, new Set(seen).size], [[50, 50, 30], 130]);
  for (const [name, value] of [
    ['cursor', 'x'],
    ['cursor', '-1'],
    ['limit', '0'],
    ['limit', '-1'],
    ['limit', '1.5'],
    ['limit', 'all'],
  ] as const) {
    assertRejection(await many.query('find', { q: 'shelf', [name]: value }), 400);
  }
});

test(
  ...claims('find.lines', 'a file shows its best three lines, with the matches in UTF-16 units'),
  async () => {
    const workspace = await openWorkspace({
      'a.md': 'launch\r\nlaunch two\nbudget of the launch\nlaunch four\n😀 Budget, launch: launch!\n',
      'long.txt': `${'x'.repeat(2000)} heron ${'y'.repeat(2000)}`,
      'pairs.txt': `${'😀'.repeat(500)} egret ${'😀'.repeat(500)}`,
    });
    const lines = await linesFor(workspace, 'launch budget');
    assert.deepEqual(lines, [
      { line: 1, text: 'launch', ranges: [[0, 6]] },
      {
        line: 3,
        text: 'budget of the launch',
        ranges: [
          [0, 6],
          [14, 20],
        ],
      },
      {
        line: 5,
        text: '😀 Budget, launch: launch!',
        ranges: [
          [3, 9],
          [11, 17],
          [19, 25],
        ],
      },
    ]);
    assert.deepEqual((await linesFor(workspace, '"two"')).map(markedIn), [['two']]);
    for (const word of ['heron', 'egret']) {
      const [line, ...others] = await linesFor(workspace, word);
      assert.ok(line !== undefined && others.length === 0);
      assert.ok(line.text.length > 250 && line.text.length <= 300, String(line.text.length));
      assert.match(line.text, /^….*…$/u);
      assert.ok(line.text.isWellFormed());
      assert.deepEqual(markedIn(line), [word]);
    }
    assert.deepEqual(await linesFor(workspace, 'pairs'), []);
  },
);

test(...claims('find.scripts', 'text without spaces is found by any part of it'), async () => {
  const workspace = await openWorkspace({ 'tokyo.md': '東京都知事の会議\n', 'thai.md': 'ราคาสินค้าใหม่\n' });
  await assertFound(workspace, {
    京都: ['tokyo.md'],
    知事: ['tokyo.md'],
    '会議 東京': ['tokyo.md'],
    京: ['tokyo.md'],
    東都: [],
    สินค้า: ['thai.md'],
    '"都知事の"': ['tokyo.md'],
  });
});

test(...claims('find.identifiers', 'identifiers are found by their parts'), async () => {
  const workspace = await openWorkspace({
    'a.ts': 'readFile();\n',
    'b.py': 'read_file()\n',
    'c.ts': 'HTTPServer\n',
  });
  await assertFound(workspace, {
    'file -nothing read': ['a.ts', 'b.py'],
    readfile: ['a.ts', 'b.py'],
    read_file: ['a.ts', 'b.py'],
    server: ['c.ts'],
    'http -readfile': ['c.ts'],
  });
});

test(...claims('find.folding', 'case, diacritics and ß do not matter'), async () => {
  const workspace = await openWorkspace({ 'a.md': 'Éclair, Straße\n', 'b.md': 'eclair\nSTRASSE\n' });
  await assertFound(workspace, {
    eclair: ['a.md', 'b.md'],
    'E\u0301CLAIR': ['a.md', 'b.md'],
    straße: ['a.md', 'b.md'],
    'strasse eclair': ['a.md', 'b.md'],
  });
});

test(
  ...claims('find.rank', 'name, start of the name, title, headings, path and text, in this order'),
  async () => {
    const workspace = await openWorkspace({
      'b/text.md': 'The launch has a plan. Launch plan, launch plan.\n',
      'launch/plan/path.md': 'x\n',
      'launch/plan/.keep': ' ',
      'b/headings.md': 'x\n\n## Launch\n\n## Plan\n',
      'b/title.md': '# Plan of the launch\n',
      'b/launch-plan-2026.md': 'x\n',
      'z/Launch plan.md': 'x\n',
    });
    const stale = await workspace.put('z/Launch plan.md', 'y', { ifMatch: 9 });
    assertStatus(stale, 412);
    assert.deepEqual(await found(workspace, 'launch plan'), [
      'z/Launch plan.md',
      'b/launch-plan-2026.md',
      'b/title.md',
      'b/headings.md',
      'launch/plan/path.md',
      'b/text.md',
      textAt(jsonOf(stale), 'conflict_copy_path'),
      'launch/plan/.keep',
    ]);
    const results = recordsAt(await find(workspace, 'launch plan'), 'results');
    const scores = results.map(({ score }) => Number(score));
    assert.deepEqual(
      scores,
      scores.toSorted((a, b) => b - a),
    );
  },
);

test(...claims('find.recent', 'among equals, the one that changed last comes first'), async () => {
  const workspace = await openWorkspace({ 'a.md': 'kite\n', 'b.md': 'kite\n', 'c.md': 'kite\n' });
  assert.deepEqual(await found(workspace, 'kite'), ['c.md', 'b.md', 'a.md']);
  assertStatus(await workspace.put('a.md', 'kite\n', { ifMatch: 1 }), 200);
  assert.deepEqual(await found(workspace, 'kite'), ['a.md', 'c.md', 'b.md']);
  assert.deepEqual(await found(workspace, 'type:md'), ['a.md', 'c.md', 'b.md']);
});

test(...claims('find.current', 'a change is found at once, and the replaced text is not'), async () => {
  const workspace = await openWorkspace({});
  for (let n = 1; n <= 5; n += 1) {
    const put = await workspace.put('a.md', `kestrel${n} here`, n === 1 ? {} : { ifMatch: n - 1 });
    assertStatus(put, n === 1 ? 201 : 200);
    await assertFound(workspace, { [`kestrel${n} here`]: ['a.md'], [`kestrel${n - 1} here`]: [] });
  }
  assertStatus(await workspace.post('move', { from: 'a.md', to: 'osprey/b.md' }), 200);
  await assertFound(workspace, { 'kestrel5 osprey': ['osprey/b.md'] });
  assertStatus(await workspace.remove('osprey/b.md', 1), 204);
  await assertFound(workspace, { kestrel5: [], osprey: [] });
});

test(...claims('find.private', 'private files of others are not found or counted'), async () => {
  const workspace = await openWorkspace({
    'own/diary.md': '# Osprey\nosprey\n',
    'open.md': 'osprey\n',
    'mine.md': 'osprey\n',
  });
  await joinWorkspace(workspace, ada, ben);
  for (const [path, kind] of [
    ['own', 'folder'],
    ['mine.md', 'file'],
  ]) {
    const hide = await workspace.send('PUT', '/node-private', { json: { path, kind, private: true } });
    assertStatus(hide, 200);
  }
  const bens = workspace.as((await createKey(ben)).client);
  await assertFound(bens, {
    osprey: ['open.md'],
    own: [],
    diary: [],
    'in:own/': [],
    '-nothing': ['open.md'],
    '"own/diary"': [],
  });
  await assertFound(workspace, {
    osprey: ['open.md', 'mine.md', 'own/diary.md'],
    own: ['own/', 'own/diary.md'],
  });
});
