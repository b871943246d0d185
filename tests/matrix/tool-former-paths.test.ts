import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ExtendedToolId, extendedTools } from '@stoa/contract';
import { assertStatus } from '../support/expect.ts';
import { joinWorkspace } from '../support/join-workspace.ts';
import { type McpClient, openMcp, type ToolResult } from '../support/mcp-client.ts';
import { operator } from '../support/operator.ts';
import { createKey, signUp } from '../support/people.ts';
import { useOwnService } from '../support/target.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';

/**
 * Checks each tool with a path from which a file was moved or deleted. The response says where the file went, if
 * the caller may know. Otherwise it is the same as for a path that never had a file. A tool that takes a path
 * and has no row fails.
 */
const { service, client: server } = await useOwnService();
const ada = await signUp(server, 'Ada');
const ben = await signUp(server, 'Ben');
const [codexKey, bensKey] = [await createKey(ada, { name: 'Codex' }), await createKey(ben)];

type Given = Readonly<Record<string, unknown>>;

interface Row {
  readonly given: (path: string) => Given;
  /**
   * The result for the former path of a file: a hard error, an outcome with `ok: false`, a success that says so,
   * or a new file.
   */
  readonly moved: Kind;
  readonly deleted: Kind;
}
type Kind = 'refuses' | 'outcome' | 'says' | 'creates';

const rejects = (given: Row['given']): Row => ({ given, moved: 'refuses', deleted: 'refuses' });
const says = (given: Row['given']): Row => ({ given, moved: 'says', deleted: 'says' });

const rows: Readonly<Partial<Record<ExtendedToolId, Row | string>>> = {
  listFiles: says((path) => ({ prefix: path })),
  readFile: rejects((path) => ({ path })),
  writeFile: {
    given: (path) => ({ path, content: 'mine', baseVersion: 2 }),
    moved: 'outcome',
    deleted: 'creates',
  },
  moveFile: rejects((path) => ({ from: path, to: 'elsewhere.md' })),
  deleteFile: rejects((path) => ({ path, baseVersion: 2 })),
  setFileIcon: rejects((path) => ({ path, icon: 'star' })),
  setPrivate: rejects((path) => ({ path, kind: 'file' })),
  readFileVersion: rejects((path) => ({ path, version: 9 })),
  restoreFile: rejects((path) => ({ path, targetVersion: 9 })),
  createShare: rejects((path) => ({ path, kind: 'file' })),
  listShares: rejects((path) => ({ path })),
  listComments: says((path) => ({ path })),
  addComment: rejects((path) => ({ path, quote: 'one', body: 'Why?' })),
  editFile: rejects((path) => ({ path, edits: [{ oldText: 'one', newText: 'two' }] })),
  appendFile: { given: (path) => ({ path, content: 'more' }), moved: 'outcome', deleted: 'outcome' },
  readLines: rejects((path) => ({ path })),
  searchContent: says((path) => ({ query: 'one', path })),
  resolveConflict: rejects((path) => ({ path })),
  catchUp: 'its lines are the moves and deletions themselves',
};

const takesPath = (id: string) => {
  const { shape } = extendedTools[id as ExtendedToolId].input;
  return ['path', 'from', 'prefix'].some((name) => Object.hasOwn(shape, name));
};

test('every tool that takes a path has a row', () => {
  assert.deepEqual(Object.keys(rows).sort(), Object.keys(extendedTools).filter(takesPath).sort());
});

