import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRejection } from '../support/error.ts';
import { assertFile, assertJson, assertStatus, feedLines, listedPaths } from '../support/expect.ts';
import { openMcp } from '../support/mcp-client.ts';
import { createKey, signUp } from '../support/people.ts';
import { headerOf, integerAt, jsonOf, recordsAt, textAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server, 'Ada Lovelace');
const robot = await createKey(ada, { name: 'Robot' });
const emptyWorkspace = () => createWorkspace(ada, robot.client);

const base = 'one\ntwo\nthree\nfour\nfive\n';
const theirs = 'ONE\ntwo\nthree\nfour\nfive\n';
const mine = 'one\ntwo\nthree\nfour\nFIVE\n';

/** A file in its second version, and a copy based on the first. */
async function makeConflict(
  workspace: WorkspaceClient,
  { path = 'a.md', current = theirs, copy = mine }: { path?: string; current?: string; copy?: string } = {},
): Promise<string> {
  assertStatus(await workspace.put(path, base), 201);
  assertStatus(await workspace.put(path, current, { ifMatch: 1 }), 200);
  return lose(workspace, path, copy, { ifMatch: 1 });
}

async function lose(
  workspace: WorkspaceClient,
  path: string,
  body: string,
  precondition: { readonly ifMatch: number } | { readonly ifNoneMatch: '*' },
): Promise<string> {
  const response = await workspace.put(path, body, precondition);
  assertStatus(response, 412);
  return textAt(jsonOf(response), 'conflict_copy_path');
}

const resolve = (workspace: WorkspaceClient, copy: string, keep: string) =>
  workspace.post('resolve-conflict', { copy, keep });

test(...claims(['files.resolve', 'files.resolve.merge'], 'separate changes are merged'), async () => {
  const workspace = await emptyWorkspace();
  const copy = await makeConflict(workspace);
  assertJson(await resolve(workspace, copy, 'merge'), 200, {
    ok: true,
    path: 'a.md',
    version: 3,
    merged: true,
  });
  await assertFile(workspace, 'a.md', 'ONE\ntwo\nthree\nfour\nFIVE\n', 3);
  assert.deepEqual(await listedPaths(workspace), ['a.md']);
  assert.deepEqual((await feedLines(workspace)).slice(-2), ['write a.md 3', `delete ${copy} 1`]);
  const usage = jsonOf(await workspace.query('usage'));
  assert.equal(integerAt(usage, 'usedFiles'), 1);
  assert.equal(integerAt(usage, 'usedBytes'), base.length);
  // Nothing is lost: the copy can be restored.
  assertStatus(await workspace.post('restore', { path: copy, targetVersion: 1 }), 200);
});

test(...claims('files.resolve.merge', 'later writes are merged as well'), async () => {
  const workspace = await emptyWorkspace();
  const copy = await makeConflict(workspace);
  await workspace.put('a.md', 'ONE\ntwo\n3\nfour\nfive\n', { ifMatch: 2 });
  await workspace.put(copy, 'one\ntwo\nthree\nfour\nFIVE!\n', { ifMatch: 1 });
  assertStatus(await resolve(workspace, copy, 'merge'), 200);
  await assertFile(workspace, 'a.md', 'ONE\ntwo\n3\nfour\nFIVE!\n', 4);
});

test(
  ...claims('files.resolve.merge', 'concurrent writes are not lost while a conflict is resolved'),
  async () => {
    const workspace = await emptyWorkspace();
    const lines = Array.from({ length: 20 }, (_, line) => `line ${line}\n`);
    const [was, current, copied] = [lines, lines.with(9, 'theirs\n'), lines.with(0, 'mine\n')];
    assertStatus(await workspace.put('a.md', was.join('')), 201);
    assertStatus(await workspace.put('a.md', current.join(''), { ifMatch: 1 }), 200);
    const copy = await lose(workspace, 'a.md', copied.join(''), { ifMatch: 1 });
    const writes = Array.from({ length: 8 }, async (_, number) => {
      for (let tries = 0; tries < 200; tries += 1) {
        const read = await workspace.get('a.md');
        const put = { ifMatch: Number(headerOf(read, 'x-service-version')), conflict: 'refuse' };
        const text = `${read.bytes.toString()}added ${number}\n`;
        if ((await workspace.put('a.md', text, put)).status === 200) return;
      }
      assert.fail('never written');
    });
    const resolveOnce = async () => {
      for (let tries = 0; tries < 20; tries += 1) {
        const { status } = await resolve(workspace, copy, 'merge');
        if (status === 200) return;
        // Other writers won each time.
        assert.equal(status, 503);
      }
      assert.fail('never resolved');
    };
    await Promise.all([...writes, resolveOnce()]);
    assert.deepEqual(await listedPaths(workspace), ['a.md']);
    const now = (await workspace.get('a.md')).bytes.toString().split(/(?<=\n)/);
    assert.deepEqual(now.slice(0, 20), current.with(0, 'mine\n'));
    assert.deepEqual(
      now.slice(20).toSorted(),
      Array.from({ length: 8 }, (_, number) => `added ${number}\n`),
    );
  },
);

