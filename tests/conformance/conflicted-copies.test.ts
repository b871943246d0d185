import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFile, assertStatus, feedLines, listedPaths, sha256 } from '../support/expect.ts';
import { createKey, signUp } from '../support/people.ts';
import { integerAt, jsonOf, recordsAt, textAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server, 'Ada Lovelace');
const robot = await createKey(ada, { name: 'Claude Code' });
const emptyWorkspace = () => createWorkspace(ada, robot.client);

/** Writes against a wrong version. @returns the path of the conflicted copy. */
async function lose(workspace: WorkspaceClient, path: string, body: string): Promise<string> {
  const response = await workspace.put(path, body, { ifMatch: 99 });
  assertStatus(response, 412);
  return textAt(jsonOf(response), 'conflict_copy_path');
}

test(...claims('files.copy.path', 'a copy is in the same folder and names time and writer'), async () => {
  const workspace = await emptyWorkspace();
  await workspace.put('docs/plan.md', 'x');
  const before = Math.floor(Date.now() / 1000) * 1000;
  const copy = await lose(workspace, 'docs/plan.md', 'y');
  const found = /^docs\/plan \(conflicted copy (\d{4}-\d\d-\d\d) (\d\d)(\d\d)(\d\d) Claude Code\)\.md$/.exec(
    copy,
  );
  assert.ok(found, copy);
  const [, day, hours, minutes, seconds] = found;
  const at = Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`);
  // An hour of difference would be another time zone. The clock of a remote server may differ by less.
  assert.ok(Math.abs(at - before) < 20 * 60_000, `${copy} is not in UTC`);
});

for (const [path, pattern] of [
  ['noext', /^noext \(conflicted copy [^)]+\)$/],
  ['.hidden', /^\.hidden \(conflicted copy [^)]+\)$/],
  ['archive.tar.gz', /^archive\.tar \(conflicted copy [^)]+\)\.gz$/],
  ['ünï/cödé.txt', /^ünï\/cödé \(conflicted copy [^)]+\)\.txt$/],
  [`${'n'.repeat(252)}.md`, /^n+ \(conflicted copy [^)]+\)\.md$/],
] as const) {
  test(
    ...claims('files.copy.path', `the copy of ${path.slice(0, 20)} keeps folder and extension`),
    async () => {
      const workspace = await emptyWorkspace();
      assertStatus(await workspace.put(path, 'x'), 201);
      const copy = await lose(workspace, path, 'y');
      assert.match(copy, pattern);
      await assertFile(workspace, copy, 'y', 1);
    },
  );
}

test(...claims('files.copy.person', "a person's copy has the person's name"), async () => {
  const workspace = (await emptyWorkspace()).as(ada.session);
  await workspace.put('a.md', 'x');
  assert.match(await lose(workspace, 'a.md', 'y'), /^a \(conflicted copy \S+ \d{6} Ada Lovelace\)\.md$/);
});

test(...claims('files.copy.unsafe-name', 'a writer named like a path cannot leave the folder'), async () => {
  const workspace = await emptyWorkspace();
  const odd = await createKey(ada, { name: '../x\\y/z: "q"?' });
  await workspace.put('d/a.md', 'x');
  const copy = await lose(workspace.as(odd.client), 'd/a.md', 'y');
  assert.match(copy, /^d\/a \(conflicted copy \S+ \d{6}[^/\\:"?]*\)\.md$/);
  await assertFile(workspace, copy, 'y', 1);
});

test(...claims('files.copy.one-marker', 'the copy of a copy is marked once'), async () => {
  const workspace = await emptyWorkspace();
  await workspace.put('a.md', 'x');
  const copy = await lose(workspace, 'a.md', 'y');
  const again = await lose(workspace, copy, 'z');
  assert.match(again, /^a \(conflicted copy [^()]+\)( \d+)?\.md$/);
  assert.notEqual(again, copy);
  await assertFile(workspace, copy, 'y', 1);
  await assertFile(workspace, again, 'z', 1);
});

test(...claims('files.copy.numbered', 'copies of one second differ by a number'), async () => {
  const workspace = await emptyWorkspace();
  await workspace.put('a.md', 'x');
  const copies: string[] = [];
  for (let n = 0; n < 12; n += 1) copies.push(await lose(workspace, 'a.md', `loser ${n}`));
  assert.equal(new Set(copies).size, 12);
  const bySecond = Map.groupBy(copies, (path) => /copy (\S+ \d{6})/.exec(path)?.[1]);
  for (const group of bySecond.values()) {
    const numbers = group.map((path) => Number(/ (\d+)\.md$/.exec(path)?.[1] ?? 1));
    assert.deepEqual(
      numbers,
      group.map((_, at) => at + 1),
    );
  }
});

test(...claims('files.copy.version', 'a copy is a file of its own at version 1'), async () => {
  const workspace = await emptyWorkspace();
  await workspace.put('a.md', 'v1');
  await workspace.put('a.md', 'v2', { ifMatch: 1 });
  const copy = await lose(workspace, 'a.md', 'y');
  const entries = recordsAt(jsonOf(await workspace.query('list')), 'entries');
  assert.deepEqual(
    entries.find(({ path }) => path === copy),
    { path: copy, size: 1, contentType: 'text/markdown', version: 1 },
  );
  assertStatus(await workspace.put(copy, 'mine', { ifMatch: 1 }), 200);
});

test(...claims('files.copy.same-again', 'a retried stale write makes no second copy'), async () => {
  const workspace = await emptyWorkspace();
  await workspace.put('a.md', 'x');
  const copy = await lose(workspace, 'a.md', 'y');
  assert.equal(await lose(workspace, 'a.md', 'y'), copy);
  const createOnly = await workspace.put('a.md', 'y', { ifNoneMatch: '*' });
  assert.equal(textAt(jsonOf(createOnly), 'conflict_copy_path'), copy);
  assert.deepEqual(await feedLines(workspace), ['write a.md 1', `conflict ${copy} 1`]);
  const other = await lose(workspace, 'a.md', 'z');
  assert.notEqual(other, copy);
  const third = await lose(workspace, 'a.md', 'y');
  assert.ok(third !== other && third !== copy, 'only the newest copy is compared');
});

test(...claims('files.copy.same-after-delete', 'a copy that was deleted is made again'), async () => {
  const workspace = await emptyWorkspace();
  await workspace.put('a.md', 'x');
  const copy = await lose(workspace, 'a.md', 'y');
  assertStatus(await workspace.remove(copy, 1), 204);
  const again = await lose(workspace, 'a.md', 'y');
  await assertFile(workspace, again, 'y', 1);
  assert.equal((await listedPaths(workspace)).length, 2);
});

test(...claims('files.copy.base', 'the versions of a copy name the version it is based on'), async () => {
  const workspace = await emptyWorkspace();
  await workspace.put('a.md', 'one');
  await workspace.put('a.md', 'two', { ifMatch: 1 });
  const read = textAt(jsonOf(await workspace.put('a.md', 'mine', { ifMatch: 1 })), 'conflict_copy_path');
  const blind = await lose(workspace, 'a.md', 'other');
  const baseOf = async (path: string) => {
    const [newest] = recordsAt(jsonOf(await workspace.query('versions', { path })), 'versions');
    return [newest?.conflictBase, newest?.conflictBaseHash];
  };
  assert.deepEqual(await baseOf(read), [1, sha256('one')]);
  assert.deepEqual(await baseOf(blind), [null, null]);
  assert.deepEqual(await baseOf('a.md'), [undefined, undefined]);
});

test(...claims('files.copy.counted', 'a copy counts as a file'), async () => {
  const workspace = await emptyWorkspace();
  await workspace.put('a.md', 'four');
  await lose(workspace, 'a.md', 'seven..');
  const usage = jsonOf(await workspace.query('usage'));
  assert.equal(integerAt(usage, 'usedFiles'), 2);
  assert.equal(integerAt(usage, 'usedBytes'), 11);
});
