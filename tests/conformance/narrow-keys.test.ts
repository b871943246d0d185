import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRejection } from '../support/error.ts';
import { assertJson, assertStatus, listedPaths } from '../support/expect.ts';
import { openMcp } from '../support/mcp-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { type JsonRecord, jsonOf, recordOf, recordsAt, textAt } from '../support/response.ts';
import { share } from '../support/shares.ts';
import { useTarget } from '../support/target.ts';
import { assertHardError, textOf } from '../support/tool-result.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server, 'Ada');
const home = await createWorkspace(ada);

const onlyReads = 'This key may read, but not change anything';
const onlyComments = 'This key may read and comment, but not change anything else';
const notWorkspace = 'This key may not change the workspace';

type Options = Omit<NonNullable<Parameters<typeof createKey>[1]>, 'workspaceId'>;

async function keyFor(workspace: WorkspaceClient, options: Options) {
  const key = await createKey(ada, { workspaceId: workspace.id, ...options });
  return { ...key, workspace: workspace.as(key.client) };
}

const make = (json: unknown) => ada.session.send('POST', '/api/keys', { json });

/** A folder with a thread, and a file outside it. */
async function filled(): Promise<{ readonly workspace: WorkspaceClient; readonly threadId: string }> {
  const workspace = await createWorkspace(ada);
  assertStatus(await workspace.put('notes/a.md', '# One\n\nTwo words.\n'), 201);
  assertStatus(await workspace.put('secret/b.md', '# Elsewhere\n'), 201);
  const thread = { path: 'notes/a.md', kind: 'range', quote: 'Two', body: 'Why two?' };
  const started = await workspace.post('comments', thread);
  assertStatus(started, 201);
  return { workspace, threadId: textAt(recordOf(jsonOf(started).thread), 'id') };
}

test(...claims(['keys.narrow', 'keys.narrow-listed'], 'a narrow key shows its limits'), async () => {
  const options = {
    workspaceId: home.id,
    access: 'read',
    path: 'notes',
    expiresInDays: 2,
    actorType: 'agent',
  };
  const made = await make(options);
  assertStatus(made, 200);
  const { id, key: _, expiresAt, ...rest } = jsonOf(made);
  assert.deepEqual(rest, {
    name: 'service-cli',
    actorType: 'agent',
    workspaceId: home.id,
    access: 'read',
    path: 'notes',
  });
  const days = (Date.parse(String(expiresAt)) - Date.now()) / 86_400_000;
  assert.ok(days > 1.9 && days < 2.1, `${days} days`);
  const { id: plainId } = jsonOf(await make({ access: 'write' }));
  const listed = recordsAt(jsonOf(await ada.session.send('GET', '/api/keys')), 'keys');
  const narrow = { actorType: 'agent', workspaceId: home.id, access: 'read', path: 'notes', expiresAt };
  assert.deepEqual(listed.find((key) => key.id === id)?.metadata, narrow);
  assert.deepEqual(listed.find((key) => key.id === plainId)?.metadata, { actorType: 'human' });
});

test(...claims('keys.narrow-refused', 'invalid limits are rejected'), async () => {
  const inHome = { workspaceId: home.id };
  for (const options of [
    { access: 'admin' },
    { access: '' },
    { ...inHome, expiresInDays: 0 },
    { ...inHome, expiresInDays: 3651 },
    { ...inHome, expiresInDays: 1.5 },
    { ...inHome, expiresInDays: '7' },
    { ...inHome, path: '' },
    { ...inHome, path: '../up' },
    { ...inHome, path: 7 },
    { path: 'notes' },
  ]) {
    const response = await make(options);
    assert.equal(response.status, 400, `${JSON.stringify(options)}: ${response.bytes.toString()}`);
  }
});

