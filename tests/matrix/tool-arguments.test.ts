import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ExtendedToolId, extendedTools } from '@stoa/contract';
import { assertFile, assertStatus } from '../support/expect.ts';
import { openMcp } from '../support/mcp-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace } from '../support/workspace-client.ts';

/**
 * Unknown arguments of every tool. A name that agents know from elsewhere is accepted. An argument that asks for
 * less to be done is rejected. All others are ignored.
 */
const server = await useTarget();
const ada = await signUp(server, 'Ada');
const key = await createKey(ada, { name: 'Codex' });

async function openWorkspace() {
  const workspace = await createWorkspace(ada, key.client);
  assertStatus(await workspace.put('notes/a.md', 'one\ntwo\nthree\nfour\n'), 201);
  assertStatus(await workspace.put('notes/a.md', 'one\ntwo\nthree\nFour\n', { ifMatch: 1 }), 200);
  const mcp = openMcp(server, key, { workspaceId: workspace.id, toolSet: 'extended' });
  return { workspace, mcp };
}

const path = 'notes/a.md';
/** A call of each tool that would do something. */
const calls: Readonly<Record<ExtendedToolId, Readonly<Record<string, unknown>>>> = {
  listWorkspaces: {},
  createWorkspace: { name: 'Another' },
  setWorkspace: { name: 'Renamed' },
  setWorkspaceImageIcon: { content: 'AQ==' },
  getUsage: {},
  listFiles: {},
  searchFiles: { query: 'a' },
  readFile: { path },
  writeFile: { path, content: 'all new', baseVersion: 2 },
  moveFile: { from: path, to: 'moved.md' },
  deleteFile: { path, baseVersion: 2 },
  setFileIcon: { path, icon: 'star' },
  setPrivate: { path, kind: 'file' },
  readFileVersion: { path, version: 1 },
  restoreFile: { path, targetVersion: 1 },
  createShare: { path, kind: 'file' },
  listShares: { path },
  revokeShare: { shareId: 'none' },
  listComments: {},
  addComment: { path, quote: 'two', body: 'Why?' },
  replyComment: { threadId: 'none', body: 'So' },
  resolveComment: { threadId: 'none', resolved: true },
  editFile: { path, edits: [{ oldText: 'two', newText: '2' }] },
  appendFile: { path, content: 'five' },
  readLines: { path },
  searchContent: { query: 'two' },
  catchUp: {},
  answerComments: { answers: [{ threadId: 'none', body: 'So' }] },
  resolveConflict: { path },
};

/** Arguments that ask for less to be done, in the words of several tools. */
const guards = [
  ...[
    'dryRun',
    'dry_run',
    'dryrun',
    'dry-run',
    'preview',
    'preview_only',
    'simulate',
    'validateOnly',
    'noop',
    'whatIf',
  ],
  ...['if_none_match', 'ifUnmodifiedSince', 'etag', 'expectedHash', 'content_hash', 'sha256', 'baseHash'],
  ...['createOnly', 'create_only', 'noClobber', 'no_clobber', 'failIfExists', 'must_exist', 'skipExisting'],
  ...[
    'regex',
    'is_regex',
    'useRegexp',
    'exclude',
    'wholeWord',
    'expected_replacements',
    'confirm',
    'only_if_open',
  ],
  ...['append', 'prepend', 'mode', 'makeCopy', 'visibility', 'password', 'expiresInDays'],
  ...['idempotency_key', 'onConflict'],
] as const;

test('no tool ignores an argument that asks for less to be done', async () => {
  const { workspace, mcp } = await openWorkspace();
  assert.deepEqual(Object.keys(calls).sort(), Object.keys(extendedTools).sort(), 'every tool has a call');
  const before = await workspace.changes();
  for (const [id, given] of Object.entries(calls)) {
    const { name } = extendedTools[id as ExtendedToolId];
    const { shape } = extendedTools[id as ExtendedToolId].input;
    for (const guard of guards) {
      if (Object.hasOwn(shape, guard)) continue;
      const { isError, text } = await mcp.call(name, {
        ...given,
        [guard]: guard.startsWith('e') ? 'x' : true,
      });
      assert.ok(isError, `${name} ${guard}: ${text}`);
      assert.ok(
        text.startsWith(`${guard}: ${name} does not know this argument`),
        `${name} ${guard}: ${text}`,
      );
      assert.match(text, / Nothing was (done|read)\. \w/);
    }
    // Tools without baseVersion reject an expected version under every name.
    for (const guard of ['baseVersion', 'expectedVersion', 'if_match']) {
      if (Object.hasOwn(shape, 'baseVersion')) continue;
      const { isError, text } = await mcp.call(name, { ...given, [guard]: 7 });
      assert.ok(isError && text.startsWith(`${guard}: `), `${name} ${guard}: ${text}`);
    }
    const { hints } = extendedTools[id as ExtendedToolId];
    if (hints.readOnly) continue;
    for (const off of ['force', 'overwrite', 'recursive', 'notify_members']) {
      const { isError, text } = await mcp.call(name, { ...given, [off]: false });
      assert.ok(isError && text.startsWith(`${off}: `), `${name} ${off}: ${text}`);
    }
  }
  const nested = { path, edits: [{ oldText: 'two', newText: '2', regex: true }] };
  assert.match((await mcp.call('edit_file', nested)).text, /^edits\.0\.regex: edit_file does not know/);
  assert.deepEqual(await workspace.changes(), before);
});

