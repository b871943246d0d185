import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFile, assertStatus, feedLines, listedPaths, sha256 } from '../support/expect.ts';
import { join } from '../support/invites.ts';
import { openMcp } from '../support/mcp-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { useTarget } from '../support/target.ts';
import { assertHardError, dataOf, textOf } from '../support/tool-result.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server);
const key = await createKey(ada);
const capBytes = 1024 * 1024;

async function openWorkspace() {
  const workspace = await createWorkspace(ada, key.client);
  const mcp = openMcp(server, key, { workspaceId: workspace.id });
  return {
    workspace,
    mcp,
    contentOf: async (path: string, version: number) =>
      (await dataOf(mcp, 'read_file_version', { path, version })).content,
    restore: (path: string, targetVersion: number) => dataOf(mcp, 'restore_file', { path, targetVersion }),
  };
}

const restored = (version: number, restoredFrom: number) => ({ status: 'ok', version, restoredFrom });

test(
  ...claims(
    ['mcp.read-version', 'mcp.read-version.encoding'],
    'an earlier version is read as it was, as text or as base64',
  ),
  async () => {
    const { workspace, mcp, contentOf } = await openWorkspace();
    const text = '\ufeff# Grüße 😀\r\n\t"quoted" \\ \u0001 end';
    await workspace.put('a.md', text, { contentType: 'text/plain' });
    await workspace.put('a.md', 'second', { ifMatch: 1 });
    const given = { path: 'a.md', version: 1 };
    const first = { version: 1, contentType: 'text/plain', content: text };
    assert.deepEqual(await dataOf(mcp, 'read_file_version', given), first);
    assert.deepEqual(await dataOf(mcp, 'read_file_version', { ...given, encoding: 'utf8' }), first);
    // Clients that show only text must get the content unaltered.
    assert.ok((await mcp.call('read_file_version', given)).text.endsWith(`\n${text}`));
    const base64 = await dataOf(mcp, 'read_file_version', { ...given, encoding: 'base64' });
    assert.deepEqual(base64, { ...first, content: Buffer.from(text).toString('base64') });
    await assertHardError(
      mcp,
      'read_file_version',
      { ...given, encoding: 'latin1' },
      /^encoding: .*utf8 or base64/,
    );
    assert.equal(await contentOf('a.md', 2), 'second');
  },
);

test(...claims('mcp.read-version.encoding', 'bytes that are not text are read as base64 only'), async () => {
  const { workspace, mcp } = await openWorkspace();
  const bytes = Buffer.from([0, 255, 254, 128]);
  await workspace.put('a.bin', bytes);
  await workspace.put('a.bin', 'text now', { ifMatch: 1 });
  const given = { path: 'a.bin', version: 1 };
  await assertHardError(mcp, 'read_file_version', given, /not UTF-8.*base64/);
  const { content } = await dataOf(mcp, 'read_file_version', { ...given, encoding: 'base64' });
  assert.equal(content, bytes.toString('base64'));
});

test(
  ...claims('mcp.read-version', 'versions of a deleted, recreated or moved file can be read'),
  async () => {
    const { workspace, mcp, contentOf } = await openWorkspace();
    await workspace.put('a.md', 'first 1');
    await workspace.put('a.md', 'first 2', { ifMatch: 1 });
    await textOf(mcp, 'delete_file', { path: 'a.md', baseVersion: 2 });
    assert.equal(await contentOf('a.md', 2), 'first 2');
    await workspace.put('a.md', 'again 1');
    assert.equal(await contentOf('a.md', 1), 'again 1');
    assert.equal(await contentOf('a.md', 2), 'first 2');
    await textOf(mcp, 'move_file', { from: 'a.md', to: 'b.md' });
    assert.equal(await contentOf('a.md', 1), 'again 1');
    assert.equal(await contentOf('b.md', 1), 'again 1');
  },
);

test(...claims('mcp.read-version.unavailable', 'an unknown version is an error'), async () => {
  const { workspace, mcp } = await openWorkspace();
  await workspace.put('folder/a.md', 'one');
  const read = (path: string, version: number, says: RegExp) =>
    assertHardError(mcp, 'read_file_version', { path, version }, says);
  const unavailable = await read('folder/a.md', 2, /^Version not found.*read_file/);
  assert.equal(await read('folder/a.md', 1_000_000, /^Version not found/), unavailable);
  await read('none.md', 1, /^File not found/);
  await read('folder', 1, /^"folder" is a folder of 1 file\. Next: list_files with prefix "folder"\.$/);
});