test(
  ...claims(
    ['keys.narrow-reads', 'keys.narrow-comments', 'keys.narrow-order'],
    'a key does what its access allows',
  ),
  async () => {
    const { workspace, threadId } = await filled();
    const reader = (await keyFor(workspace, { access: 'read' })).workspace;
    const reviewer = (await keyFor(workspace, { access: 'comment' })).workspace;
    for (const key of [reader, reviewer]) {
      for (const operation of ['list', 'comments', 'changes', 'usage', 'members']) {
        assertStatus(await key.query(operation), 200);
      }
      assertStatus(await key.get('notes/a.md'), 200);
    }
    const reply = (key: WorkspaceClient) => key.post(`comments/${threadId}/replies`, { body: 'Because.' });
    const started = { path: 'notes/a.md', kind: 'range', quote: 'words', body: 'Which?' };
    const resolve = (key: WorkspaceClient) =>
      key.send('PUT', `/comments/${threadId}/resolved`, { json: { resolved: true } });
    assertRejection(await reply(reader), 403, { says: onlyReads });
    assertRejection(await resolve(reader), 403, { says: onlyReads });
    assertRejection(await reader.post('comments', started), 403, { says: onlyReads });
    assertStatus(await reply(reviewer), 201);
    assertStatus(await resolve(reviewer), 200);
    assertStatus(await reviewer.post('comments', started), 201);
    for (const [key, says] of [
      [reader, onlyReads],
      [reviewer, onlyComments],
    ] as const) {
      assertRejection(await key.put('notes/a.md', 'x', { ifMatch: 1 }), 403, { says });
      assertRejection(await key.remove('notes/a.md', 1), 403, { says });
      assertRejection(await key.post('move', { from: 'notes/a.md', to: 'c.md' }), 403, { says });
      assertRejection(await key.send('PATCH', '', { json: { name: 'Mine' } }), 403, { says });
      // The access is checked before the path, and after the workspace.
      assertRejection(await key.post('move', { from: '../a', to: 'b' }), 403, { says });
    }
    const foreign = await createWorkspace(ada);
    const there = await foreign.as((await keyFor(workspace, { access: 'read' })).client).put('a.md', 'x');
    assertRejection(there, 403, { says: 'Key is not scoped to this workspace' });
  },
);

test(
  ...claims(
    ['keys.narrow-path', 'keys.narrow-workspace'],
    'a key for a folder works in it, and sees nothing else',
  ),
  async () => {
    const { workspace, threadId } = await filled();
    await workspace.post('comments', { path: 'secret/b.md', kind: 'range', quote: 'Else', body: 'Hm?' });
    const { workspace: key, secret } = await keyFor(workspace, { path: 'notes' });
    assert.deepEqual(await listedPaths(key), ['notes/a.md']);
    assert.deepEqual(await listedPaths(key, 'secret'), []);
    assertRejection(await key.get('secret/b.md'), 404, { says: 'File not found' });
    assertRejection(await key.put('secret/new.md', 'x'), 404, { says: 'File not found' });
    assertRejection(await key.post('move', { from: 'notes/a.md', to: 'secret/a.md' }), 404);
    assertStatus(await key.put('notes/deep/new.md', 'x'), 201);
    assertStatus(await key.post('move', { from: 'notes/deep/new.md', to: 'notes/new.md' }), 200);
    const { threads, total } = jsonOf(await key.query('comments'));
    assert.deepEqual([total, recordsAt({ threads }, 'threads').map((thread) => thread.id)], [1, [threadId]]);
    const { totalMatches } = jsonOf(await key.query('search', { q: 'md' }));
    assert.equal(totalMatches, 2);
    assert.equal(jsonOf(await key.query('search', { q: 'notes' })).totalMatches, 3);
    const { usedFiles, usedBytes } = jsonOf(await key.query('usage'));
    assert.deepEqual([usedFiles, usedBytes], [2, 19]);
    assertStatus(await key.query('members'), 200);
    assertRejection(await key.send('PATCH', '', { json: { name: 'Mine' } }), 403, { says: notWorkspace });
    assertJson(await key.post('move-folder', { from: 'secret', to: 'notes/secret' }), 200, {
      ok: true,
      from: 'secret',
      to: 'notes/secret',
    });
    assertRejection(await key.send('PUT', '/node-icon', { json: { path: 'secret', icon: 'star' } }), 404);
    const mcp = openMcp(server, secret);
    await assertHardError(mcp, 'read_file', { path: 'secret/b.md' }, /^File not found/);
    const close = await mcp.call('read_file', { path: 'notes/b.md' });
    assert.ok(!close.text.includes('secret'), close.text);
  },
);

