import assert from 'node:assert/strict';
import { test } from 'node:test';
import { join } from '../support/invites.ts';
import { openMcp } from '../support/mcp-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { recordsAt, textAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { assertHardError, dataOf, textOf } from '../support/tool-result.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server);
const key = await createKey(ada);

async function openWorkspace() {
  const workspace = await createWorkspace(ada, key.client);
  return { workspace, mcp: openMcp(server, key, { workspaceId: workspace.id }) };
}

/** The same workspace for another member. */
async function asMember({ id }: WorkspaceClient) {
  const ben = await signUp(server, 'Ben');
  await join(ada, ben, id);
  return openMcp(server, await createKey(ben), { workspaceId: id });
}

const numbered = (count: number, folder: string) =>
  Array.from({ length: count }, (_, n) => `${folder}/${String(n).padStart(4, '0')}.md`);

async function putAll(workspace: WorkspaceClient, paths: readonly string[]): Promise<void> {
  for (let at = 0; at < paths.length; at += 50) {
    const responses = paths.slice(at, at + 50).map((path) => workspace.put(path, 'x'));
    for (const response of await Promise.all(responses)) assert.equal(response.status, 201);
  }
}

test(...claims('mcp.list-files.empty', 'an empty listing says so'), async () => {
  const { workspace, mcp } = await openWorkspace();
  assert.equal(await textOf(mcp, 'list_files'), '(no files)');
  await workspace.put('a.md', 'one');
  assert.equal(await textOf(mcp, 'list_files', { prefix: 'none' }), '(no files)');
  assert.equal(await textOf(mcp, 'list_files', { offset: 1 }), '(no files)');
});

test(
  ...claims(
    ['mcp.list-files.lines', 'mcp.list-files.sorted'],
    'a line has path, version and size, and lines go by code point',
  ),
  async () => {
    const { workspace, mcp } = await openWorkspace();
    const paths = ['b.md', 'a/z.md', 'B.md', 'a.md', 'a b.md', 'é.md', '\u{1f600}.md', '\uff5e.md', 'a-b.md'];
    for (const path of paths) await workspace.put(path, path);
    await workspace.put('b.md', 'second', { ifMatch: 1 });
    await workspace.put('b.md', 'third version', { ifMatch: 2 });
    assert.equal(
      await textOf(mcp, 'list_files'),
      [
        'B.md\tv1 4 bytes',
        'a b.md\tv1 6 bytes',
        'a-b.md\tv1 6 bytes',
        'a.md\tv1 4 bytes',
        'a/z.md\tv1 6 bytes',
        'b.md\tv3 13 bytes',
        'é.md\tv1 5 bytes',
        '\uff5e.md\tv1 6 bytes',
        '\u{1f600}.md\tv1 7 bytes',
      ].join('\n'),
    );
  },
);

test(...claims('mcp.list-files.keep', 'placeholders of empty folders are not shown'), async () => {
  const { workspace, mcp } = await openWorkspace();
  await workspace.put('.keep', 'x');
  await workspace.put('empty/.keep', 'x');
  assert.equal(await textOf(mcp, 'list_files'), '(no files)');
  await workspace.put('empty/.keep.md', 'x');
  await workspace.put('a/keep', 'x');
  await workspace.put('b/.keep', 'x');
  await workspace.put('c/d', 'x');
  assert.equal(
    await textOf(mcp, 'list_files', { limit: 1, offset: 1 }),
    'c/d\tv1 1 bytes\n1 more: call again with offset 2',
  );
  assert.equal(
    await textOf(mcp, 'list_files'),
    'a/keep\tv1 1 bytes\nc/d\tv1 1 bytes\nempty/.keep.md\tv1 1 bytes',
  );
});

test(...claims('mcp.list-files.prefix', 'a prefix is a folder, not the beginning of a name'), async () => {
  const { workspace, mcp } = await openWorkspace();
  for (const path of ['docs/a.md', 'docs/b/c.md', 'docs2/a.md', 'docs.md', 'Docs/a.md']) {
    await workspace.put(path, 'x');
  }
  const inDocs = 'docs/a.md\tv1 1 bytes\ndocs/b/c.md\tv1 1 bytes';
  for (const prefix of ['docs', 'docs/']) assert.equal(await textOf(mcp, 'list_files', { prefix }), inDocs);
  assert.equal(await textOf(mcp, 'list_files', { prefix: 'docs.md' }), 'docs.md\tv1 1 bytes');
  assert.equal(await textOf(mcp, 'list_files', { prefix: 'doc' }), '(no files)');
  assert.equal(
    await textOf(mcp, 'list_files', { prefix: 'docs', limit: 1 }),
    'docs/a.md\tv1 1 bytes\n1 more: call again with offset 1',
  );
});

test(
  ...claims(
    ['mcp.list-files.limit', 'mcp.list-files.more', 'mcp.list-files.offset'],
    'a thousand files a call, and the last line leads to the rest',
  ),
  async () => {
    const { workspace, mcp } = await openWorkspace();
    const paths = numbered(1003, 'many');
    await putAll(workspace, paths);
    const lines = paths.map((path) => `${path}\tv1 1 bytes`);
    const first = [...lines.slice(0, 1000), '3 more: call again with offset 1000'].join('\n');
    assert.equal(await textOf(mcp, 'list_files'), first);
    for (const limit of [1000, 1001, 1_000_000])
      assert.equal(await textOf(mcp, 'list_files', { limit }), first);
    const rest = await textOf(mcp, 'list_files', { offset: 1000 });
    assert.equal(rest, lines.slice(1000).join('\n'));
    assert.equal(await textOf(mcp, 'list_files', { limit: 1003 - 3, offset: 3 }), lines.slice(3).join('\n'));

    const read: string[] = [];
    for (let offset = 0; offset < paths.length; offset += 400) {
      const page = (await textOf(mcp, 'list_files', { limit: 400, offset })).split('\n');
      const left = paths.length - offset - 400;
      if (left > 0) assert.equal(page.pop(), `${left} more: call again with offset ${offset + 400}`);
      read.push(...page);
    }
    assert.deepEqual(read, lines);
    for (const given of [{ limit: 0 }, { offset: -1 }]) {
      await assertHardError(mcp, 'list_files', given, /^(limit|offset): must be a whole number of at least/);
    }
  },
);

