import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { assertFile, feedLines, listedPaths } from '../support/expect.ts';
import { openMcp } from '../support/mcp-client.ts';
import { operator } from '../support/operator.ts';
import { createKey, signUp } from '../support/people.ts';
import { recordOf, textAt } from '../support/response.ts';
import { useOwnService } from '../support/target.ts';
import { assertHardError, dataOf, textOf } from '../support/tool-result.ts';
import { createWorkspace } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const plans = {
  default: 'small',
  plans: [
    { id: 'small', name: 'Small', storageBytes: 1000, files: 10, fileBytes: 400, workspaces: 2 },
    { id: 'brief', name: 'Short history', historyBytes: 500 },
  ],
};
const folder = await mkdtemp(join(tmpdir(), 'stoa-plans-'));
const plansFile = join(folder, 'plans.json');
await writeFile(plansFile, JSON.stringify(plans));
after(() => rm(folder, { recursive: true }));
const { service, client: server } = await useOwnService({ STOA_PLANS: plansFile });

/** A new person each time: the plan allows two workspaces. */
async function openWorkspace() {
  const ada = await signUp(server);
  const key = await createKey(ada);
  const workspace = await createWorkspace(ada, key.client);
  const mcp = openMcp(server, key, { workspaceId: workspace.id });
  const extended = openMcp(server, key, { workspaceId: workspace.id, toolSet: 'extended' });
  return { workspace, mcp, extended };
}

const base64 = (bytes: number) => ({ content: randomBytes(bytes).toString('base64'), encoding: 'base64' });
const text = (bytes: number) => ({ content: 'x'.repeat(bytes) });
const readOnly = /^The workspace is read-only because its subscription has lapsed/;

test(
  ...claims('mcp.write-file.rule-8-size', 'a file has at most what the plan allows, to the byte'),
  async () => {
    const { workspace, mcp } = await openWorkspace();
    await dataOf(mcp, 'write_file', { path: 'text.md', ...text(400) });
    await dataOf(mcp, 'write_file', { path: 'bytes.bin', ...base64(400) });
    const over = [text(401), base64(401), { content: 'é'.repeat(201) }, text(5_000_000), base64(5_000_000)];
    for (const content of over) {
      for (const given of [{ path: 'new.md' }, { path: 'text.md' }, { path: 'text.md', baseVersion: 1 }]) {
        await assertHardError(
          mcp,
          'write_file',
          { ...given, ...content },
          /larger than the limit.*\b400 bytes/,
        );
      }
    }
    assert.deepEqual(await listedPaths(workspace), ['bytes.bin', 'text.md']);
    assert.equal((await workspace.changes()).length, 2);
    assert.deepEqual(
      await dataOf(mcp, 'write_file', { path: 'text.md', content: 'é'.repeat(200), baseVersion: 1 }),
      {
        ok: true,
        version: 2,
      },
    );
  },
);

test(
  ...claims(
    ['mcp.write-file.storage', 'mcp.results.recoverable'],
    'a write over the storage limit returns the numbers and writes nothing',
  ),
  async () => {
    const { workspace, mcp } = await openWorkspace();
    for (const path of ['a.md', 'b.md']) await dataOf(mcp, 'write_file', { path, ...text(400) });
    const full = { ok: false, quotaExceeded: true, usedBytes: 800, limitBytes: 1000 };
    assert.deepEqual(await dataOf(mcp, 'write_file', { path: 'c.md', ...text(201) }), full);
    // A stale write is kept as a file, so it needs storage.
    assert.deepEqual(await dataOf(mcp, 'write_file', { path: 'a.md', ...text(201), baseVersion: 9 }), full);
    assert.deepEqual(await dataOf(mcp, 'write_file', { path: 'a.md', ...text(201) }), full);
    const stale = await mcp.call('write_file', { path: 'a.md', ...text(201), baseVersion: 9 });
    assert.match(
      stale.text,
      /800 of 1000 bytes.* a\.md is at version 1, and a copy of your content does not fit/,
    );
    assert.deepEqual(await listedPaths(workspace), ['a.md', 'b.md']);
    assert.equal((await workspace.changes()).length, 2);
    const fits = await dataOf(mcp, 'write_file', { path: 'c.md', ...text(200) });
    assert.deepEqual(fits, { ok: true, version: 1 });
    const replaced = await dataOf(mcp, 'write_file', {
      path: 'a.md',
      content: 'y'.repeat(400),
      baseVersion: 1,
    });
    assert.deepEqual(replaced, { ok: true, version: 2 });
    const { text: words } = await mcp.call('write_file', { path: 'd.md', content: 'x' });
    assert.match(words, /^Nothing was written: it does not fit .*\. Delete .*get_usage/);
  },
);

