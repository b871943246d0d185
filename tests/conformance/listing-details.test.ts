import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertStatus, iso8601, sha256 } from '../support/expect.ts';
import { joinWorkspace } from '../support/join-workspace.ts';
import { createKey, signUp } from '../support/people.ts';
import { type JsonRecord, jsonOf, recordsAt, textAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server, 'Ada');
const ben = await signUp(server, 'Ben');
const robot = await createKey(ada, { name: 'Claude', actorType: 'agent' });
const shared = await createWorkspace(ada);

async function details(workspace: WorkspaceClient, prefix = ''): Promise<readonly JsonRecord[]> {
  const response = await workspace.query('list', { details: 1, prefix });
  assertStatus(response, 200);
  return recordsAt(jsonOf(response), 'entries');
}

let files = 0;
/** Returns the front matter that the details list for a file with this content. */
async function frontMatterOf(content: string | Uint8Array, extension = 'md'): Promise<unknown> {
  files += 1;
  const path = `f${files}.${extension}`;
  assertStatus(await shared.put(path, content), 201);
  const [entry] = await details(shared, path);
  assert.equal(entry?.path, path);
  return entry?.frontMatter;
}

const block = (...lines: readonly string[]) => `---\n${lines.join('\n')}\n---\ntext\n`;

test(
  ...claims(
    'files.list.details',
    'with details an entry says who wrote what when, by a session and by a key',
  ),
  async () => {
    const workspace = await createWorkspace(ada);
    await workspace.put('a.md', 'one');
    await workspace.as(robot.client).put('a.md', 'two', { ifMatch: 1 });
    await workspace.put('b.txt', 'three');
    const [first, second] = await details(workspace);
    const newest = recordsAt(jsonOf(await workspace.query('versions', { path: 'a.md' })), 'versions')[0];
    assert.deepEqual(first, {
      path: 'a.md',
      size: 3,
      contentType: 'text/markdown',
      version: 2,
      contentHash: sha256('two'),
      changedAt: newest?.createdAt,
      principal: 'agent',
      actorId: ada.id,
      actorKeyId: newest?.actorKeyId,
      actorLabel: 'Claude',
    });
    assert.equal(typeof newest?.actorKeyId, 'string');
    const { changedAt, ...rest } = second ?? {};
    assert.match(String(changedAt), iso8601);
    assert.deepEqual(rest, {
      path: 'b.txt',
      size: 5,
      contentType: 'text/plain',
      version: 1,
      contentHash: sha256('three'),
      principal: 'human',
      actorId: ada.id,
      actorKeyId: null,
      actorLabel: null,
    });
  },
);

test(
  ...claims('files.list.details', 'details leave icons, orders, private paths and prefixes as they are'),
  async () => {
    const workspace = await createWorkspace(ada);
    for (const path of ['docs/a.md', 'docs/b.md', 'docs2/c.md', 'docs.md']) await workspace.put(path, 'x');
    await workspace.send('PUT', '/node-icon', { json: { path: 'docs', icon: '🦉' } });
    await workspace.send('PUT', '/node-order', { json: { paths: ['docs/b.md', 'docs/a.md'] } });
    await workspace.send('PUT', '/node-private', { json: { path: 'docs2', kind: 'folder', private: true } });
    for (const prefix of ['', 'docs', 'docs/', 'docs.md', 'docs/a.md', 'nowhere']) {
      const plain = jsonOf(await workspace.query('list', { prefix }));
      const detailed = jsonOf(await workspace.query('list', { prefix, details: 1 }));
      const fourFields = recordsAt(detailed, 'entries').map(({ path, size, contentType, version }) => ({
        path,
        size,
        contentType,
        version,
      }));
      assert.deepEqual({ ...detailed, entries: fourFields }, plain, prefix);
    }
    assert.deepEqual(
      (await details(workspace, 'docs')).map((entry) => textAt(entry, 'path')),
      ['docs/a.md', 'docs/b.md'],
    );
  },
);

test(...claims('files.list.details-off', 'an entry without details has only the basic fields'), async () => {
  const workspace = await createWorkspace(ada);
  await workspace.put('a.md', block('title: Plan'));
  const plain = await workspace.query('list');
  assert.deepEqual(recordsAt(jsonOf(plain), 'entries'), [
    { path: 'a.md', size: 25, contentType: 'text/markdown', version: 1 },
  ]);
  for (const value of ['0', 'false', '', 'yes']) {
    const other = await workspace.query('list', { details: value });
    assert.deepEqual(other.bytes, plain.bytes, value);
  }
  const asTrue = await workspace.query('list', { details: 'true' });
  assert.deepEqual(asTrue.bytes, (await workspace.query('list', { details: '1' })).bytes);
  assert.notDeepEqual(asTrue.bytes, plain.bytes);
});