test(
  ...claims('keys.narrow-path', 'a key for a folder finds, blames and resolves only inside it'),
  async () => {
    const { workspace } = await filled();
    await workspace.put('secret/b.md', 'Two herons\n', { ifMatch: 1 });
    const lost = await workspace.put('secret/b.md', 'Three herons\n', { ifMatch: 1 });
    const copy = textAt(jsonOf(lost), 'conflict_copy_path');
    const { workspace: key, secret } = await keyFor(workspace, { path: 'notes' });
    for (const path of [undefined, 'secret', 'secret/*.md', '**']) {
      const given: Record<string, string> = path === undefined ? { q: 'herons' } : { q: 'herons', path };
      const { totalLines, totalFiles, files } = jsonOf(await key.query('search-content', given));
      assert.deepEqual([totalLines, totalFiles, files], [0, 0, []], String(path));
    }
    const { totalLines, searchedFiles } = jsonOf(await key.query('search-content', { q: 'two' }));
    assert.deepEqual([totalLines, searchedFiles], [1, 1]);
    const { text } = await openMcp(server, secret, { toolSet: 'extended' }).call('search_content', {
      query: 'two herons',
    });
    assert.ok(!text.includes('secret') && text.includes('herons 0'), text);
    assertRejection(await key.query('blame', { path: 'secret/b.md' }), 404, { says: 'File not found' });
    const responses = await Promise.all(
      ['secret/none.md', copy].map((path) => key.post('resolve-conflict', { copy: path, keep: 'copy' })),
    );
    const [absent, hidden] = responses.map(({ status, bytes }) => [status, bytes.toString()]);
    assert.deepEqual([hidden, hidden?.[0]], [absent, 404]);
    const { workspace: reader } = await keyFor(workspace, { access: 'read' });
    const rejected = await reader.post('resolve-conflict', { copy, keep: 'current' });
    assertRejection(rejected, 403, { says: onlyReads });
    assertStatus(await reader.query('blame', { path: 'secret/b.md' }), 200);
    assert.equal(jsonOf(await reader.query('search-content', { q: 'herons' })).totalLines, 2);
  },
);

test(...claims(['keys.narrow-feed'], 'a key for a folder sees files enter and leave it'), async () => {
  const { workspace } = await filled();
  const { workspace: key } = await keyFor(workspace, { path: 'notes' });
  assertStatus(await workspace.post('move', { from: 'notes/a.md', to: 'secret/a.md' }), 200);
  assertStatus(await workspace.post('move', { from: 'secret/b.md', to: 'notes/b.md' }), 200);
  assertStatus(await workspace.post('move', { from: 'notes/b.md', to: 'notes/c.md' }), 200);
  const shown = (change: JsonRecord) => [change.op, change.path, change.movedFrom];
  assert.deepEqual((await key.changes()).map(shown), [
    ['write', 'notes/a.md', undefined],
    ['delete', 'notes/a.md', undefined],
    ['move', 'notes/b.md', undefined],
    ['delete', 'notes/b.md', undefined],
    ['move', 'notes/c.md', 'notes/b.md'],
  ]);
  // A cursor passes over changes elsewhere, and catches up.
  const [page, whole] = [await key.query('changes'), await workspace.query('changes')].map(jsonOf);
  assert.deepEqual([page?.head, page?.nextSeq], [whole?.head, whole?.nextSeq]);
  // Versions from before the file entered the folder are hidden from the key.
  const { versions } = jsonOf(await key.query('versions', { path: 'notes/c.md' }));
  assert.equal(recordsAt({ versions }, 'versions').length, 2);
});

test(
  ...claims('keys.narrow-file', 'a key for one file writes it, and gets its conflicted copy next to it'),
  async () => {
    const { workspace } = await filled();
    const { workspace: key } = await keyFor(workspace, { path: 'notes/a.md' });
    assert.deepEqual(await listedPaths(key), ['notes/a.md']);
    assertStatus(await key.put('notes/a.md', 'Mine\n', { ifMatch: 1 }), 200);
    const lost = await key.put('notes/a.md', 'Lost\n', { ifMatch: 1 });
    assertStatus(lost, 412);
    const copy = textAt(jsonOf(lost), 'conflict_copy_path');
    assertRejection(await key.get(copy), 404, { says: 'File not found' });
    assert.equal((await workspace.get(copy)).bytes.toString(), 'Lost\n');
  },
);

test(
  ...claims('keys.narrow-links', 'a link for members opens for a key inside its folder alone'),
  async () => {
    const { workspace } = await filled();
    const { client } = await keyFor(workspace, { path: 'notes', access: 'read' });
    const inside = await share(workspace, 'notes/a.md', { access: 'member' });
    const outside = await share(workspace, 'secret/b.md', { access: 'member' });
    assertStatus(await client.send('GET', `${inside.path}/content`), 200);
    assertStatus(await client.send('GET', `${outside.path}/content`), 404);
  },
);

