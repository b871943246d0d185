import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMcp } from '../support/mcp-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { useTarget } from '../support/target.ts';
import { assertHardError, dataOf, textOf } from '../support/tool-result.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server);
const key = await createKey(ada);

async function openWorkspace() {
  const workspace = await createWorkspace(ada, key.client);
  return { workspace, mcp: openMcp(server, key, { workspaceId: workspace.id }) };
}

const bad = ['..', '../a.md', 'a/../b.md', 'a/..', 'a\\b.md', '\\', 'a\0.md', '\0', '', '/', '.', './/.'];

/** Every tool argument that is a path, with the other arguments of the tool. */
const locations = [
  ['read_file', 'path', {}],
  ['write_file', 'path', { content: 'x' }],
  ['move_file', 'from', { to: 'b.md' }],
  ['move_file', 'to', { from: 'a.md' }],
  ['delete_file', 'path', { baseVersion: 1 }],
  ['set_file_icon', 'path', { icon: 'x' }],
  ['set_private', 'path', {}],
  ['read_file_version', 'path', { version: 1 }],
  ['restore_file', 'path', { targetVersion: 1 }],
  ['create_share', 'path', { kind: 'file' }],
  ['list_shares', 'path', {}],
  ['list_comments', 'path', {}],
  ['add_comment', 'path', { body: 'x', quote: 'one' }],
] as const;

test(
  ...claims(
    ['mcp.paths.refused', 'mcp.paths.every-tool'],
    'every tool rejects a bad path with the same first words',
  ),
  async () => {
    const { workspace, mcp } = await openWorkspace();
    await workspace.put('a.md', 'one');
    for (const [tool, name, rest] of locations) {
      for (const path of bad) {
        await assertHardError(mcp, tool, { ...rest, [name]: path }, /^Invalid path: \S/);
      }
    }
    assert.equal((await workspace.changes()).length, 1);
  },
);

test(
  ...claims(
    ['mcp.paths.ignored', 'mcp.paths.every-tool'],
    'every tool ignores a leading slash and . segments',
  ),
  async () => {
    const { workspace, mcp } = await openWorkspace();
    let form = 0;
    const forms = ['/a/b.md', './a/b.md', 'a/./b.md', '//a//b.md', '/./a/b.md'];
    const next = () => {
      form += 1;
      return forms[form % forms.length];
    };
    await dataOf(mcp, 'write_file', { path: next(), content: 'one' });
    for (const path of forms) {
      assert.equal((await dataOf(mcp, 'read_file', { path })).content, 'one');
      assert.equal((await dataOf(mcp, 'read_file_version', { path, version: 1 })).content, 'one');
    }
    assert.deepEqual(await dataOf(mcp, 'restore_file', { path: next(), targetVersion: 1 }), {
      status: 'ok',
      version: 2,
      restoredFrom: 1,
    });
    assert.equal((await dataOf(mcp, 'create_share', { path: next(), kind: 'file' })).path, 'a/b.md');
    const { shares } = await dataOf(mcp, 'list_shares', { path: next() });
    assert.ok(Array.isArray(shares) && shares.length === 1);
    const { thread } = await dataOf(mcp, 'add_comment', { path: next(), body: 'x', quote: 'one' });
    assert.equal(Object(thread).path, 'a/b.md');
    assert.equal((await dataOf(mcp, 'list_comments', { path: next() })).total, 1);
    await textOf(mcp, 'set_file_icon', { path: next(), icon: 'star' });
    await textOf(mcp, 'set_private', { path: next(), kind: 'file' });
    await textOf(mcp, 'move_file', { from: next(), to: './c//d.md' });
    assert.equal(await textOf(mcp, 'list_files', { prefix: '/./c/' }), 'c/d.md\tv1 3 bytes');
    await textOf(mcp, 'delete_file', { path: '/c/./d.md', baseVersion: 1 });
    assert.equal(await textOf(mcp, 'list_files'), '(no files)');
    assert.equal((await workspace.get('c/d.md')).status, 404);
  },
);

test(
  ...claims('mcp.paths.prefix', 'a prefix is rejected for the same reasons, but may be empty'),
  async () => {
    const { workspace, mcp } = await openWorkspace();
    await workspace.put('a/b.md', 'one');
    for (const prefix of ['..', 'a/..', '../a', 'a\\', '\0', 'a\n', 'x'.repeat(1025)]) {
      await assertHardError(mcp, 'list_files', { prefix }, /^Invalid path: \S/);
    }
    for (const prefix of ['', '/', '.', 'a', 'a/', '/a', './a/']) {
      assert.equal(await textOf(mcp, 'list_files', { prefix }), 'a/b.md\tv1 3 bytes');
    }
  },
);

test(...claims('mcp.paths.dots', 'dots inside a name are a name'), async () => {
  const { mcp } = await openWorkspace();
  for (const path of ['a..b', '...', '..a', 'a..', '.hidden', 'a/..b/c...md']) {
    assert.deepEqual(await dataOf(mcp, 'write_file', { path, content: path }), { ok: true, version: 1 });
    assert.equal((await dataOf(mcp, 'read_file', { path })).content, path);
  }
});

test(...claims('mcp.paths.as-rest', 'tools accept and reject the same paths as REST'), async () => {
  const { workspace, mcp } = await openWorkspace();
  const rejected = {
    'a\u0001.md': /control/,
    'a\u007f.md': /control/,
    'a\u0085.md': /control/,
    'a\ud800.md': /surrogate/,
    ['x'.repeat(256)]: /255 bytes/,
    [`${'é'.repeat(127)}xx`]: /255 bytes/,
    [`${'a/'.repeat(512)}b`]: /1024 characters/,
  };
  for (const [path, reason] of Object.entries(rejected)) {
    const text = await assertHardError(mcp, 'write_file', { path, content: 'x' }, /^Invalid path: /);
    assert.match(text, reason);
  }
  for (const path of ['x'.repeat(255), `${'é'.repeat(127)}x`, `${'a/'.repeat(511)}bb`, 'a b%2F?#:*.md']) {
    await dataOf(mcp, 'write_file', { path, content: path });
    assert.equal((await workspace.get(path)).bytes.toString(), path);
  }
  await dataOf(mcp, 'write_file', { path: 'cafe\u0301.md', content: 'x' });
  assert.equal((await workspace.get('caf\u00e9.md')).status, 200);
});