const time = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d UTC`;
const when = new RegExp(time, 'g');

async function openWorkspace(): Promise<{ workspace: WorkspaceClient; mcp: McpClient }> {
  const workspace = await createWorkspace(ada, codexKey.client);
  await joinWorkspace(workspace, ada, ben);
  return { workspace, mcp: openMcp(server, bensKey, { workspaceId: workspace.id, toolSet: 'extended' }) };
}

async function putTwice(workspace: WorkspaceClient, path: string): Promise<void> {
  assertStatus(await workspace.put(path, 'one'), 201);
  assertStatus(await workspace.put(path, 'one two', { ifMatch: 1 }), 200);
}

function assertKind(kind: Kind, result: ToolResult): void {
  const shown = JSON.stringify(result);
  assert.equal(result.isError, kind === 'refuses', shown);
  if (kind === 'outcome') assert.equal(result.data.ok, false, shown);
  if (kind === 'creates') assert.deepEqual([result.data.ok, result.data.version], [true, 1], shown);
}

for (const [id, row] of Object.entries(rows)) {
  if (row === undefined || typeof row === 'string') continue;
  const { name } = extendedTools[id as ExtendedToolId];
  test(`${name} says where the file of its path went`, async () => {
    const { workspace, mcp } = await openWorkspace();
    for (const path of ['a/moved.md', 'a/twice.md', 'a/deleted.md', 'a/hidden.md', 'a/private.md']) {
      await putTwice(workspace, path);
    }
    const move = async (from: string, to: string) =>
      assertStatus(await workspace.post('move', { from, to }), 200);
    await move('a/moved.md', 'b/here.md');
    await move('a/twice.md', 'b/between.md');
    await move('b/between.md', 'c/there.md');
    assertStatus(await workspace.remove('a/deleted.md', 2), 204);
    const hide = (path: string, kind: string) =>
      workspace.send('PUT', '/node-private', { json: { path, kind, private: true } });
    assertStatus(await hide('secret', 'folder'), 200);
    await move('a/hidden.md', 'secret/place.md');
    assertStatus(await hide('a/private.md', 'file'), 200);
    const ask = (path: string) => mcp.call(name, row.given(path));

    const moved = await ask('a/moved.md');
    assertKind(row.moved, moved);
    assert.match(moved.text, new RegExp(`was moved to b/here\\.md by Codex at ${time}`), name);
    const twice = await ask('a/twice.md');
    assertKind(row.moved, twice);
    assert.match(twice.text, new RegExp(`was moved to c/there\\.md by Codex at ${time}`), name);
    const deleted = await ask('a/deleted.md');
    assertKind(row.deleted, deleted);
    assert.match(deleted.text, new RegExp(`was deleted by Codex at ${time} \\(version 2\\)`), name);
    // To others a move to a hidden path is a deletion, as in the feed. The text must be the same to the letter.
    const hidden = await ask('a/hidden.md');
    const reported = (result: ToolResult, path: string) =>
      JSON.stringify(result).replaceAll(path, 'PATH').replaceAll(when, 'TIME');
    assert.equal(reported(hidden, 'a/hidden.md'), reported(deleted, 'a/deleted.md'));
    // Another member's private file looks like one that never existed, unless a write there reveals it.
    if (row.deleted === 'outcome' || row.deleted === 'creates') return;
    assert.equal(
      reported(await ask('a/private.md'), 'a/private.md'),
      reported(await ask('a/never.md'), 'a/never.md'),
    );
  });
}

test('no text promises a restore that a read-only workspace rejects', async () => {
  const { workspace, mcp } = await openWorkspace();
  for (const path of ['gone.md', 'going.md', 'moved.md']) await putTwice(workspace, path);
  assertStatus(await workspace.remove('gone.md', 2), 204);
  const before = await mcp.call('read_file', { path: 'gone.md' });
  assert.match(before.text, /restore_file with targetVersion 2 brings it back/);
  await operator(service, 'workspace', 'lapse', workspace.id);
  const deleted = await mcp.call('delete_file', { path: 'going.md', baseVersion: 2 });
  assert.match(deleted.text, /^Deleted going\.md, which was at version 2\./);
  for (const { text } of [
    deleted,
    await mcp.call('read_file', { path: 'gone.md' }),
    await mcp.call('read_file', { path: 'going.md' }),
    await mcp.call('read_file_version', { path: 'gone.md', version: 9 }),
    await mcp.call('edit_file', { path: 'gone.md', edits: [{ oldText: 'a', newText: 'b' }] }),
    await mcp.call('append_file', { path: 'gone.md', content: 'x' }),
    await mcp.call('list_comments', { path: 'gone.md' }),
  ]) {
    assert.doesNotMatch(text, /brings? it back|restore_file with|write_file (creates|begins)/, text);
  }
  assert.match(deleted.text, /read_file_version with version 2 reads it/);
});

test('a key that may only read is not sent to restore_file', async () => {
  const { workspace } = await openWorkspace();
  await putTwice(workspace, 'gone.md');
  assertStatus(await workspace.remove('gone.md', 2), 204);
  const reads = await createKey(ben, { workspaceId: workspace.id, access: 'read' });
  const { text } = await openMcp(server, reads, { toolSet: 'extended' }).call('read_file', {
    path: 'gone.md',
  });
  assert.match(
    text,
    /was deleted by Codex at .* \(version 2\)\. .*read_file_version with version 2 reads it/,
  );
  assert.doesNotMatch(text, /restore_file/);
});