test('an argument that is off, or does not change the call, is ignored and named', async () => {
  const { mcp } = await openWorkspace();
  for (const [given, ignored] of [
    [{ dryRun: false, explanation: 'a typo', regex: null }, ['dryRun', 'explanation']],
    [{ force: true, description: 'x', priority: 3 }, ['force', 'description', 'priority']],
  ] as const) {
    const { data, isError, text } = await mcp.call('append_file', { path, content: 'x', ...given });
    assert.equal(isError, false, text);
    assert.deepEqual(data.ignored, ignored);
  }
});

test('arguments are accepted under the names that other tools have', async () => {
  const { workspace, mcp } = await openWorkspace();
  const ok = async (tool: string, given: Readonly<Record<string, unknown>>) => {
    const result = await mcp.call(tool, given);
    assert.ok(
      !result.isError && !('ignored' in result.data) && !/Ignored/.test(result.text),
      `${tool}: ${result.text}`,
    );
    return result.text;
  };
  assertStatus(await workspace.put('b.md', 'other two'), 201);
  for (const name of ['path', 'folder', 'directory', 'dir']) {
    assert.equal(await ok('list_files', { [name]: 'notes' }), 'notes/a.md\tv2 19 bytes');
  }
  const second = 'notes/a.md v2, lines 2-3 of 4. More: from 4.\ntwo\nthree\n';
  for (const given of [
    { offset: 2, limit: 2 },
    { start: 2, end: 3 },
    { from: 2, to: 3 },
    { start_line: '2', end_line: 3 },
    { view_range: [2, 3] },
    { startLine: 2, count: 2 },
  ]) {
    assert.equal(await ok('read_lines', { file_path: path, ...given }), second, JSON.stringify(given));
  }
  assert.match(await ok('read_lines', { path, view_range: [3, -1] }), /, lines 3-4 of 4\.\nthree\nFour\n$/);
  assert.match(
    await ok('read_lines', { path, offset: 0, limit: 1 }),
    /, line 1 of 4\. More: from 2\.\none\n$/,
  );
  assert.match(await ok('search_content', { pattern: 'two', glob: 'notes/*.md' }), /^1 line in 1 of 1 file/);
  assert.match(await ok('search_content', { query: 'TWO', case_sensitive: true }), /^No match in 2 files/);
  assert.match(await ok('search_content', { q: 'TWO', mode: 'words', dir: 'notes' }), /^1 result\./);
  assert.match(await ok('search_files', { pattern: 'b.md', max_results: 1 }), /b\.md/);
  for (const edit of [
    { old_text: 'two', new_text: 'II' },
    { oldString: 'II', newString: 'two' },
    { find: 'two', replace: 'II', replaceAll: true },
    { old_str: 'II', new_str: 'two' },
  ]) {
    await ok('edit_file', { file_path: path, edits: [edit] });
    await ok('edit_file', { path, ...edit, ...swapped(edit) });
    await ok('edit_file', { path, edits: [JSON.stringify(edit)] });
  }
  await ok('write_file', { path: 'c.md', contents: 'c' });
  await ok('write_file', { file: 'c.md', text: 'cc', base_version: 1 });
  await ok('write_file', { path: 'c.md', content: 'ccc', if_match: 2 });
  await ok('append_file', { path: 'c.md', text: 'd' });
  await ok('move_file', { source: 'c.md', destination: 'd.md' });
  await ok('delete_file', { path: 'd.md', version: 1 });
  await ok('restore_file', { path: 'd.md', version: 1 });
  await ok('add_comment', { path, selected_text: 'three', comment: 'Why?' });
  // The same value twice counts once. Two different values are an error.
  await ok('read_lines', { path, file_path: path, from: 1, offset: '1' });
  for (const [tool, given, says] of [
    ['read_lines', { path, file_path: 'b.md' }, /^file_path and path are both path here, and differ/],
    ['read_lines', { path, offset: 1, start: 2 }, /^start and offset are both from here/],
    ['write_file', { path: 'e.md', content: 'e', text: 'f' }, /^text and content are both content here/],
    ['move_file', { from: path, source: 'b.md', to: 'x.md' }, /^source and from are both from here/],
  ] as const) {
    const result = await mcp.call(tool, given);
    assert.ok(result.isError, result.text);
    assert.match(result.text, says);
  }
  assertStatus(await workspace.get('e.md'), 404);
  await assertFile(workspace, 'b.md', 'other two', 1);
});

function swapped(edit: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const [[a, was], [b, is]] = Object.entries(edit) as [[string, unknown], [string, unknown]];
  return { [a]: is, [b]: was };
}

test('no tool list shows names that only habit brings along', async () => {
  const { mcp } = await openWorkspace();
  const lists = JSON.stringify(await mcp.list());
  for (const name of ['file_path', 'view_range', 'old_text', 'movedFrom']) {
    assert.ok(!lists.includes(`"${name}"`), name);
  }
});

test('arguments may be null, or an object as JSON text', async () => {
  const { workspace, mcp } = await openWorkspace();
  const ask = async (name: string, given: unknown) => {
    const { result } = await mcp.ask('tools/call', { name, arguments: given });
    return JSON.stringify(result);
  };
  const scoped = openMcp(server, await createKey(ada, { workspaceId: workspace.id }));
  const listed = JSON.stringify(
    (await scoped.ask('tools/call', { name: 'list_files', arguments: null })).result,
  );
  assert.match(listed, /notes\/a\.md/);
  const given = JSON.stringify({ workspaceId: workspace.id, path });
  assert.match(await ask('read_file', given), /three/);
  assert.match(await ask('read_file', ` ${given}\n`), /three/);
  const message = await mcp.ask('tools/call', { name: 'read_file', arguments: 'notes/a.md' });
  assert.ok('error' in message);
});
