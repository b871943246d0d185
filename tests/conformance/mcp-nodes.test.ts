import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFile, assertStatus, feedLines, listedPaths } from '../support/expect.ts';
import { join } from '../support/invites.ts';
import { joinWorkspace } from '../support/join-workspace.ts';
import { type McpClient, openMcp } from '../support/mcp-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { jsonOf } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { toolArguments } from '../support/tool-arguments.ts';
import { assertHardError, dataOf, textOf } from '../support/tool-result.ts';
import { signUpTwo } from '../support/two-people.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const { ada, openWorkspace, openShared } = await signUpTwo(server);

const longest = `${'a/'.repeat(511)}bb`;
const iconsOf = async (workspace: WorkspaceClient) => jsonOf(await workspace.query('list')).icons;
const privatePathsOf = async (workspace: WorkspaceClient) =>
  jsonOf(await workspace.query('list')).privatePaths;

test(...claims('mcp.set-file-icon', 'files and folders have icons'), async () => {
  const { workspace, mcp } = await openWorkspace();
  await workspace.put('docs/a.md', 'a');
  const text = await textOf(mcp, 'set_file_icon', { path: 'docs', icon: '📚' });
  assert.match(text, /\bdocs\b.*📚/u);
  await textOf(mcp, 'set_file_icon', { path: 'docs/a.md', icon: 'star' });
  assert.deepEqual(await iconsOf(workspace), { docs: '📚', 'docs/a.md': 'star' });
  await textOf(mcp, 'set_file_icon', { path: 'docs/a.md', icon: '🦉' });
  assert.deepEqual(await iconsOf(workspace), { docs: '📚', 'docs/a.md': '🦉' });
  await textOf(mcp, 'move_file', { from: 'docs/a.md', to: 'docs/b.md' });
  assert.deepEqual(await iconsOf(workspace), { docs: '📚', 'docs/b.md': '🦉' });
  await assertFile(workspace, 'docs/b.md', 'a', 1);
});

test(...claims('mcp.set-file-icon.clears', 'an icon goes when none is given'), async () => {
  const { workspace, mcp } = await openWorkspace();
  await workspace.put('docs/a.md', 'a');
  const { required } = await toolArguments(mcp, 'set_file_icon');
  assert.deepEqual(required, ['path']);
  for (const path of ['docs', 'docs/a.md']) {
    for (const none of [{ icon: '' }, {}, { icon: null }]) {
      await textOf(mcp, 'set_file_icon', { path, icon: 'star' });
      assert.deepEqual(await iconsOf(workspace), { [path]: 'star' });
      assert.ok((await textOf(mcp, 'set_file_icon', { path, ...none })).includes(path));
      assert.deepEqual(await iconsOf(workspace), {});
    }
  }
});

test(...claims('mcp.set-file-icon.limits', 'an icon is short, and a path is bounded'), async () => {
  const { workspace, mcp } = await openWorkspace();
  assert.equal(longest.length, 1024);
  await workspace.put(longest, 'a');
  for (const icon of ['x'.repeat(64), '🦉'.repeat(64)]) {
    await textOf(mcp, 'set_file_icon', { path: longest, icon });
    assert.deepEqual(await iconsOf(workspace), { [longest]: icon });
  }
  for (const icon of ['x'.repeat(65), '🦉'.repeat(65), 'x'.repeat(100_000), 'a\nb', '\ud83e']) {
    await assertHardError(mcp, 'set_file_icon', { path: longest, icon }, /^icon: must /);
  }
  assert.match((await mcp.call('set_file_icon', { path: longest, icon: 'x'.repeat(65) })).text, /\b64\b/);
  const tooLong = { path: `${longest}b`, icon: 'star' };
  await assertHardError(mcp, 'set_file_icon', tooLong, /^Invalid path: .*\b1024 characters/);
  assert.deepEqual(await iconsOf(workspace), { [longest]: '🦉'.repeat(64) });
});

test(...claims('mcp.set-file-icon.nothing', 'a missing or hidden path has no icon'), async () => {
  const { adas, adasMcp, bens, bensMcp } = await openShared();
  await adas.put('docs/a.md', 'a');
  await adas.put('mine/a.md', 'a');
  await adas.put('team/secret/a.md', 'a');
  await adas.put('gone/a.md', 'a');
  await adas.remove('gone/a.md', 1);
  await textOf(adasMcp, 'set_file_icon', { path: 'mine', icon: 'lock' });
  for (const path of ['mine', 'team/secret', 'empty']) await textOf(adasMcp, 'set_private', { path });
  const missing = { path: 'none', icon: 'star' };
  const says = await assertHardError(bensMcp, 'set_file_icon', missing, /^File not found/);
  for (const icon of ['star', '']) {
    for (const path of ['doc', 'docs/a.md/b', 'mine', 'mine/b.md', 'team', 'empty']) {
      assert.equal(await assertHardError(bensMcp, 'set_file_icon', { path, icon }, /./), says, path);
    }
    for (const path of ['gone', 'gone/a.md'])
      await assertHardError(bensMcp, 'set_file_icon', { path, icon }, /deleted.* \(version 1\)/);
    for (const path of ['mine/a.md', 'team/secret/a.md']) {
      const meant = /^File not found: did you mean docs\/a\.md\?$/;
      await assertHardError(bensMcp, 'set_file_icon', { path, icon }, meant);
    }
  }
  await assertHardError(adasMcp, 'set_file_icon', missing, /^File not found/);
  assert.deepEqual(await iconsOf(adas), { mine: 'lock' });
  assert.deepEqual(await iconsOf(bens), {});
});

