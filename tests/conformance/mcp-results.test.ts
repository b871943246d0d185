import assert from 'node:assert/strict';
import { test } from 'node:test';
import { join } from '../support/invites.ts';
import { openMcp } from '../support/mcp-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { textAt } from '../support/response.ts';
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

/** Valid arguments for every tool of a workspace that has any. */
const right: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  set_workspace: { name: 'n', icon: 'i', color: 'blue', theme: 'dark' },
  set_workspace_image_icon: { content: 'AAAA' },
  list_files: { prefix: 'a', limit: 1, offset: 0 },
  search_files: { query: 'a', limit: 1 },
  read_file: { path: 'a.md', encoding: 'utf8', maxBytes: 4, offset: 0 },
  write_file: { path: 'a.md', content: 'x', baseVersion: 1, encoding: 'utf8' },
  move_file: { from: 'a.md', to: 'b.md' },
  delete_file: { path: 'a.md', baseVersion: 1 },
  set_file_icon: { path: 'a.md', icon: 'x' },
  set_private: { path: 'a.md', kind: 'file', private: true },
  read_file_version: { path: 'a.md', version: 1, encoding: 'utf8' },
  restore_file: { path: 'a.md', targetVersion: 1 },
  create_share: { path: 'a.md', kind: 'file', access: 'member' },
  list_shares: { path: 'a.md' },
  revoke_share: { shareId: 's' },
  list_comments: {
    path: 'a.md',
    threadId: 't',
    status: 'open',
    anchorStatus: 'anchored',
    author: 'a',
    limit: 1,
    offset: 0,
    entriesLimit: 1,
    entriesOffset: 0,
  },
  add_comment: {
    path: 'a.md',
    body: 'b',
    quote: 'q',
    contextBefore: 'b',
    contextAfter: 'a',
    occurrence: 1,
    kind: 'range',
    baseVersion: 1,
  },
  reply_comment: { threadId: 't', body: 'b', dedupeKey: 'd' },
  resolve_comment: { threadId: 't', resolved: true },
};

const required: Readonly<Record<string, readonly string[]>> = {
  set_workspace_image_icon: ['content'],
  search_files: ['query'],
  read_file: ['path'],
  write_file: ['path', 'content'],
  move_file: ['from', 'to'],
  delete_file: ['path', 'baseVersion'],
  set_file_icon: ['path'],
  set_private: ['path'],
  read_file_version: ['path', 'version'],
  restore_file: ['path', 'targetVersion'],
  create_share: ['path', 'kind'],
  list_shares: ['path'],
  revoke_share: ['shareId'],
  add_comment: ['path', 'body'],
  reply_comment: ['threadId', 'body'],
  resolve_comment: ['threadId', 'resolved'],
};

test(...claims('mcp.results.malformed', 'an argument of a wrong type is named by every tool'), async () => {
  const { mcp, workspace } = await openWorkspace();
  for (const [tool, given] of Object.entries(right)) {
    for (const [name, value] of Object.entries(given)) {
      const wrong: readonly unknown[] =
        typeof value === 'number'
          ? ['one', 1.5, -1, true]
          : typeof value === 'string'
            ? [7, ['x'], {}]
            : ['yes', 1];
      for (const each of wrong) {
        await assertHardError(mcp, tool, { ...given, [name]: each }, new RegExp(`\\b${name}: must be`));
      }
    }
  }
  assert.deepEqual(await workspace.changes(), []);
});

test(...claims('mcp.results.malformed', 'an unknown choice is rejected with the valid ones'), async () => {
  const { mcp } = await openWorkspace();
  for (const [tool, name, choices] of [
    ['set_workspace', 'color', ['blue', 'violet', 'emerald', 'amber', 'rose', 'cyan', 'slate', 'neutral']],
    [
      'set_workspace',
      'theme',
      ['light', 'dark', 'dracula', 'nord', 'solarized-light', 'rose-pine', 'service'],
    ],
    ['read_file', 'encoding', ['utf8', 'base64']],
    ['read_file_version', 'encoding', ['utf8', 'base64']],
    ['write_file', 'encoding', ['utf8', 'base64']],
    ['set_private', 'kind', ['file', 'folder']],
    ['create_share', 'kind', ['file', 'folder']],
    ['create_share', 'access', ['member']],
    ['list_comments', 'status', ['open', 'resolved']],
    ['list_comments', 'anchorStatus', ['anchored', 'ambiguous', 'outdated']],
    ['add_comment', 'kind', ['range', 'point']],
  ] as const) {
    const text = await assertHardError(
      mcp,
      tool,
      { ...right[tool], [name]: 'none' },
      new RegExp(`^${name}: `),
    );
    for (const choice of choices) assert.ok(text.includes(choice), `${tool}: ${text}`);
  }
});

