import assert from 'node:assert/strict';
import { test } from 'node:test';
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
const [key, bensKey] = [await createKey(ada), await createKey(ben)];

async function openWorkspace(...paths: readonly string[]) {
  const workspace = await createWorkspace(ada, key.client);
  for (const path of paths) await workspace.put(path, 'x');
  const mcp = openMcp(server, key, { workspaceId: workspace.id });
  const extended = openMcp(server, key, { workspaceId: workspace.id, toolSet: 'extended' });
  return { workspace, mcp, extended };
}

test(...claims('mcp.results.ignored', 'the result names an unknown argument first'), async () => {
  const { mcp, extended } = await openWorkspace('notes/a.md');
  const read = await mcp.call('read_file', { path: 'notes/a.md', limit: 50, lines: null });
  assert.deepEqual(read.data.ignored, ['limit']);
  assert.match(read.text, /^Ignored: limit\. read_file takes .*path, encoding, maxBytes, offset\.\n/);
  assert.match(await textOf(mcp, 'list_files', { sort: 'size' }), /^Ignored: sort\. list_files takes /);
  assert.ok(!('ignored' in (await dataOf(mcp, 'read_file', { path: 'notes/a.md' }))));
  // Within lists also: each name once, however often it comes.
  const edit = { oldText: 'x', newText: 'y', reason: 'a typo' };
  const edits = [{ old_str: 'z', new_str: 'y', note: null }, edit, edit];
  const edited = await extended.call('edit_file', { path: 'notes/a.md', edits, dryRun: false });
  assert.deepEqual(edited.data.ignored, ['dryRun', 'edits.1.reason']);
  assert.match(
    edited.text,
    /^Ignored: dryRun, edits\.1\.reason\. edit_file takes .*path, edits of \{ oldText, newText, all \}, baseVersion\.\n/,
  );
});

test(...claims('mcp.results.text-values', 'numbers and booleans may come as text'), async () => {
  const { mcp } = await openWorkspace('notes/a.md');
  const { content, nextOffset } = await dataOf(mcp, 'read_file', {
    file_path: 'notes/a.md',
    offset: '0',
    maxBytes: ' 1 ',
  });
  assert.deepEqual([content, nextOffset], ['x', null]);
  await textOf(mcp, 'set_private', { path: 'notes', private: 'false' });
  await assertHardError(mcp, 'read_file', { path: 'notes/a.md', offset: '1.5' }, /^offset: /);
});

test(...claims('mcp.results.folder', 'an error tells a folder from a missing path'), async () => {
  const { mcp } = await openWorkspace('notes/a.md', 'notes/deep/b.md', 'one/c.md');
  const listed = /^"notes" is a folder of 2 files\. Next: list_files with prefix "notes"\.$/;
  for (const [tool, given] of [
    ['read_file', {}],
    ['read_file_version', { version: 1 }],
    ['delete_file', { baseVersion: 1 }],
  ] as const) {
    await assertHardError(mcp, tool, { path: 'notes', ...given }, listed);
  }
  const said = /^"notes" is a folder of 2 files\. Next: say kind "folder"\.$/;
  await assertHardError(mcp, 'set_private', { path: 'notes', kind: 'file' }, said);
  await assertHardError(mcp, 'read_file', { path: 'one' }, /^"one" is a folder of 1 file\. /);
  const moved = /^"notes" is a folder of 2 files\. Next: move its files one by one\.$/;
  await assertHardError(mcp, 'move_file', { from: 'notes', to: 'other' }, moved);
});

test(...claims('mcp.results.did-you-mean', 'an error suggests the right path for a near miss'), async () => {
  const { mcp, extended } = await openWorkspace('notes/plan.md', 'log.txt');
  const meant = /^File not found: did you mean notes\/plan\.md\?$/;
  for (const path of [
    'notes/plam.md',
    'notes/Plan.md',
    'plan.md',
    'workspace/notes/plan.md',
    'notes/plann.md',
  ]) {
    await assertHardError(mcp, 'read_file', { path }, meant);
    await assertHardError(mcp, 'move_file', { from: path, to: 'x.md' }, meant);
    await assertHardError(
      extended,
      'edit_file',
      { path, edits: [{ oldText: 'x', newText: 'y' }] },
      /^File not found: did you mean notes\/plan\.md\? write_file creates a file\.$/,
    );
  }
  // Short names that are not likely typos, and names that share only their ending.
  for (const path of ['lo.txt', 'no.md']) {
    await assertHardError(mcp, 'read_file', { path }, /^File not found\. Next: /);
  }
  const nothing = /^File not found\. Next: list_files and search_files show what there is\.$/;
  await assertHardError(mcp, 'read_file', { path: 'entirely-other.csv' }, nothing);
});