test(...claims('mcp.set-private', 'a private path is hidden from others with all below it'), async () => {
  const { adas, adasMcp, bens, bensMcp } = await openShared();
  for (const path of ['a.md', 'f/b.md', 'f/deep/c.md', 'shared.md']) await adas.put(path, path);
  assert.match(await textOf(adasMcp, 'set_private', { path: 'a.md', kind: 'file' }), /\ba\.md\b.*private/);
  assert.match(await textOf(adasMcp, 'set_private', { path: 'f', kind: 'folder' }), /\bf\b.*private/);
  await adas.put('f/deep/later.md', 'later');
  assert.equal(await textOf(bensMcp, 'list_files'), 'shared.md\tv1 9 bytes');
  assert.deepEqual(await listedPaths(bens), ['shared.md']);
  for (const path of ['a.md', 'f/b.md', 'f/deep/c.md', 'f/deep/later.md']) {
    await assertHardError(bensMcp, 'read_file', { path }, /^File not found/);
    await dataOf(adasMcp, 'read_file', { path });
  }
  // The path is private to the person, whichever of their keys acts.
  const scoped = await createKey(ada, { actorType: 'human', workspaceId: adas.id });
  await dataOf(openMcp(server, scoped), 'read_file', { path: 'f/b.md' });
  assert.deepEqual([await privatePathsOf(adas), await privatePathsOf(bens)], [['a.md', 'f'], []]);

  const shared = await textOf(adasMcp, 'set_private', { path: 'f', private: false });
  assert.match(shared, /\bf\b.*shared/);
  await assertFile(bens, 'f/deep/later.md', 'later', 1);
  await assertHardError(bensMcp, 'read_file', { path: 'a.md' }, /^File not found/);
});

test(...claims('mcp.set-private.defaults', 'set_private makes a folder private by default'), async () => {
  const { adas, adasMcp, bens } = await openShared();
  assert.deepEqual(await toolArguments(adasMcp, 'set_private'), {
    all: ['path', 'kind', 'private'],
    required: ['path'],
  });
  for (const path of ['a.md', 'f/b.md', 'g/c.md']) await adas.put(path, path);
  await textOf(adasMcp, 'set_private', { path: 'f' });
  await textOf(adasMcp, 'set_private', { path: 'g', kind: null, private: null });
  assert.deepEqual(await listedPaths(bens), ['a.md']);
  await assertHardError(adasMcp, 'set_private', { path: 'a.md' }, /"a\.md" is a file.*kind "file"/);
  const isFolder = /^"f" is a folder of 1 file\. Next: say kind "folder"\.$/;
  await assertHardError(adasMcp, 'set_private', { path: 'f', kind: 'file' }, isFolder);
  assert.deepEqual(await listedPaths(bens), ['a.md']);
  await textOf(adasMcp, 'set_private', { path: 'a.md', kind: 'file' });
  assert.deepEqual(await listedPaths(bens), []);
  await textOf(adasMcp, 'set_private', { path: 'f', private: false });
  assert.deepEqual(await listedPaths(bens), ['f/b.md']);
  await textOf(adasMcp, 'set_private', { path: 'later' });
  await adas.put('later/d.md', 'd');
  assert.deepEqual(await listedPaths(bens), ['f/b.md']);
});

test(...claims('mcp.set-private.owner', 'other members cannot share it again in any role'), async () => {
  const { adas, adasMcp, bens, bensMcp } = await openShared();
  for (const [owner, ownersMcp, others, othersMcp] of [
    [adas, adasMcp, bens, bensMcp],
    [bens, bensMcp, adas, adasMcp],
  ] as const) {
    await owner.put('a.md', 'a');
    await textOf(ownersMcp, 'set_private', { path: 'f' });
    await textOf(ownersMcp, 'set_private', { path: 'a.md', kind: 'file' });
    await owner.put('f/deep/b.md', 'b');
    const missing = { path: 'none.md', kind: 'file', private: false };
    const says = await assertHardError(othersMcp, 'set_private', missing, /^File not found/);
    for (const isPrivate of [false, true]) {
      for (const given of [
        { path: 'a.md', kind: 'file' },
        { path: 'a.md', kind: 'folder' },
        { path: 'f' },
        { path: 'f', kind: 'file' },
        { path: 'f/deep' },
        { path: 'f/none' },
        { path: 'f/deep/b.md', kind: 'file' },
      ]) {
        const tried = { ...given, private: isPrivate };
        assert.equal(await assertHardError(othersMcp, 'set_private', tried, /./), says, given.path);
      }
    }
    assert.deepEqual(await listedPaths(others), []);
    assert.deepEqual(await privatePathsOf(owner), ['a.md', 'f']);
    await textOf(ownersMcp, 'set_private', { path: 'f', private: false });
    await textOf(ownersMcp, 'set_private', { path: 'a.md', kind: 'file', private: false });
    assert.deepEqual(await listedPaths(others), ['a.md', 'f/deep/b.md']);
    for (const path of ['a.md', 'f/deep/b.md']) assertStatus(await owner.remove(path, 1), 204);
  }
});