test(...claims('mcp.results.malformed', 'arguments that are not an object are rejected'), async () => {
  const { mcp } = await openWorkspace();
  for (const wrong of [[], 'x', 7]) {
    const message = await mcp.ask('tools/call', { name: 'get_usage', arguments: wrong });
    assert.ok('error' in message || JSON.stringify(message.result).includes('"isError":true'), `${wrong}`);
  }
});

test(...claims('mcp.results.required', 'a missing argument is named'), async () => {
  const { mcp } = await openWorkspace();
  for (const [tool, names] of Object.entries(required)) {
    for (const name of names) {
      const { [name]: _, ...rest } = right[tool] ?? {};
      const says = new RegExp(`\\b${name} is missing: it must be`);
      await assertHardError(mcp, tool, rest, says);
      await assertHardError(mcp, tool, { ...rest, [name]: null }, says);
    }
  }
});

test(...claims('mcp.results.nulls', 'null counts as omitted'), async () => {
  const { mcp, workspace } = await openWorkspace();
  await workspace.put('a.md', 'one');
  const nulls = (tool: string) =>
    Object.fromEntries(
      Object.keys(right[tool] ?? {})
        .filter((name) => !(required[tool] ?? []).includes(name))
        .map((name) => [name, null]),
    );
  const same = async (tool: string, given: Readonly<Record<string, unknown>>) =>
    assert.deepEqual(await mcp.call(tool, { ...nulls(tool), ...given }), await mcp.call(tool, given), tool);
  await same('list_files', {});
  await same('search_files', { query: 'a' });
  await same('read_file', { path: 'a.md' });
  await same('read_file_version', { path: 'a.md', version: 1 });
  await same('list_comments', {});
  await same('set_workspace', {});
  await dataOf(mcp, 'write_file', { ...nulls('write_file'), path: 'new.md', content: 'x' });
  await textOf(mcp, 'set_file_icon', { ...nulls('set_file_icon'), path: 'a.md' });
  await textOf(mcp, 'set_private', { ...nulls('set_private'), path: 'folder' });
  await dataOf(mcp, 'create_share', { ...nulls('create_share'), path: 'a.md', kind: 'file' });
  const given = { path: 'a.md', body: 'Why?', quote: 'one' };
  const { thread } = await dataOf(mcp, 'add_comment', { ...nulls('add_comment'), ...given });
  const threadId = textAt(Object(thread), 'id');
  await dataOf(mcp, 'reply_comment', { ...nulls('reply_comment'), threadId, body: 'x' });
});

test(
  ...claims(
    ['mcp.results.both', 'mcp.results.text-says-all', 'mcp.results.text-only'],
    'sixteen tools return text and data, six return text alone',
  ),
  async () => {
    const { mcp, workspace } = await openWorkspace();
    await workspace.put('a.md', 'one');
    await workspace.put('b.md', 'two');
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').toString('base64');
    const share = await dataOf(mcp, 'create_share', { path: 'a.md', kind: 'file' });
    const { thread } = await dataOf(mcp, 'add_comment', { path: 'a.md', body: 'Why?', quote: 'one' });
    const threadId = textAt(Object(thread), 'id');
    for (const [tool, given] of [
      ['list_workspaces', {}],
      ['create_workspace', { name: 'Another' }],
      ['set_workspace', { name: 'Renamed', icon: 'I', color: 'rose', theme: 'nord' }],
      ['set_workspace_image_icon', { content: png }],
      ['get_usage', {}],
      ['search_files', { query: 'a' }],
      ['read_file', { path: 'a.md' }],
      ['write_file', { path: 'a.md', content: 'x', baseVersion: 1 }],
      ['read_file_version', { path: 'a.md', version: 1 }],
      ['restore_file', { path: 'a.md', targetVersion: 1 }],
      ['list_shares', { path: 'a.md' }],
      ['list_comments', {}],
      ['reply_comment', { threadId, body: 'Because.' }],
      ['resolve_comment', { threadId, resolved: true }],
    ] as const) {
      assert.ok(Object.keys(await dataOf(mcp, tool, given)).length > 0, tool);
    }
    for (const [tool, given, says] of [
      ['list_files', {}, /^a\.md\tv3 3 bytes$/m],
      ['move_file', { from: 'b.md', to: 'c.md' }, /b\.md.*c\.md.*\b1\b/],
      ['set_file_icon', { path: 'c.md', icon: 'star' }, /c\.md.*star/],
      ['set_private', { path: 'c.md', kind: 'file' }, /file c\.md.*private/],
      ['set_private', { path: 'c.md', kind: 'file', private: false }, /file c\.md.*shared/],
      ['delete_file', { path: 'c.md', baseVersion: 1 }, /c\.md/],
      ['revoke_share', { shareId: share.id }, new RegExp(textAt(share, 'id'))],
    ] as const) {
      assert.match(await textOf(mcp, tool, given), says, tool);
    }
  },
);