test(...claims('keys.narrow-tools', 'tools that a key can never use are not listed to it'), async () => {
  const { workspace } = await filled();
  const toolsOf = async (options: Options) =>
    (await openMcp(server, await keyFor(workspace, options)).list()).map((tool) => textAt(tool, 'name'));
  const all = await toolsOf({});
  const changes = /^(set|write|move|delete|restore|create|revoke)_/;
  const comments = /^(add|reply|resolve)_comment$/;
  assert.deepEqual(
    await toolsOf({ access: 'read' }),
    all.filter((name) => !changes.test(name) && !comments.test(name)),
  );
  assert.deepEqual(
    await toolsOf({ access: 'comment', path: 'notes' }),
    all.filter((name) => !changes.test(name)),
  );
  assert.deepEqual(
    await toolsOf({ path: 'notes' }),
    all.filter((name) => !name.startsWith('set_workspace')),
  );
  const wide = await createKey(ada, { access: 'read' });
  const mcp = openMcp(server, wide);
  const listed = (await mcp.list()).map((tool) => textAt(tool, 'name'));
  assert.ok(listed.includes('list_workspaces') && !listed.includes('create_workspace'));
  await assertHardError(mcp, 'create_workspace', { name: 'More' }, new RegExp(`^${onlyReads}`));
  const written = { workspaceId: workspace.id, path: '../x', content: 'x' };
  await assertHardError(mcp, 'write_file', written, new RegExp(`^${onlyReads}`));
});

test(
  ...claims('keys.narrow-outside', 'over MCP a write outside of the path gets an error that names the path'),
  async () => {
    const { workspace } = await filled();
    const of = async (path: string) =>
      openMcp(server, (await keyFor(workspace, { path })).secret, { toolSet: 'extended' });
    const notes = await of('notes');
    const outside = /^This key reaches notes\/ only: nothing can be written outside it\.$/;
    // Existing, missing, above the path, and with a similar name.
    for (const path of ['secret/b.md', 'secret/none.md', 'secret', 'notes.md', 'notes2/a.md']) {
      const calls: readonly (readonly [string, JsonRecord])[] = [
        ['write_file', { path, content: 'x' }],
        ['append_file', { path, content: 'x' }],
        ['edit_file', { path, edits: [{ oldText: 'a', newText: 'b' }] }],
        ['move_file', { from: 'notes/a.md', to: path }],
        ['move_file', { from: path, to: 'notes/c.md' }],
        ['delete_file', { path, baseVersion: 1 }],
        ['restore_file', { path, targetVersion: 1 }],
        ['set_file_icon', { path, icon: 'x' }],
        ['set_private', { path }],
        ['create_share', { path, kind: 'file' }],
        ['add_comment', { path, quote: 'x', body: 'x' }],
        ['resolve_conflict', { path }],
      ];
      for (const [tool, given] of calls) await assertHardError(notes, tool, given, outside);
    }
    await assertHardError(notes, 'read_file', { path: 'secret/b.md' }, /^File not found/);
    await assertHardError(notes, 'write_file', { path: '../x', content: 'x' }, /^Invalid path/);
    const file = await of('notes/a.md');
    const says = /^This key reaches notes\/a\.md only: /;
    await assertHardError(file, 'write_file', { path: 'notes/b.md', content: 'x' }, says);
    assert.match(await textOf(notes, 'catch_up'), / This key reaches notes\/ only\.$/m);
    assert.match((await notes.call('get_usage')).text, /^This key reaches notes\/ only: /m);
  },
);

test(...claims('keys.narrow-own', 'a program can read the limits of its key'), async () => {
  const { client } = await createKey(ada, { workspaceId: home.id, access: 'comment', path: 'notes' });
  assertJson(await client.send('GET', '/api/workspace'), 200, {
    id: home.id,
    name: 'Workspace',
    key: { access: 'comment', path: 'notes' },
  });
  const plain = await createKey(ada, { workspaceId: home.id });
  assertJson(await plain.client.send('GET', '/api/workspace'), 200, { id: home.id, name: 'Workspace' });
});

test(...claims('keys.narrow-never-wider', 'a key cannot make another key or admit a user'), async () => {
  for (const options of [{}, { access: 'read' as const }, { path: 'notes' }]) {
    const { client } = await createKey(ada, { workspaceId: home.id, ...options });
    assert.equal((await client.send('POST', '/api/keys', { json: {} })).status, 403);
    assert.equal((await client.send('POST', '/api/invites', { json: { workspaceId: home.id } })).status, 403);
    const approval = { userCode: 'BCDF-GHJK', workspaceId: home.id };
    assert.equal((await client.send('POST', '/api/device/approve', { json: approval })).status, 403);
  }
});