test(
  ...claims('mcp.read-version.large', 'a version over 1 MiB is rejected with a way to read it'),
  async () => {
    const { workspace, mcp } = await openWorkspace();
    const exact = 'a'.repeat(capBytes);
    await workspace.put('a.md', exact);
    await workspace.put('a.md', `${exact}b`, { ifMatch: 1 });
    await workspace.put('a.md', 'small', { ifMatch: 2 });
    const whole = await dataOf(mcp, 'read_file_version', { path: 'a.md', version: 1 });
    assert.equal(sha256(String(whole.content)), sha256(exact));
    for (const encoding of ['utf8', 'base64']) {
      const given = { path: 'a.md', version: 2, encoding };
      const text = await assertHardError(mcp, 'read_file_version', given, /\b1048577 bytes/);
      const [, address = ''] = /\bGET (\S+)/.exec(text) ?? [];
      const { pathname } = new URL(address);
      const response = await key.client.send('GET', `${pathname}?path=a.md&version=2`);
      assertStatus(response, 200);
      assert.equal(sha256(response.bytes), sha256(`${exact}b`));
    }
  },
);

test(
  ...claims(
    ['mcp.restore', 'mcp.restore.nothing-removed'],
    'a restored version is the newest, and every version stays readable',
  ),
  async () => {
    const { workspace, contentOf, restore } = await openWorkspace();
    await workspace.put('a.md', 'one', { contentType: 'text/plain' });
    await workspace.put('a.md', 'two', { ifMatch: 1 });
    assert.deepEqual(await restore('a.md', 1), restored(3, 1));
    await assertFile(workspace, 'a.md', 'one', 3);
    assert.deepEqual(await restore('a.md', 2), restored(4, 2));
    await assertFile(workspace, 'a.md', 'two', 4);
    // A restore is its own change, even when it changes no byte.
    assert.deepEqual(await restore('a.md', 4), restored(5, 4));
    const contents = await Promise.all([1, 2, 3, 4, 5].map((version) => contentOf('a.md', version)));
    assert.deepEqual(contents, ['one', 'two', 'one', 'two', 'two']);
    assert.deepEqual(await listedPaths(workspace), ['a.md']);
    assert.deepEqual(await feedLines(workspace), [
      'write a.md 1',
      'write a.md 2',
      'restore a.md 3',
      'restore a.md 4',
      'restore a.md 5',
    ]);
  },
);

test(
  ...claims(['mcp.restore.nothing-removed', 'mcp.restore'], 'restores during many saves lose nothing'),
  async () => {
    const { workspace, mcp, contentOf } = await openWorkspace();
    await workspace.put('a.md', 'first');
    const responses = await Promise.all(
      Array.from({ length: 5 }, async (_, round) => {
        const [response, saved] = await Promise.all([
          dataOf(mcp, 'restore_file', { path: 'a.md', targetVersion: 1 }),
          dataOf(mcp, 'write_file', { path: 'a.md', content: `save ${round}`, baseVersion: 1 + round }),
        ]);
        return { answer: response, saved, content: `save ${round}` };
      }),
    );
    const given = responses.flatMap(({ answer: response, saved }) => [
      response.version,
      saved.ok === true && saved.version,
    ]);
    const versions = given.filter((version) => typeof version === 'number');
    assert.equal(new Set(versions).size, versions.length, 'two changes were given one version');
    for (const { answer: response, saved, content } of responses) {
      const { status, version, conflictCopyPath } = response;
      if (status === 'ok') {
        assert.deepEqual(response, restored(Number(version), 1));
        assert.equal(await contentOf('a.md', Number(version)), 'first');
      } else {
        assert.deepEqual(response, { status: 'conflict', conflictCopyPath });
        await assertFile(workspace, String(conflictCopyPath), 'first', 1);
      }
      if (saved.ok === true) assert.equal(await contentOf('a.md', Number(saved.version)), content);
      else await assertFile(workspace, String(saved.conflictCopyPath), content, 1);
    }
  },
);