test(...claims('files.list.front-matter', 'an entry has what its front matter says'), async () => {
  assert.deepEqual(await frontMatterOf(block('title: Team diary', 'view: calendar')), {
    title: 'Team diary',
    view: 'calendar',
  });
  assert.deepEqual(await frontMatterOf(block('date: 2026-11-22')), { date: '2026-11-22' });
  assert.deepEqual(await frontMatterOf(block('tags: [a, b]', 'owner: { name: Ada }', "title: 'It''s'")), {
    title: "It's",
  });
  assert.equal(await frontMatterOf(block('tags: [a, b]')), undefined);
  assert.equal(await frontMatterOf('title: no block\n'), undefined);
  assert.equal(await frontMatterOf(block('')), undefined);
});

test(...claims('files.list.front-matter-markdown', 'only markdown has front matter'), async () => {
  const content = block('title: Plan');
  assert.deepEqual(await frontMatterOf(content, 'markdown'), { title: 'Plan' });
  assert.deepEqual(await frontMatterOf(content, 'MD'), { title: 'Plan' });
  assert.equal(await frontMatterOf(content, 'txt'), undefined);
  assert.equal(await frontMatterOf(content, 'html'), undefined);
  await shared.put('typed', content, { contentType: 'text/markdown; charset=utf-8' });
  assert.deepEqual((await details(shared, 'typed'))[0]?.frontMatter, { title: 'Plan' });
});

test(
  ...claims('files.list.front-matter-bounds', 'the block begins a file and ends within 64 KiB'),
  async () => {
    const title = { title: 'Plan' };
    assert.deepEqual(await frontMatterOf('\ufeff---\r\ntitle: Plan\r\n---\r\n'), title);
    assert.deepEqual(await frontMatterOf('---  \ntitle: Plan\n---'), title);
    assert.equal(await frontMatterOf('\n---\ntitle: Plan\n---\n'), undefined);
    assert.equal(await frontMatterOf('----\ntitle: Plan\n----\n'), undefined);
    assert.equal(await frontMatterOf('---\ntitle: Plan\n'), undefined);
    const filledTo = (bytes: number) => {
      const [head, tail] = ['---\ntitle: Plan\n#', '\n---\n'];
      return head + 'x'.repeat(bytes - head.length - tail.length) + tail;
    };
    const limit = 64 * 1024;
    for (const more of ['', 'x', 'x'.repeat(200_000)]) {
      assert.deepEqual(await frontMatterOf(filledTo(limit) + more), title, `${more.length} more`);
      assert.equal(await frontMatterOf(filledTo(limit + 4) + more), undefined, `${more.length} more`);
    }
  },
);

test(...claims('files.list.front-matter-bounds', 'a long block of many keys is read'), async () => {
  const keys = Array.from({ length: 3000 }, (_, n) => `key${n}: ${n}`);
  assert.deepEqual(await frontMatterOf(block(...keys, 'title: The last')), { title: 'The last' });
});

for (const [what, lines] of [
  ['an open quote', ['title: "Plan', 'view: calendar']],
  ['a mapping in a line', ['title: a: b', 'date: 2026-11-22']],
  ['a tab as indentation', ['a:', '\tb: 1', 'title: Plan']],
  ['an alias', ['x: &a 1', 'y: *a', 'title: Plan']],
  ['an alias of nothing', ['y: *a', 'title: Plan']],
  ['a key that comes twice', ['title: One', 'title: Two']],
  ['a key that comes twice further in', ['a: { b: 1, b: 2 }', 'title: Plan']],
  ['a list', ['- title: Plan']],
  ['a text', ['title']],
  ['a second document', ['title: Plan', '...', 'view: calendar']],
  ['a deep nest', [`a: ${'['.repeat(5000)}${']'.repeat(5000)}`, 'title: Plan']],
] as const) {
  test(...claims('files.list.front-matter-yaml', `${what} is not front matter`), async () => {
    assert.equal(await frontMatterOf(block(...lines)), undefined);
  });
}

test(...claims('files.list.front-matter-date', 'a date is a real day'), async () => {
  for (const day of ['2024-02-29', '0001-01-01', '9999-12-31', '2026-10-31']) {
    assert.deepEqual(await frontMatterOf(block(`date: ${day}`)), { date: day });
    assert.deepEqual(await frontMatterOf(block(`date: "${day}"`)), { date: day });
  }
  for (const day of [
    '2026-02-30',
    '2025-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '2026-1-1',
    '26-01-01',
    '2026-11-22T10:00:00Z',
    '20261122',
    '22.11.2026',
    '[2026-11-22]',
    '" 2026-11-22"',
    '',
  ]) {
    assert.deepEqual(await frontMatterOf(block(`date: ${day}`, 'title: x')), { title: 'x' }, day);
  }
});