test(...claims('files.resolve.merge', 'a copy without new changes makes no version'), async () => {
  const workspace = await emptyWorkspace();
  const copy = await makeConflict(workspace);
  await workspace.put('a.md', mine, { ifMatch: 2 });
  assertJson(await resolve(workspace, copy, 'merge'), 200, {
    ok: true,
    path: 'a.md',
    version: 3,
    merged: true,
  });
  assert.deepEqual(await listedPaths(workspace), ['a.md']);
});

test(...claims('files.resolve.overlap', 'nothing changes where both changed the same lines'), async () => {
  const workspace = await emptyWorkspace();
  const copy = await makeConflict(workspace, {
    current: `0\n${base.replace('three', '3')}`,
    copy: base.replace('three', 'III'),
  });
  const before = await feedLines(workspace);
  assertJson(await resolve(workspace, copy, 'merge'), 409, {
    ok: false,
    error: 'lines_overlap',
    hunks: [{ line: 4, base: 'three\n', current: '3\n', copy: 'III\n' }],
    moreHunks: 0,
  });
  assert.deepEqual(await feedLines(workspace), before);
  assert.deepEqual(await listedPaths(workspace), [copy, 'a.md'].sort());
});

test(
  ...claims('files.resolve.overlap', 'a response with many overlaps says how many more there are'),
  async () => {
    const workspace = await emptyWorkspace();
    const lines = (word: string) =>
      Array.from({ length: 60 }, (_, n) => `${word} ${'long '.repeat(400)}${n}\n\nkept ${n}\n`).join('');
    await workspace.put('a.md', lines('base'));
    await workspace.put('a.md', lines('theirs'), { ifMatch: 1 });
    const copy = await lose(workspace, 'a.md', lines('mine'), { ifMatch: 1 });
    const response = await resolve(workspace, copy, 'merge');
    assertStatus(response, 409);
    assert.ok(response.bytes.byteLength < 40_000);
    const body = jsonOf(response);
    const hunks = recordsAt(body, 'hunks');
    assert.equal(hunks.length + integerAt(body, 'moreHunks'), 60);
    assert.ok(textAt(hunks[0] ?? {}, 'copy').endsWith('…'));
  },
);

test(...claims('files.resolve.keep', 'the file or the copy is kept as it is'), async () => {
  const workspace = await emptyWorkspace();
  const first = await makeConflict(workspace);
  const current = { ok: true, path: 'a.md', version: 2, merged: false };
  assertJson(await resolve(workspace, first, 'current'), 200, current);
  await assertFile(workspace, 'a.md', theirs, 2);
  const second = await lose(workspace, 'a.md', 'all mine', { ifMatch: 1 });
  assertJson(await resolve(workspace, second, 'copy'), 200, { ...current, version: 3 });
  await assertFile(workspace, 'a.md', 'all mine', 3);
  assert.deepEqual(await listedPaths(workspace), ['a.md']);
});

test(...claims('files.resolve.gone', 'a copy can replace a deleted file'), async () => {
  const workspace = await emptyWorkspace();
  const copy = await makeConflict(workspace);
  await workspace.remove('a.md', 2);
  for (const keep of ['merge', 'current']) assertRejection(await resolve(workspace, copy, keep), 404);
  assertJson(await resolve(workspace, copy, 'copy'), 200, {
    ok: true,
    path: 'a.md',
    version: 1,
    merged: false,
  });
  await assertFile(workspace, 'a.md', mine, 1);
});

test(
  ...claims('files.resolve.no-base', 'without a base a copy cannot be merged, but one side can be kept'),
  async () => {
    const workspace = await emptyWorkspace();
    await workspace.put('a.md', theirs);
    const blind = await lose(workspace, 'a.md', mine, { ifNoneMatch: '*' });
    assertJson(await resolve(workspace, blind, 'merge'), 409, { ok: false, error: 'no_base' });
    assertStatus(await resolve(workspace, blind, 'current'), 200);
  },
);

test(...claims('files.resolve.no-such', 'only a conflicted copy can be resolved'), async () => {
  const workspace = await emptyWorkspace();
  const copy = await makeConflict(workspace);
  const named = 'b (conflicted copy 2026-11-20 143012 Ada).md';
  await workspace.put('b.md', 'x');
  await workspace.put(named, 'y');
  for (const path of ['none.md', 'a.md', named]) {
    assertRejection(await resolve(workspace, path, 'current'), 404);
  }
  for (const body of [{ copy }, { copy, keep: 'both' }, { keep: 'merge' }, { copy: '../a', keep: 'merge' }]) {
    assertRejection(await workspace.post('resolve-conflict', body), 400);
  }
  // Under its own name the copy is a file like any other.
  await workspace.post('move', { from: copy, to: 'mine.md' });
  assertRejection(await resolve(workspace, 'mine.md', 'current'), 404);
});