test(...claims('mcp.set-private.path', 'a private path is bounded'), async () => {
  const { adas, adasMcp, bens } = await openShared();
  await adas.put(longest, 'a');
  await textOf(adasMcp, 'set_private', { path: longest, kind: 'file' });
  assert.deepEqual(await privatePathsOf(adas), [longest]);
  for (const given of [{}, { kind: 'file' }, { private: false }]) {
    const tooLong = { path: `${longest}b`, ...given };
    await assertHardError(adasMcp, 'set_private', tooLong, /^Invalid path: .*\b1024 characters/);
  }
  assert.deepEqual(await privatePathsOf(adas), [longest]);
  assert.deepEqual(await listedPaths(bens), []);
});

test(
  ...claims('mcp.set-private.feed', 'other members learn when they lose a path and when they get it back'),
  async () => {
    const { adas, adasMcp, bens } = await openShared();
    const cleo = await signUp(server, 'Cleo');
    await join(ada, cleo, adas.id);
    const cleos = adas.as(cleo.session);
    await adas.put('f/a.md', 'a');
    await textOf(adasMcp, 'set_private', { path: 'f' });
    await textOf(adasMcp, 'set_private', { path: 'f' });
    for (const others of [bens, cleos]) assert.deepEqual(await feedLines(others), ['access_revoked f null']);
    assert.deepEqual(await feedLines(adas), ['write f/a.md 1']);
    await textOf(adasMcp, 'set_private', { path: 'f', private: false });
    await textOf(adasMcp, 'set_private', { path: 'f', private: false });
    for (const others of [bens, cleos]) {
      assert.deepEqual(
        (await feedLines(others)).filter((line) => line.startsWith('access_')),
        ['access_revoked f null', 'access_granted f null'],
      );
    }
    assert.deepEqual(await feedLines(adas), ['write f/a.md 1']);
  },
);

test(
  ...claims(
    ['mcp.set-private.others', 'mcp.set-private.kind'],
    'in the extended set the files of others are hidden only by a call that says so',
  ),
  async () => {
    const ben = await signUp(server, 'Ben');
    const [adas, bens] = [await createKey(ada), await createKey(ben)];
    const workspace = await createWorkspace(ada, adas.client);
    await joinWorkspace(workspace, ada, ben);
    const open = (key: { readonly secret: string }) =>
      openMcp(server, key, { workspaceId: workspace.id, toolSet: 'extended' });
    const [hers, his] = [open(adas), open(bens)];
    const write = (mcp: McpClient, path: string) => dataOf(mcp, 'write_file', { path, content: path });
    for (const path of ['book/a.md', 'book/b.md', 'plan.md']) await write(hers, path);
    for (const path of ['book/own.md', 'own.md']) await write(his, path);
    await textOf(his, 'set_private', { path: 'hidden' });
    const others = (wouldHide: number) => ({ ok: false, wouldHide });
    assert.deepEqual(await dataOf(his, 'set_private', { path: 'book' }), others(2));
    assert.deepEqual(await dataOf(his, 'set_private', { path: 'plan.md' }), others(1));
    // A move to a private folder does not hide them. A move within view does not make them the caller's.
    assert.deepEqual(await dataOf(his, 'move_file', { from: 'plan.md', to: 'hidden/plan.md' }), others(1));
    assert.deepEqual(await dataOf(his, 'move_file', { from: 'book', to: 'hidden/book' }), others(2));
    await textOf(his, 'move_file', { from: 'book', to: 'moved' });
    assert.deepEqual(await dataOf(his, 'set_private', { path: 'moved' }), others(2));
    for (const path of ['moved/a.md', 'plan.md']) assertStatus(await workspace.get(path), 200);
    // He can hide his own files as before, and others' on request. Hers belong to both of her keys.
    assert.match(await textOf(his, 'set_private', { path: 'own.md' }), /^The file own\.md is private now/);
    assert.match(await textOf(his, 'set_private', { path: 'own.mdd' }), /^Nothing is at own\.mdd yet: /);
    await textOf(his, 'move_file', { from: 'moved/own.md', to: 'hidden/own.md' });
    await textOf(open(await createKey(ada)), 'set_private', { path: 'plan.md' });
    await textOf(his, 'set_private', { path: 'moved', others: true });
    assertStatus(await workspace.get('moved/a.md'), 404);
    assert.match(
      await textOf(his, 'set_private', { path: 'moved', private: false }),
      /^The folder moved is shared/,
    );
    await textOf(his, 'move_file', { from: 'moved', to: 'hidden/moved', others: true });
    assertStatus(await workspace.get('hidden/moved/a.md'), 404);
  },
);