test(...claims('mcp.restore.deleted', 'restore a deleted file at version 1'), async () => {
  const { workspace, mcp, contentOf, restore } = await openWorkspace();
  await workspace.put('a.md', 'one');
  await workspace.put('a.md', 'two', { ifMatch: 1 });
  await textOf(mcp, 'delete_file', { path: 'a.md', baseVersion: 2 });
  assert.deepEqual(await restore('a.md', 2), restored(1, 2));
  await assertFile(workspace, 'a.md', 'two', 1);
  assert.equal(await contentOf('a.md', 2), 'two');
  assert.equal((await feedLines(workspace)).at(-1), 'restore a.md 1');
  await textOf(mcp, 'move_file', { from: 'a.md', to: 'b.md' });
  assert.deepEqual(await restore('a.md', 1), restored(1, 1));
  await assertFile(workspace, 'b.md', 'two', 1);
});

test(
  ...claims('mcp.restore.unavailable', 'a restore fails for an unknown version or an occupied path'),
  async () => {
    const { workspace, mcp } = await openWorkspace();
    await workspace.put('a.md', 'one');
    await workspace.remove('a.md', 1);
    await workspace.put('a.md/below.md', 'x');
    const before = await feedLines(workspace);
    for (const [path, targetVersion, says] of [
      ['a.md', 2, /^Version not found.*read_file/],
      ['a.md/below.md', 2, /^Version not found/],
      ['none.md', 1, /not found/],
      ['a.md', 1, /"a\.md" is a folder/],
    ] as const) {
      await assertHardError(mcp, 'restore_file', { path, targetVersion }, says);
    }
    assert.deepEqual(await feedLines(workspace), before);
  },
);

test(
  ...claims(
    ['mcp.read-version.unavailable', 'mcp.restore.unavailable'],
    "versions of another member's private file are not found",
  ),
  async () => {
    const { workspace, mcp } = await openWorkspace();
    const ben = await signUp(server, 'Ben');
    await join(ada, ben, workspace.id);
    const bens = openMcp(server, await createKey(ben), { workspaceId: workspace.id });
    await workspace.put('mine/a.md', 'one');
    await workspace.put('mine/gone.md', 'one');
    await workspace.remove('mine/gone.md', 1);
    await textOf(mcp, 'set_private', { path: 'mine' });
    for (const [tool, version] of [
      ['read_file_version', 'version'],
      ['restore_file', 'targetVersion'],
    ] as const) {
      const absent = await assertHardError(bens, tool, { path: 'none/a.md', [version]: 1 }, /not found/);
      for (const path of ['mine/a.md', 'mine/gone.md', 'mine/none.md']) {
        for (const number of [1, 2]) {
          assert.equal(await assertHardError(bens, tool, { path, [version]: number }, /not found/), absent);
        }
      }
      await dataOf(mcp, tool, { path: 'mine/a.md', [version]: 1 });
    }
    assert.deepEqual(await listedPaths(workspace), ['mine/a.md']);
    await assertFile(workspace, 'mine/a.md', 'one', 2);
  },
);

test(...claims('mcp.history.required', 'a version is named by path and whole number'), async () => {
  const { workspace, mcp } = await openWorkspace();
  await workspace.put('a.md', 'one');
  for (const [tool, version] of [
    ['read_file_version', 'version'],
    ['restore_file', 'targetVersion'],
  ] as const) {
    const missing = new RegExp(`\\b${version}(: | is missing: it )must be a whole number`);
    for (const wrong of [undefined, null, 'one', 1.5, 0, -1]) {
      await assertHardError(mcp, tool, { path: 'a.md', [version]: wrong }, missing);
    }
    for (const wrong of [undefined, null, 1]) {
      await assertHardError(
        mcp,
        tool,
        { path: wrong, [version]: 1 },
        /\bpath(: | is missing: it )must be a path/,
      );
    }
    await assertHardError(mcp, tool, { path: '../a.md', [version]: 1 }, /^Invalid path: /);
  }
  assert.deepEqual(await feedLines(workspace), ['write a.md 1']);
});