test(
  ...claims('mcp.edit-file.quota', 'an edit over the storage limit returns the numbers and changes nothing'),
  async () => {
    const { workspace, mcp, extended } = await openWorkspace();
    for (const path of ['a.md', 'b.md', 'c.md']) await dataOf(mcp, 'write_file', { path, ...text(330) });
    const full = { ok: false, quotaExceeded: true, usedBytes: 990, limitBytes: 1000 };
    await dataOf(mcp, 'write_file', { path: 'd.md', content: 'y' });
    const edit = { path: 'd.md', edits: [{ oldText: 'y', newText: 'y'.repeat(20) }] };
    assert.deepEqual(await dataOf(extended, 'edit_file', edit), { ...full, usedBytes: 991 });
    const more = { path: 'd.md', content: 'z'.repeat(20) };
    assert.deepEqual(await dataOf(extended, 'append_file', more), { ...full, usedBytes: 991 });
    await assertFile(workspace, 'd.md', 'y', 1);
    await operator(service, 'workspace', 'lapse', workspace.id);
    await assertHardError(extended, 'edit_file', edit, readOnly);
    await assertHardError(extended, 'append_file', more, readOnly);
  },
);

test(
  ...claims(
    ['mcp.write-file.count', 'mcp.usage.warning', 'mcp.results.recoverable'],
    'a write over the file limit returns the numbers, after an earlier warning',
  ),
  async () => {
    const { workspace, mcp } = await openWorkspace();
    for (let n = 1; n <= 10; n += 1) {
      await dataOf(mcp, 'write_file', { path: `${n}.md`, content: 'x' });
      assert.deepEqual(await dataOf(mcp, 'get_usage'), {
        usedBytes: n,
        limitBytes: 1000,
        remainingBytes: 1000 - n,
        warning: n >= 9,
        usedFiles: n,
        limitFiles: 10,
        remainingFiles: 10 - n,
      });
      assert.match((await mcp.call('get_usage')).text, n >= 9 ? /^Warning/m : /^No warning/m);
    }
    const full = { ok: false, fileCountExceeded: true, usedFiles: 10, limitFiles: 10 };
    assert.deepEqual(await dataOf(mcp, 'write_file', { path: '11.md', content: 'x' }), full);
    assert.deepEqual(await dataOf(mcp, 'write_file', { path: '11.md', content: '' }), full);
    assert.deepEqual(await dataOf(mcp, 'write_file', { path: '1.md', content: 'lost' }), full);
    assert.equal((await listedPaths(workspace)).length, 10);
    const updated = await dataOf(mcp, 'write_file', { path: '1.md', content: 'y', baseVersion: 1 });
    assert.deepEqual(updated, { ok: true, version: 2 });
    await textOf(mcp, 'delete_file', { path: '10.md', baseVersion: 1 });
    assert.deepEqual(await dataOf(mcp, 'write_file', { path: '11.md', content: 'x' }), {
      ok: true,
      version: 1,
    });
  },
);

test(
  ...claims(
    ['mcp.write-file.history', 'mcp.restore.history', 'mcp.results.recoverable'],
    'a write over the history limit returns the numbers and writes nothing',
  ),
  async () => {
    const { workspace, mcp } = await openWorkspace();
    await operator(service, 'workspace', 'plan', workspace.id, 'brief');
    await dataOf(mcp, 'write_file', { path: 'a.md', ...text(400) });
    await dataOf(mcp, 'write_file', { path: 'a.md', ...text(200), baseVersion: 1 });
    const full = { ok: false, historyExceeded: true, usedBytes: 400, limitBytes: 500 };
    const again = { path: 'a.md', content: 'x', baseVersion: 2 };
    assert.deepEqual(await dataOf(mcp, 'write_file', again), full);
    assert.deepEqual(await dataOf(mcp, 'restore_file', { path: 'a.md', targetVersion: 1 }), full);
    assert.match((await mcp.call('write_file', again)).text, /Nothing was written.*earlier versions/);
    assert.equal((await workspace.changes()).length, 2);
    await textOf(mcp, 'delete_file', { path: 'a.md', baseVersion: 2 });
  },
);

