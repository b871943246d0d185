import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFile, feedLines, listedPaths } from '../support/expect.ts';
import { join } from '../support/invites.ts';
import { openMcp } from '../support/mcp-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { headerOf, type JsonRecord, textAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { assertHardError, dataOf, textOf } from '../support/tool-result.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server);
const key = await createKey(ada, { name: 'Claude Code' });
const written = (version: number) => ({ ok: true, version });

async function openWorkspace() {
  const workspace = await createWorkspace(ada, key.client);
  const mcp = openMcp(server, key, { workspaceId: workspace.id });
  return {
    workspace,
    mcp,
    write: (path: string, content: string, rest: Readonly<Record<string, unknown>> = {}) =>
      dataOf(mcp, 'write_file', { path, content, ...rest }),
  };
}

/** Asserts a version conflict whose content is kept. @returns the path of the copy. */
async function assertConflict(
  workspace: WorkspaceClient,
  response: JsonRecord,
  currentVersion: number,
  lost: string,
): Promise<string> {
  const copy = textAt(response, 'conflictCopyPath');
  assert.deepEqual(response, { ok: false, currentVersion, conflictCopyPath: copy });
  await assertFile(workspace, copy, lost, 1);
  return copy;
}

test(
  ...claims(
    ['mcp.write-file.rule-1', 'mcp.write-file.written', 'mcp.write-file.folders', 'mcp.write-file.feed'],
    'a new file is created at version 1, its folders with it',
  ),
  async () => {
    const { workspace, write } = await openWorkspace();
    assert.deepEqual(await write('a/b/c.md', 'one'), written(1));
    await assertFile(workspace, 'a/b/c.md', 'one', 1);
    assert.deepEqual(await listedPaths(workspace), ['a/b/c.md']);
    assert.deepEqual(await feedLines(workspace), ['write a/b/c.md 1']);
  },
);

test(...claims('mcp.write-file.rule-2', 'the same content again changes nothing'), async () => {
  const { workspace, write } = await openWorkspace();
  await write('a.md', 'one');
  await write('a.md', 'two', { baseVersion: 1 });
  assert.deepEqual(await write('a.md', 'two'), written(2));
  assert.deepEqual(await feedLines(workspace), ['write a.md 1', 'write a.md 2']);
});

test(
  ...claims(
    ['mcp.write-file.rule-3', 'mcp.write-file.conflict', 'mcp.results.recoverable', 'mcp.write-file.feed'],
    'other content without a base overwrites nothing and is kept as a copy',
  ),
  async () => {
    const { workspace, write } = await openWorkspace();
    await write('notes/a.md', 'one');
    const copy = await assertConflict(workspace, await write('notes/a.md', 'two'), 1, 'two');
    assert.match(copy, /^notes\/a \(conflicted copy .* Claude Code\)\.md$/);
    await assertFile(workspace, 'notes/a.md', 'one', 1);
    assert.deepEqual(await feedLines(workspace), ['write notes/a.md 1', `conflict ${copy} 1`]);
  },
);

test(
  ...claims(
    ['mcp.write-file.rule-4', 'mcp.write-file.written', 'mcp.write-file.feed'],
    'content for the current version is the next version',
  ),
  async () => {
    const { workspace, write } = await openWorkspace();
    await write('a.md', 'one');
    assert.deepEqual(await write('a.md', 'two', { baseVersion: 1 }), written(2));
    assert.deepEqual(await write('a.md', 'three', { baseVersion: 2 }), written(3));
    assert.deepEqual(await write('a.md', 'three', { baseVersion: 3 }), written(4));
    await assertFile(workspace, 'a.md', 'three', 4);
    const lines = [1, 2, 3, 4].map((version) => `write a.md ${version}`);
    assert.deepEqual(await feedLines(workspace), lines);
  },
);

test(
  ...claims('mcp.write-file.rule-5', 'a stale write of the current content succeeds without a change'),
  async () => {
    const { workspace, write } = await openWorkspace();
    await write('a.md', 'one');
    await write('a.md', 'two', { baseVersion: 1 });
    for (const baseVersion of [1, 7])
      assert.deepEqual(await write('a.md', 'two', { baseVersion }), written(2));
    assert.deepEqual(await listedPaths(workspace), ['a.md']);
    assert.equal((await workspace.changes()).length, 2);
  },
);

test(
  ...claims(
    ['mcp.write-file.rule-6', 'mcp.write-file.conflict', 'mcp.write-file.future'],
    'a stale write of other content is kept as a copy',
  ),
  async () => {
    const { workspace, write } = await openWorkspace();
    await write('a.md', 'one');
    await write('a.md', 'two', { baseVersion: 1 });
    const copy = await assertConflict(
      workspace,
      await write('a.md', 'three', { baseVersion: 1 }),
      2,
      'three',
    );
    const future = await assertConflict(
      workspace,
      await write('a.md', 'four', { baseVersion: 3 }),
      2,
      'four',
    );
    assert.notEqual(copy, future);
    await assertFile(workspace, 'a.md', 'two', 2);
    const lost = await write('a.md', 'merged', { baseVersion: 2 });
    assert.deepEqual(lost, written(3));
  },
);

test(
  ...claims('mcp.write-file.same-loser', 'a second lost write with the same content makes no second copy'),
  async () => {
    const { workspace, write } = await openWorkspace();
    await write('a.md', 'one');
    const first = await write('a.md', 'two');
    assert.deepEqual(await write('a.md', 'two'), first);
    assert.deepEqual(await write('a.md', 'two', { baseVersion: 9 }), first);
    assert.equal((await listedPaths(workspace)).length, 2);
  },
);