test(...claims('files.resolve.moved', 'a folder moves with its conflicts'), async () => {
  const workspace = await emptyWorkspace();
  const copy = await makeConflict(workspace, { path: 'old/a.md' });
  assertStatus(await workspace.post('move-folder', { from: 'old', to: 'new', files: true }), 200);
  const moved = copy.replace('old/', 'new/');
  assertStatus(await resolve(workspace, moved, 'merge'), 200);
  await assertFile(workspace, 'new/a.md', 'ONE\ntwo\nthree\nfour\nFIVE\n', 2);
});

test(...claims('files.resolve.not-text', 'bytes that are not text are kept, not merged'), async () => {
  const workspace = await emptyWorkspace();
  await workspace.put('a.bin', new Uint8Array([1, 0xff]));
  await workspace.put('a.bin', new Uint8Array([2, 0xff]), { ifMatch: 1 });
  const lost = await workspace.put('a.bin', new Uint8Array([3, 0xff]), { ifMatch: 1 });
  const copy = textAt(jsonOf(lost), 'conflict_copy_path');
  assertRejection(await resolve(workspace, copy, 'merge'), 400, { says: /a\.bin is not text/ });
  assertStatus(await resolve(workspace, copy, 'copy'), 200);
});

test(...claims('files.resolve.private', 'a private copy is resolved by its owner alone'), async () => {
  const workspace = await emptyWorkspace();
  const private_ = { path: 'p', kind: 'folder', private: true };
  assertStatus(await workspace.send('PUT', '/node-private', { json: private_ }), 200);
  const copy = await makeConflict(workspace, { path: 'p/a.md' });
  assertStatus(await resolve(workspace, copy, 'merge'), 200);
  await assertFile(workspace, 'p/a.md', 'ONE\ntwo\nthree\nfour\nFIVE\n', 3);
});

test(...claims('mcp.resolve-conflict', 'an agent merges a copy, or keeps one of the two'), async () => {
  const workspace = await emptyWorkspace();
  const mcp = openMcp(server, await createKey(ada, { workspaceId: workspace.id }), { toolSet: 'extended' });
  const copy = await makeConflict(workspace);
  const merged = await mcp.call('resolve_conflict', { path: copy });
  assert.deepEqual(merged.data, { ok: true, path: 'a.md', version: 3, merged: true });
  assert.equal(
    merged.text,
    `Merged the changes of both since the base of the copy: a.md, version 3. ${copy} is deleted.`,
  );
  const again = await lose(workspace, 'a.md', 'x', { ifMatch: 1 });
  const kept = await mcp.call('resolve_conflict', { path: again, keep: 'current' });
  assert.deepEqual(kept.data, { ok: true, path: 'a.md', version: 3, merged: false });
  assert.equal(kept.text, `Kept a.md as it is, version 3. ${again} is deleted.`);
  const third = await lose(workspace, 'a.md', 'x', { ifMatch: 1 });
  const copied = await mcp.call('resolve_conflict', { path: third, keep: 'copy' });
  assert.deepEqual(copied.data, { ok: true, path: 'a.md', version: 4, merged: false });
  assert.equal((await mcp.call('resolve_conflict', { path: third })).isError, true);
  assert.equal((await mcp.call('resolve_conflict', { path: 'a.md' })).isError, true);
});

test(
  ...claims(
    ['mcp.resolve-conflict.overlap', 'mcp.resolve-conflict.no-base'],
    'an agent learns what prevents a merge, and what to do',
  ),
  async () => {
    const workspace = await emptyWorkspace();
    const mcp = openMcp(server, await createKey(ada, { workspaceId: workspace.id }), { toolSet: 'extended' });
    const copy = await makeConflict(workspace, { copy: base.replace('one', 'I') });
    const next =
      "Put what is missing into a.md with edit_file, then call this again with keep: current. keep: copy takes the copy's text instead.";
    const { data, text, isError } = await mcp.call('resolve_conflict', { path: copy, keep: 'merge' });
    assert.equal(isError, false);
    assert.deepEqual(data, {
      ok: false,
      error: 'lines_overlap',
      hunks: [{ line: 1, base: 'one\n', current: 'ONE\n', copy: 'I\n' }],
      next,
    });
    assert.ok(
      text.startsWith(`Nothing was changed: both changed the same lines in 1 place. ${next}\n`),
      text,
    );
    for (const part of ['one\n', 'ONE\n', 'I\n']) assert.ok(text.includes(part));
    const blind = await lose(workspace, 'a.md', 'else', { ifNoneMatch: '*' });
    const without = await mcp.call('resolve_conflict', { path: blind });
    assert.equal(without.data.error, 'no_base');
    assert.equal(without.data.ok, false);
  },
);