test(...claims('mcp.restore.quota', 'a restore over the storage limit returns the numbers'), async () => {
  const { workspace, mcp } = await openWorkspace();
  await dataOf(mcp, 'write_file', { path: 'a.md', ...text(400) });
  await dataOf(mcp, 'write_file', { path: 'a.md', content: 'small', baseVersion: 1 });
  for (const path of ['b.md', 'c.md']) await dataOf(mcp, 'write_file', { path, ...text(400) });
  const full = { ok: false, quotaExceeded: true, usedBytes: 805, limitBytes: 1000 };
  assert.deepEqual(await dataOf(mcp, 'restore_file', { path: 'a.md', targetVersion: 1 }), full);
  await assertFile(workspace, 'a.md', 'small', 2);
});

test(
  ...claims('mcp.create-workspace.allowance', 'a third workspace is beyond the plan, which is named'),
  async () => {
    const key = await createKey(await signUp(server));
    const mcp = openMcp(server, key);
    for (const name of ['One', 'Two']) await dataOf(mcp, 'create_workspace', { name });
    await assertHardError(
      mcp,
      'create_workspace',
      { name: 'Three' },
      /^Your plan does not allow another.*at most 2\b/,
    );
    const { workspaces } = await dataOf(mcp, 'list_workspaces');
    assert.ok(Array.isArray(workspaces) && workspaces.length === 2);
  },
);

test(
  ...claims(
    ['mcp.lapsed.refused', 'mcp.write-file.rule-8-read-only'],
    'a lapsed workspace takes no writes, restores, threads or replies',
  ),
  async () => {
    const { workspace, mcp } = await openWorkspace();
    await dataOf(mcp, 'write_file', { path: 'a.md', content: 'one' });
    await dataOf(mcp, 'write_file', { path: 'a.md', content: 'two', baseVersion: 1 });
    const { thread } = await dataOf(mcp, 'add_comment', { path: 'a.md', body: 'x', quote: 'two' });
    const threadId = textAt(recordOf(thread), 'id');
    await operator(service, 'workspace', 'lapse', workspace.id);
    for (const [tool, given] of [
      ['write_file', { path: 'new.md', content: 'x' }],
      ['write_file', { path: 'a.md', content: 'three', baseVersion: 2 }],
      ['write_file', { path: 'a.md', content: 'three', baseVersion: 1 }],
      ['write_file', { path: 'a.md', content: 'three' }],
      ['write_file', { path: 'big.md', ...text(401) }],
      ['restore_file', { path: 'a.md', targetVersion: 1 }],
      ['add_comment', { path: 'a.md', body: 'x', quote: 'two' }],
      ['reply_comment', { threadId, body: 'x' }],
    ] as const) {
      await assertHardError(mcp, tool, given, readOnly);
    }
    assert.deepEqual(await feedLines(workspace), ['write a.md 1', 'write a.md 2']);
    assert.equal((await dataOf(mcp, 'list_comments')).total, 1);
    await operator(service, 'workspace', 'renew', workspace.id);
    await dataOf(mcp, 'write_file', { path: 'a.md', content: 'three', baseVersion: 2 });
  },
);

test(...claims('mcp.lapsed.allowed', 'a lapsed workspace is read and tidied up'), async () => {
  const { workspace, mcp } = await openWorkspace();
  await dataOf(mcp, 'write_file', { path: 'a.md', content: 'one' });
  await dataOf(mcp, 'write_file', { path: 'b.md', content: 'two' });
  const { thread } = await dataOf(mcp, 'add_comment', { path: 'a.md', body: 'x', quote: 'one' });
  const threadId = textAt(recordOf(thread), 'id');
  await operator(service, 'workspace', 'lapse', workspace.id);
  assert.equal((await dataOf(mcp, 'read_file', { path: 'a.md' })).content, 'one');
  assert.equal((await dataOf(mcp, 'read_file_version', { path: 'a.md', version: 1 })).content, 'one');
  assert.equal((await dataOf(mcp, 'search_files', { query: 'a.md' })).totalMatches, 1);
  assert.match(await textOf(mcp, 'list_files'), /^a\.md/);
  await dataOf(mcp, 'get_usage');
  await dataOf(mcp, 'resolve_comment', { threadId, resolved: true });
  await textOf(mcp, 'move_file', { from: 'a.md', to: 'c.md' });
  await textOf(mcp, 'delete_file', { path: 'b.md', baseVersion: 1 });
  assert.deepEqual(await listedPaths(workspace), ['c.md']);
});