test(...claims('mcp.list-files.hidden', 'private files of others are not listed or counted'), async () => {
  const { workspace, mcp } = await openWorkspace();
  const bens = await asMember(workspace);
  for (const path of ['a.md', 'mine/b.md', 'c.md', 'd.md']) await workspace.put(path, 'x');
  await textOf(mcp, 'set_private', { path: 'mine' });
  await textOf(mcp, 'set_private', { path: 'd.md', kind: 'file' });
  assert.equal(await textOf(bens, 'list_files'), 'a.md\tv1 1 bytes\nc.md\tv1 1 bytes');
  assert.equal(
    await textOf(bens, 'list_files', { limit: 1 }),
    'a.md\tv1 1 bytes\n1 more: call again with offset 1',
  );
  assert.equal(await textOf(bens, 'list_files', { prefix: 'mine' }), '(no files)');
  assert.equal((await textOf(mcp, 'list_files')).split('\n').length, 4);
});

test(
  ...claims(
    ['mcp.search-files', 'mcp.search-files.fuzzy'],
    'files and folders are found by characters in order',
  ),
  async () => {
    const { workspace, mcp } = await openWorkspace();
    for (const path of ['notes/meeting-notes.md', 'notes/plan.md', 'other/x.txt'])
      await workspace.put(path, 'mtgnt');
    const file = { path: 'notes/meeting-notes.md', name: 'meeting-notes.md', isDir: false };
    assert.deepEqual(await dataOf(mcp, 'search_files', { query: 'mtgnt' }), {
      results: [file],
      totalMatches: 1,
    });
    assert.deepEqual(await dataOf(mcp, 'search_files', { query: 'xo' }), { results: [], totalMatches: 0 });
    assert.deepEqual(await dataOf(mcp, 'search_files', { query: 'OTHER' }), {
      results: [
        { path: 'other', name: 'other', isDir: true },
        { path: 'other/x.txt', name: 'x.txt', isDir: false },
      ],
      totalMatches: 2,
    });
    const { text } = await mcp.call('search_files', { query: 'other' });
    assert.match(text, /^2 matches/);
    assert.match(text, /^other\/$/m);
  },
);

test(
  ...claims(
    ['mcp.search-files.limit', 'mcp.search-files.no-paging'],
    '50 results unless more are asked for, and 200 at most',
  ),
  async () => {
    const { workspace, mcp } = await openWorkspace();
    await putAll(workspace, numbered(203, 'many'));
    const found = async (given: Readonly<Record<string, unknown>>) => {
      const { ignored, ...data } = await dataOf(mcp, 'search_files', { query: 'md', ...given });
      assert.deepEqual(ignored, 'offset' in given ? ['offset'] : undefined);
      assert.deepEqual(Object.keys(data).sort(), ['results', 'totalMatches']);
      assert.equal(data.totalMatches, 203);
      return recordsAt(data, 'results').map((result) => textAt(result, 'path'));
    };
    const all = await found({ limit: 200 });
    assert.equal(new Set(all).size, 200);
    assert.deepEqual(await found({}), all.slice(0, 50));
    assert.deepEqual(await found({ limit: 1 }), all.slice(0, 1));
    assert.deepEqual(await found({ limit: 201 }), all);
    assert.deepEqual(await found({ limit: 5000 }), all);
    assert.deepEqual(await found({ limit: 3, offset: 3 }), all.slice(0, 3));
    await assertHardError(mcp, 'search_files', { query: 'md', limit: 0 }, /^limit: /);
    assert.match((await mcp.call('search_files', { query: 'md' })).text, /^203 matches, the best 50/);
  },
);

test(...claims('mcp.search-files.query', 'a query has 1 to 200 characters'), async () => {
  const { mcp } = await openWorkspace();
  await dataOf(mcp, 'search_files', { query: 'x'.repeat(200) });
  await assertHardError(mcp, 'search_files', { query: 'x'.repeat(201) }, /^query: .*200/);
  await assertHardError(mcp, 'search_files', { query: '' }, /^query: /);
  await assertHardError(mcp, 'search_files', {}, /^query is missing: /);
});

test(...claims('mcp.search-files.hidden', 'private files of others are not found'), async () => {
  const { workspace, mcp } = await openWorkspace();
  const bens = await asMember(workspace);
  for (const path of ['plan.md', 'mine/plan.md']) await workspace.put(path, 'x');
  await textOf(mcp, 'set_private', { path: 'mine' });
  const shared = { path: 'plan.md', name: 'plan.md', isDir: false };
  assert.deepEqual(await dataOf(bens, 'search_files', { query: 'plan' }), {
    results: [shared],
    totalMatches: 1,
  });
  assert.equal((await dataOf(bens, 'search_files', { query: 'mine' })).totalMatches, 0);
  assert.equal((await dataOf(mcp, 'search_files', { query: 'plan' })).totalMatches, 2);
});