test(
  ...claims(
    ['mcp.results.hard-error', 'mcp.results.next-step'],
    'a hard error says what is wrong and what to do',
  ),
  async () => {
    const { mcp, workspace } = await openWorkspace();
    await workspace.put('a.md', 'one');
    await workspace.put('a.txt', 'one');
    await workspace.put('b.md', 'two');
    for (const [tool, given, says] of [
      ['read_file', { path: 'none.md' }, /^File not found.*list_files/],
      ['delete_file', { path: 'a.md', baseVersion: 7 }, /version 1\b.*baseVersion 1\b/],
      ['read_file_version', { path: 'a.md', version: 7 }, /^Version not found.*read_file/],
      ['move_file', { from: 'a.md', to: 'b.md' }, /destination already exists.*another path/],
      ['write_file', { path: 'a.md/below.md', content: 'x' }, /"a\.md" is a file.*list_files/],
      ['write_file', { path: 'a.md', content: '\ud800' }, /^content: /],
      ['create_share', { path: 'a.md', kind: 'file', access: 'public' }, /person signed in to the web app/],
      ['add_comment', { path: 'a.txt', body: 'x', quote: 'one' }, /markdown.*\.md/],
      ['reply_comment', { threadId: 'none', body: 'x' }, /thread not found.*list_comments/],
      ['revoke_share', { shareId: 'none' }, /link not found.*list_shares/],
    ] as const) {
      await assertHardError(mcp, tool, given, says);
    }
  },
);

test(
  ...claims('mcp.results.not-found', "another member's private items look like missing ones, in every tool"),
  async () => {
    const { mcp, workspace } = await openWorkspace();
    const ben = await signUp(server, 'Ben');
    await join(ada, ben, workspace.id);
    const bens = openMcp(server, await createKey(ben), { workspaceId: workspace.id });
    await workspace.put('mine/a.md', 'one');
    await workspace.put('bens.md', 'one');
    const { thread } = await dataOf(mcp, 'add_comment', { path: 'mine/a.md', body: 'x', quote: 'one' });
    const threadId = textAt(Object(thread), 'id');
    await textOf(mcp, 'set_private', { path: 'mine' });
    for (const [tool, hidden, absent] of [
      ['read_file', { path: 'mine/a.md' }, { path: 'none/a.md' }],
      ['write_file', { path: 'mine/a.md', content: 'x', baseVersion: 1 }, null],
      ['write_file', { path: 'mine/new.md', content: 'x' }, null],
      ['move_file', { from: 'mine/a.md', to: 'x.md' }, { from: 'none/a.md', to: 'x.md' }],
      ['move_file', { from: 'bens.md', to: 'mine/a.md' }, null],
      ['delete_file', { path: 'mine/a.md', baseVersion: 1 }, { path: 'none/a.md', baseVersion: 1 }],
      ['set_file_icon', { path: 'mine/a.md', icon: 'x' }, { path: 'none/a.md', icon: 'x' }],
      ['set_file_icon', { path: 'mine', icon: 'x' }, { path: 'none', icon: 'x' }],
      ['set_private', { path: 'mine/a.md', kind: 'file' }, { path: 'none/a.md', kind: 'file' }],
      ['set_private', { path: 'mine', private: false }, { path: 'none', private: false }],
      ['read_file_version', { path: 'mine/a.md', version: 1 }, { path: 'none/a.md', version: 1 }],
      ['restore_file', { path: 'mine/a.md', targetVersion: 1 }, { path: 'none/a.md', targetVersion: 1 }],
      ['create_share', { path: 'mine/a.md', kind: 'file' }, { path: 'none/a.md', kind: 'file' }],
      ['create_share', { path: 'mine', kind: 'folder' }, { path: 'none', kind: 'folder' }],
      ['list_shares', { path: 'mine/a.md' }, { path: 'none/a.md' }],
      [
        'add_comment',
        { path: 'mine/a.md', body: 'x', quote: 'one' },
        { path: 'none/a.md', body: 'x', quote: 'one' },
      ],
      ['reply_comment', { threadId, body: 'x' }, { threadId: 'none', body: 'x' }],
      ['resolve_comment', { threadId, resolved: true }, { threadId: 'none', resolved: true }],
    ] as const) {
      const text = await assertHardError(bens, tool, hidden, /not found/);
      if (absent !== null) assert.equal(await assertHardError(bens, tool, absent, /not found/), text, tool);
    }
    assert.equal((await workspace.changes()).length, 2);
  },
);