test(
  ...claims(
    ['mcp.write-file.rule-7', 'mcp.write-file.feed'],
    'a file deleted before the write comes back at version 1',
  ),
  async () => {
    const { workspace, mcp, write } = await openWorkspace();
    await write('a.md', 'one');
    await write('a.md', 'two', { baseVersion: 1 });
    await textOf(mcp, 'delete_file', { path: 'a.md', baseVersion: 2 });
    assert.deepEqual(await write('a.md', 'three', { baseVersion: 2 }), written(1));
    await assertFile(workspace, 'a.md', 'three', 1);
    assert.deepEqual(await write('never.md', 'x', { baseVersion: 5 }), written(1));
    assert.deepEqual((await feedLines(workspace)).slice(2), [
      'delete a.md 2',
      'write a.md 1',
      'write never.md 1',
    ]);
  },
);

test(...claims('mcp.write-file.type', 'the type is the one of the extension'), async () => {
  const { workspace, mcp, write } = await openWorkspace();
  for (const [path, type] of [
    ['a.md', 'text/markdown'],
    ['a.JSON', 'application/json'],
    ['a.svg', 'image/svg+xml'],
    ['a.jpeg', 'image/jpeg'],
    ['a.ts', 'text/typescript'],
    ['a.unknown', 'application/octet-stream'],
    ['a', 'application/octet-stream'],
  ] as const) {
    await write(path, 'x');
    assert.equal((await dataOf(mcp, 'read_file', { path })).contentType, type);
    assert.equal(headerOf(await workspace.get(path), 'content-type'), type);
  }
});

test(...claims('mcp.write-file.encoding', 'text and bytes arrive as they are'), async () => {
  const { workspace, write } = await openWorkspace();
  const text = 'Grüße 😀\r\n\u0000\u0001"\\\ufeff\u2028';
  await write('a.md', text);
  await assertFile(workspace, 'a.md', text, 1);
  await write('explicit.md', text, { encoding: 'utf8' });
  await assertFile(workspace, 'explicit.md', text, 1);
  await write('looks-like.md', 'QUJD');
  await assertFile(workspace, 'looks-like.md', 'QUJD', 1);
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  const base64 = bytes.toString('base64');
  await write('a.bin', base64, { encoding: 'base64' });
  await assertFile(workspace, 'a.bin', bytes, 1);
  await write('wrapped.bin', base64.replace(/.{76}/g, '$&\r\n'), { encoding: 'base64' });
  await assertFile(workspace, 'wrapped.bin', bytes, 1);
  await write('unpadded.bin', 'QQ', { encoding: 'base64' });
  await assertFile(workspace, 'unpadded.bin', 'A', 1);
  assert.deepEqual(await write('a.bin', base64, { encoding: 'base64' }), written(1));
});

test(...claims('mcp.write-file.encoding', 'large text and bytes arrive whole'), async () => {
  const { workspace, write } = await openWorkspace();
  const text = 'aé€😀'.repeat(600_000);
  await write('large.md', text);
  await assertFile(workspace, 'large.md', text, 1);
  const bytes = Buffer.alloc(7_000_001, 'large');
  await write('large.bin', bytes.toString('base64'), { encoding: 'base64' });
  await assertFile(workspace, 'large.bin', bytes, 1);
});

test(...claims('mcp.write-file.not-base64', 'invalid content is rejected as a whole'), async () => {
  const { workspace, mcp } = await openWorkspace();
  const large = 'A'.repeat(6_000_000);
  for (const content of ['A', 'not base64!', 'a-_a', 'QQ=Q', 'ÄÄÄÄ', `${large}*AAA`, `${large}A`]) {
    const given = { path: 'a.bin', content, encoding: 'base64' };
    await assertHardError(mcp, 'write_file', given, /^content: .*not valid base64/);
  }
  for (const content of ['half \ud83d', '\udc00', `${large}\ud83d`]) {
    await assertHardError(mcp, 'write_file', { path: 'a.md', content }, /^content: /);
  }
  assert.deepEqual(await workspace.changes(), []);
  assert.deepEqual(await listedPaths(workspace), []);
});

test(...claims('mcp.write-file.empty', 'an empty file is a file'), async () => {
  const { workspace, write } = await openWorkspace();
  assert.deepEqual(await write('a.md', ''), written(1));
  assert.deepEqual(await write('b.md', '', { encoding: 'base64' }), written(1));
  await assertFile(workspace, 'a.md', '', 1);
  assert.deepEqual(await write('a.md', 'full', { baseVersion: 1 }), written(2));
  assert.deepEqual(await write('a.md', '', { baseVersion: 2 }), written(3));
  await assertConflict(workspace, await write('a.md', 'lost', { baseVersion: 1 }), 3, 'lost');
});

test(
  ...claims('mcp.write-file.hidden', 'a private path of another user reveals and accepts nothing'),
  async () => {
    const { workspace, mcp, write } = await openWorkspace();
    const ben = await signUp(server, 'Ben');
    await join(ada, ben, workspace.id);
    const bens = openMcp(server, await createKey(ben), { workspaceId: workspace.id });
    await write('mine/a.md', 'one');
    await textOf(mcp, 'set_private', { path: 'mine' });
    for (const given of [
      { path: 'mine/a.md', content: 'x' },
      { path: 'mine/a.md', content: 'one' },
      { path: 'mine/a.md', content: 'x', baseVersion: 1 },
      { path: 'mine/new.md', content: 'x' },
      { path: 'mine', content: 'x' },
      { path: 'mine/a.md/below', content: 'x' },
    ]) {
      await assertHardError(bens, 'write_file', given, /^File not found/);
    }
    await assertFile(workspace, 'mine/a.md', 'one', 1);
    assert.deepEqual(await listedPaths(workspace), ['mine/a.md']);
  },
);