test(
  ...claims('mcp.results.did-you-mean', 'private paths of others are never suggested or counted'),
  async () => {
    const { workspace, mcp } = await openWorkspace('notes/plan.md', 'notes/seen.md');
    await joinWorkspace(workspace, ada, ben);
    const bens = openMcp(server, bensKey, { workspaceId: workspace.id });
    await textOf(mcp, 'set_private', { path: 'notes/plan.md', kind: 'file' });
    await assertHardError(bens, 'read_file', { path: 'plan.md' }, /^File not found\. Next: /);
    await assertHardError(bens, 'read_file', { path: 'notes' }, /^"notes" is a folder of 1 file\./);
    await assertHardError(mcp, 'read_file', { path: 'plan.md' }, /did you mean notes\/plan\.md/);
  },
);

test(
  ...claims('mcp.results.next', 'a result says what to do next, in the data also when it is empty'),
  async () => {
    const { mcp } = await openWorkspace('a.md');
    for (const [tool, given, next] of [
      [
        'write_file',
        { path: 'a.md', content: 'other' },
        /^Read a\.md again, merge both, write with baseVersion 1/,
      ],
      ['add_comment', { path: 'a.md', quote: 'nowhere', body: '?' }, /^Read the file again/],
      ['search_files', { query: 'nothing-like-it' }, /^Only names and paths/],
      ['list_comments', {}, /add_comment/],
      ['list_shares', { path: 'a.md' }, /create_share/],
    ] as const) {
      const { data, text } = await mcp.call(tool, given);
      assert.match(String(data.next), next, tool);
      assert.ok(text.includes(String(data.next)), tool);
    }
  },
);

test(
  ...claims('mcp.results.next', 'a name search without a result points to the content search'),
  async () => {
    const { mcp, extended } = await openWorkspace('a.md');
    const next = async (client: typeof mcp) =>
      String((await client.call('search_files', { query: 'nothing-like-it' })).data.next);
    assert.match(await next(mcp), / search_content at \/api\/mcp\?toolset=extended looks inside files\.$/);
    assert.match(await next(extended), /list_files\. search_content looks inside files\.$/);
  },
);

test(
  ...claims('mcp.search-files.glob', 'a glob finds names, or whole paths when it has a slash'),
  async () => {
    const { workspace, mcp } = await openWorkspace('a.md', 'notes/b.md', 'notes/deep/c.md', 'notes/d.txt');
    await workspace.put('empty/.keep', ' ');
    const found = async (query: string, given: Readonly<Record<string, unknown>> = {}) => {
      const { results, totalMatches } = await dataOf(mcp, 'search_files', { query, ...given });
      assert.ok(Array.isArray(results));
      return [totalMatches, ...results.map(({ path, isDir }) => (isDir === true ? `${path}/` : path))];
    };
    assert.deepEqual(await found('*.MD'), [3, 'a.md', 'notes/b.md', 'notes/deep/c.md']);
    assert.deepEqual(await found('*.md', { limit: 1 }), [3, 'a.md']);
    assert.deepEqual(await found('notes/*'), [3, 'notes/b.md', 'notes/d.txt', 'notes/deep/']);
    assert.deepEqual(await found('**/?.md'), [2, 'notes/b.md', 'notes/deep/c.md']);
    assert.deepEqual(await found('e*y'), [1, 'empty/']);
    assert.deepEqual(await found('.k*'), [0]);
    assert.deepEqual(await found('**a/'.repeat(20)), [0]);
    await assertHardError(mcp, 'search_files', { query: '**a/'.repeat(21) }, /20 stars/);
  },
);

test(...claims('mcp.list-files.meta', 'clients may show a whole page of files'), async () => {
  const { mcp } = await openWorkspace();
  const tool = (await mcp.list()).find(({ name }) => name === 'list_files');
  assert.deepEqual(tool?._meta, { 'anthropic/maxResultSizeChars': 120_000 });
});