test(
  ...claims('files.list.front-matter-title', 'a title is one line of at most 200 characters'),
  async () => {
    assert.deepEqual(await frontMatterOf(block('title: "  Plan  "')), { title: 'Plan' });
    assert.deepEqual(await frontMatterOf(block('title: |', '  Plan', '')), { title: 'Plan' });
    assert.deepEqual(await frontMatterOf(block('title: a', '  b')), { title: 'a b' });
    assert.deepEqual(await frontMatterOf(block(`title: ${'x'.repeat(200)}`)), { title: 'x'.repeat(200) });
    assert.deepEqual(await frontMatterOf(block(`title: ${'x'.repeat(201)}`)), { title: 'x'.repeat(200) });
    assert.deepEqual(await frontMatterOf(block(`title: ${'😀'.repeat(300)}`)), { title: '😀'.repeat(200) });
    assert.deepEqual(await frontMatterOf(block('title: 한글 ünï 😀')), { title: '한글 ünï 😀' });
    for (const none of [
      '|\n  one\n  two',
      '"one\\ntwo"',
      '"one\\rtwo"',
      '"one\\u2028two"',
      '"nul \\0"',
      '"half \\ud83d"',
      '""',
      '"  "',
      '42',
      'true',
      'null',
      '',
      '[a]',
      '{ a: b }',
    ]) {
      assert.deepEqual(
        await frontMatterOf(block(`title: ${none}`, 'view: calendar')),
        { view: 'calendar' },
        none,
      );
    }
  },
);

test(...claims('files.list.front-matter-view', 'a view other than calendar is ignored'), async () => {
  for (const view of ['Calendar', 'list', '" calendar"', '[calendar]', 'true']) {
    assert.equal(await frontMatterOf(block(`view: ${view}`)), undefined, view);
  }
});

test(
  ...claims('files.list.front-matter-kept', 'front matter stays with its content wherever that goes'),
  async () => {
    const workspace = await createWorkspace(ada);
    const one = async (path: string) => (await details(workspace, path))[0]?.frontMatter;
    const large = 'x'.repeat(100_000);
    await workspace.put('a.md', block('title: One'));
    await workspace.put('a.md', block('title: Two') + large, { ifMatch: 1 });
    assert.deepEqual(await one('a.md'), { title: 'Two' });
    assertStatus(await workspace.post('restore', { path: 'a.md', targetVersion: 1 }), 200);
    assert.deepEqual(await one('a.md'), { title: 'One' });
    await workspace.put('a.md', 'none', { ifMatch: 3 });
    assert.equal(await one('a.md'), undefined);
    assertStatus(await workspace.post('restore', { path: 'a.md', targetVersion: 2 }), 200);
    assertStatus(await workspace.post('move', { from: 'a.md', to: 'b/c.md' }), 200);
    assert.deepEqual(await one('b/c.md'), { title: 'Two' });
    const lost = await workspace.put('b/c.md', block('title: Lost'), { ifMatch: 9 });
    assertStatus(lost, 412);
    assert.deepEqual(await one(textAt(jsonOf(lost), 'conflict_copy_path')), { title: 'Lost' });
    assert.deepEqual(await one('b/c.md'), { title: 'Two' });
    await workspace.put('text.txt', block('title: Moved here'));
    assert.equal(await one('text.txt'), undefined);
    assertStatus(await workspace.post('move', { from: 'text.txt', to: 'text.md' }), 200);
    assert.deepEqual(await one('text.md'), { title: 'Moved here' });
    await workspace.put('same.md', block('title: Lost'));
    assert.deepEqual(await one('same.md'), { title: 'Lost' });
  },
);

test(
  ...claims('privacy.list', 'a private file adds nothing to the details of another with the same content'),
  async () => {
    const workspace = await createWorkspace(ada);
    const other = await joinWorkspace(workspace, ada, ben);
    const content = block('title: Same');
    await other.put('open.md', content);
    const before = await other.query('list', { details: 1 });
    await workspace.put('secret.md', 'x');
    await workspace.send('PUT', '/node-private', {
      json: { path: 'secret.md', kind: 'file', private: true },
    });
    assertStatus(await workspace.put('secret.md', content, { ifMatch: 1 }), 200);
    assert.deepEqual((await other.query('list', { details: 1 })).bytes, before.bytes);
    assert.equal((await details(workspace)).length, 2);
  },
);
