import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRejection } from '../support/error.ts';
import { assertFile, assertStatus, feedLines, listedPaths } from '../support/expect.ts';
import { joinWorkspace } from '../support/join-workspace.ts';
import { type ApiKey, createKey, signUp } from '../support/people.ts';
import { integerAt, type JsonRecord, jsonOf, recordOf, recordsAt, textAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server, 'Ada Lovelace');
const robot = await createKey(ada, { name: 'Robot' });
const other = await createKey(ada, { name: 'Other' });

const always = '2000-01-01T00:00:00Z';
const base = 'one\ntwo\nthree\nfour\nfive\n';

/** A workspace as its owner sees it, and the same for the robot, which is undone, and for another key. */
async function scene() {
  const owner = await createWorkspace(ada);
  return { owner, theirs: owner.as(robot.client), others: owner.as(other.client) };
}

type Options = Readonly<Record<string, unknown>>;

async function undo(workspace: WorkspaceClient, options: Options = {}): Promise<JsonRecord> {
  const response = await workspace.post('undo', { actorKeyId: robot.id, since: always, ...options });
  assertStatus(response, 200);
  return jsonOf(response);
}

/** `merged a.md 4` for each file, with the reason and the path it was moved from. */
async function undone(workspace: WorkspaceClient, options: Options = {}): Promise<readonly string[]> {
  return recordsAt(await undo(workspace, options), 'files').map((file) =>
    ['outcome', 'path', 'version', 'reason', 'movedFrom']
      .flatMap((field) => (file[field] === undefined ? [] : [String(file[field])]))
      .join(' '),
  );
}

async function lastTime(workspace: WorkspaceClient): Promise<string> {
  return textAt((await workspace.changes()).at(-1) ?? {}, 'createdAt');
}

/** Makes a change at a later millisecond than the ones before it. */
async function laterThan(time: string): Promise<void> {
  while (Date.now() <= Date.parse(time)) await new Promise((resolve) => setImmediate(resolve));
}

test(
  ...claims(['history.undo.alone', 'history.undo.answer'], 'an undo takes back the text of one key alone'),
  async () => {
    const { owner, theirs } = await scene();
    await owner.put('a.md', base);
    await theirs.put('a.md', 'ONE\n', { ifMatch: 1 });
    await theirs.put('a.md', 'ONE\nTWO\n', { ifMatch: 2 });
    assert.deepEqual(await undo(owner), {
      dryRun: false,
      files: [{ path: 'a.md', outcome: 'restored', version: 4 }],
      totals: { restored: 1, merged: 0, deleted: 0, recreated: 0, unchanged: 0, left: 0 },
      nextPath: null,
    });
    await assertFile(owner, 'a.md', base, 4);
    assert.deepEqual((await feedLines(owner)).slice(-1), ['restore a.md 4']);
    const [change] = (await owner.changes()).slice(-1);
    assert.equal(change?.actorId, ada.id);
    assert.equal(change?.actorKeyId, null);
    // Nothing is lost: the undone text is still a version.
    const lost = await owner.query('version', { path: 'a.md', version: 3 });
    assert.equal(lost.bytes.toString(), 'ONE\nTWO\n');
  },
);

test(...claims('history.undo.merge', 'changes of others before and after stay'), async () => {
  const { owner, theirs, others } = await scene();
  await owner.put('a.md', base);
  await theirs.put('a.md', 'robot\ntwo\nthree\nfour\nfive\n', { ifMatch: 1 });
  await others.put('a.md', 'robot\ntwo\nTHREE\nfour\nfive\n', { ifMatch: 2 });
  await theirs.put('a.md', 'robot\ntwo\nTHREE\nfour\nrobot\n', { ifMatch: 3 });
  await owner.put('a.md', 'robot\ntwo\nTHREE\nfour\nrobot\nsix\nseven\n', { ifMatch: 4 });
  assert.deepEqual(await undone(owner), ['left a.md 5 lines_overlap']);
  await owner.put('a.md', 'zero\nrobot\ntwo\nTHREE\nfour\nrobot\n', { ifMatch: 5 });
  await owner.post('restore', { path: 'a.md', targetVersion: 4 });
  assert.deepEqual(await undone(owner), ['left a.md 7 lines_overlap']);
  await owner.put('b.md', base);
  await theirs.put('b.md', 'robot\ntwo\nthree\nfour\nfive\n', { ifMatch: 1 });
  await others.put('b.md', 'robot\ntwo\nTHREE\nfour\nfive\n', { ifMatch: 2 });
  await theirs.put('b.md', 'robot\ntwo\nTHREE\nfour\nrobot\n', { ifMatch: 3 });
  assert.deepEqual(await undone(owner, { path: 'b.md' }), ['merged b.md 5']);
  await assertFile(owner, 'b.md', 'one\ntwo\nTHREE\nfour\nfive\n', 5);
  assert.deepEqual((await feedLines(owner)).slice(-1), ['write b.md 5']);
});

test(...claims('history.undo.repeat', 'a second undo changes nothing more'), async () => {
  const { owner, theirs, others } = await scene();
  for (const path of ['alone.md', 'both.md', 'gone.md']) await owner.put(path, base);
  await theirs.put('alone.md', 'robot\n', { ifMatch: 1 });
  await theirs.put('both.md', 'one\nrobot\nthree\nfour\nfive\n', { ifMatch: 1 });
  await others.put('both.md', 'one\nrobot\nthree\nFOUR\nfive\n', { ifMatch: 2 });
  await theirs.put('new.md', 'robot\n');
  await theirs.remove('gone.md', 1);
  const first = ['restored alone.md 3', 'merged both.md 4', 'recreated gone.md 1', 'deleted new.md 1'];
  assert.deepEqual(await undone(owner), first);
  await assertFile(owner, 'both.md', 'one\ntwo\nthree\nFOUR\nfive\n', 4);
  await assertFile(owner, 'gone.md', base, 1);
  assert.deepEqual(await listedPaths(owner), ['alone.md', 'both.md', 'gone.md']);
  const before = await feedLines(owner);
  const again = ['unchanged alone.md 3', 'unchanged both.md 4', 'unchanged gone.md 1', 'unchanged new.md'];
  assert.deepEqual(await undone(owner), again);
  assert.deepEqual(await feedLines(owner), before);
  // Text that another user restored on purpose belongs to that user.
  await owner.post('restore', { path: 'alone.md', targetVersion: 2 });
  assert.deepEqual(await undone(owner, { path: 'alone.md' }), ['unchanged alone.md 4']);
  // The robot’s own undo is one of its changes: a second one leads to the same text.
  await theirs.put('own.md', 'robot\n');
  assert.deepEqual(await undone(theirs, { path: 'own.md' }), ['deleted own.md 1']);
  assert.deepEqual(await undone(theirs, { path: 'own.md' }), ['unchanged own.md']);
});

test(...claims('history.undo.dry-run', 'a dry run returns the same and changes nothing'), async () => {
  const { owner, theirs, others } = await scene();
  for (const path of ['alone.md', 'both.md', 'gone.md']) await owner.put(path, base);
  await theirs.put('alone.md', 'one\nrobot\nrobot\n', { ifMatch: 1 });
  await theirs.put('both.md', 'one\nrobot\nthree\nfour\nfive\n', { ifMatch: 1 });
  await others.put('both.md', 'one\nrobot\nthree\nFOUR\nfive\n', { ifMatch: 2 });
  await theirs.put('new.md', 'robot\nrobot\n');
  await theirs.remove('gone.md', 1);
  const before = await feedLines(owner);
  const plan = await undo(owner, { dryRun: true });
  assert.deepEqual(plan, {
    dryRun: true,
    files: [
      { path: 'alone.md', outcome: 'restored', version: 2, linesAdded: 4, linesRemoved: 2 },
      { path: 'both.md', outcome: 'merged', version: 3, linesAdded: 1, linesRemoved: 1 },
      { path: 'gone.md', outcome: 'recreated', linesAdded: 5, linesRemoved: 0 },
      { path: 'new.md', outcome: 'deleted', version: 1, linesAdded: 0, linesRemoved: 2 },
    ],
    totals: { restored: 1, merged: 1, deleted: 1, recreated: 1, unchanged: 0, left: 0 },
    nextPath: null,
  });
  assert.deepEqual(await feedLines(owner), before);
  const done = await undo(owner);
  assert.deepEqual(done.totals, plan.totals);
});

test(
  ...claims('history.undo.left', 'a file that cannot be undone is left as it is, with the reason'),
  async () => {
    const { owner, theirs, others } = await scene();
    await owner.put('overlap.md', base);
    await theirs.put('overlap.md', 'one\nrobot\nthree\nfour\nfive\n', { ifMatch: 1 });
    await others.put('overlap.md', 'one\nrobot!\nthree\nfour\nfive\n', { ifMatch: 2 });
    await theirs.put('created.md', 'robot\n');
    await others.put('created.md', 'robot\nother\n', { ifMatch: 1 });
    await owner.put('image.bin', Uint8Array.of(0xff, 0));
    await theirs.put('image.bin', Uint8Array.of(0xff, 1), { ifMatch: 1 });
    await others.put('image.bin', Uint8Array.of(0xff, 2), { ifMatch: 2 });
    await owner.put('taken.md', base);
    await theirs.remove('taken.md', 1);
    await others.put('taken.md', 'something else\n');
    await owner.put('folder', base);
    await theirs.remove('folder', 1);
    await others.put('folder/a.md', 'something else\n');
    const before = await feedLines(owner);
    const left = [
      'left created.md 2 changed_by_others',
      'left folder path_taken',
      'left image.bin 3 not_text',
      'left overlap.md 3 lines_overlap',
      'left taken.md 1 path_taken',
    ];
    assert.deepEqual(await undone(owner, { dryRun: true }), left);
    assert.deepEqual(await undone(owner), left);
    assert.deepEqual(await feedLines(owner), before);
  },
);

test(...claims('history.undo.moves', 'an undo keeps moves and undoes changes in the file'), async () => {
  const { owner, theirs, others } = await scene();
  for (const path of ['moved.md', 'edited.md', 'carried.md']) await owner.put(path, base);
  await theirs.post('move', { from: 'moved.md', to: 'new/moved.md' });
  await theirs.put('edited.md', 'robot\n', { ifMatch: 1 });
  await theirs.post('move', { from: 'edited.md', to: 'new/edited.md' });
  await theirs.put('new/edited.md', 'robot 2\n', { ifMatch: 1 });
  await theirs.put('carried.md', 'robot\n', { ifMatch: 1 });
  await others.post('move', { from: 'carried.md', to: 'new/carried.md' });
  assert.deepEqual(await undone(owner), [
    'restored new/carried.md 2',
    'restored new/edited.md 3 edited.md',
    'left new/moved.md 1 moved moved.md',
  ]);
  for (const path of ['new/carried.md', 'new/edited.md']) {
    assert.equal((await owner.get(path)).bytes.toString(), base);
  }
  assert.deepEqual(await listedPaths(owner), ['new/carried.md', 'new/edited.md', 'new/moved.md']);
});

test(
  ...claims('history.undo.deletes', 'an undo restores the text of a file that was deleted and recreated'),
  async () => {
    const { owner, theirs, others } = await scene();
    for (const path of ['anew.md', 'passing.md', 'late.md']) await owner.put(path, base);
    await theirs.remove('anew.md', 1);
    await theirs.put('anew.md', 'robot\n');
    await theirs.put('passing.md', 'robot\n', { ifMatch: 1 });
    await others.remove('passing.md', 2);
    await theirs.put('late.md', 'robot\ntwo\nthree\nfour\nfive\n', { ifMatch: 1 });
    await others.put('late.md', 'robot\ntwo\nthree\nfour\nFIVE\n', { ifMatch: 2 });
    await theirs.remove('late.md', 3);
    await theirs.put('came-and-went.md', 'robot\n');
    await theirs.remove('came-and-went.md', 1);
    assert.deepEqual(await undone(owner), [
      'restored anew.md 2',
      'unchanged came-and-went.md',
      'recreated late.md 1',
      'unchanged passing.md',
    ]);
    await assertFile(owner, 'anew.md', base, 2);
    await assertFile(owner, 'late.md', 'one\ntwo\nthree\nfour\nFIVE\n', 1);
  },
);

test(
  ...claims('history.undo.deletes', 'an undo restores a file at a path where the actor had put a folder'),
  async () => {
    const { owner, theirs } = await scene();
    await owner.put('d', base);
    await owner.put('e/a.md', base);
    await theirs.remove('d', 1);
    await theirs.put('d/a.md', 'robot\n');
    await theirs.remove('e/a.md', 1);
    await theirs.put('e', 'robot\n');
    assert.deepEqual(await undone(owner), [
      'recreated d 1',
      'deleted d/a.md 1',
      'deleted e 1',
      'recreated e/a.md 1',
    ]);
    assert.deepEqual(await listedPaths(owner), ['d', 'e/a.md']);
  },
);

test(
  ...claims(
    'history.undo.deletes',
    'an undo leaves files that others restored or recreated after a deletion, and moved',
  ),
  async () => {
    const { owner, theirs, others } = await scene();
    for (const path of ['back.md', 'gone.md', 'elsewhere.md']) await owner.put(path, base);
    await theirs.remove('back.md', 1);
    await others.post('restore', { path: 'back.md', targetVersion: 1 });
    await others.post('move', { from: 'back.md', to: 'new/back.md' });
    await others.put('new/back.md', 'other\n', { ifMatch: 1 });
    await theirs.remove('gone.md', 1);
    await others.put('gone.md', 'passing through\n');
    await others.post('move', { from: 'gone.md', to: 'new/gone.md' });
    await others.put('gone.md', 'other\n');
    await theirs.remove('elsewhere.md', 1);
    await others.put('elsewhere.md', 'passing through\n');
    await others.post('move', { from: 'elsewhere.md', to: 'new/elsewhere.md' });
    const before = await feedLines(owner);
    const kept = [
      'left back.md path_taken',
      'left elsewhere.md path_taken',
      'left gone.md 1 path_taken',
      'unchanged new/back.md 2',
      'unchanged new/elsewhere.md 1',
      'unchanged new/gone.md 1',
    ];
    assert.deepEqual(await undone(owner, { dryRun: true }), kept);
    assert.deepEqual(await undone(owner), kept);
    assert.deepEqual(await feedLines(owner), before);
  },
);

test(...claims('history.undo.copies', 'a conflicted copy is a file that its writer created'), async () => {
  const { owner, theirs } = await scene();
  await owner.put('a.md', base);
  await owner.put('a.md', 'newer\n', { ifMatch: 1 });
  const lost = await theirs.put('a.md', 'robot\n', { ifMatch: 1 });
  const copy = textAt(jsonOf(lost), 'conflict_copy_path');
  assert.deepEqual(await undone(owner), [`deleted ${copy} 1`]);
  assert.deepEqual(await listedPaths(owner), ['a.md']);
  assertStatus(await owner.post('restore', { path: copy, targetVersion: 1 }), 200);
});

test(...claims('history.undo.time', 'an undo covers the given period, both ends included'), async () => {
  const { owner, theirs } = await scene();
  await owner.put('a.md', 'zero\n\n\n\n\n');
  await theirs.put('a.md', 'one\n\n\n\n\n', { ifMatch: 1 });
  const first = await lastTime(owner);
  await laterThan(first);
  await theirs.put('a.md', 'one\n\ntwo\n\n\n', { ifMatch: 2 });
  const second = await lastTime(owner);
  await laterThan(second);
  await theirs.put('a.md', 'one\n\ntwo\n\nthree\n', { ifMatch: 3 });
  const third = await lastTime(owner);
  assert.deepEqual(await undone(owner, { since: second, until: second, dryRun: true }), ['merged a.md 4']);
  assert.deepEqual(await undone(owner, { since: third }), ['restored a.md 5']);
  await assertFile(owner, 'a.md', 'one\n\ntwo\n\n\n', 5);
  assert.deepEqual(await undone(owner, { since: second, until: second }), ['restored a.md 6']);
  await assertFile(owner, 'a.md', 'one\n\n\n\n\n', 6);
  await laterThan(await lastTime(owner));
  assert.deepEqual(await undone(owner, { since: new Date().toISOString() }), []);
});

test(...claims('history.undo.pages', 'a path limits an undo, and a call resumes after a path'), async () => {
  const { owner, theirs } = await scene();
  for (const path of ['a.md', 'b/1.md', 'b/2.md', 'c.md']) await theirs.put(path, 'robot\n');
  const dryRun = true;
  assert.deepEqual(await undone(owner, { dryRun, path: 'b' }), ['deleted b/1.md 1', 'deleted b/2.md 1']);
  assert.deepEqual(await undone(owner, { dryRun, path: 'b', afterPath: 'b/1.md' }), ['deleted b/2.md 1']);
  for (let number = 0; number < 198; number += 1) await theirs.put(`d/${number}.md`, 'robot\n');
  // A call looks at 200 files at most, and at fewer where that takes seconds.
  const found: string[] = [];
  for (let afterPath: string | undefined; ; ) {
    const page = await undo(owner, { dryRun, afterPath });
    const files = recordsAt(page, 'files').map((file) => textAt(file, 'path'));
    assert.ok(files.length > 0 && files.length <= 200, `${files.length} files`);
    assert.equal(integerAt(recordOf(page.totals), 'deleted'), files.length);
    found.push(...files);
    if (page.nextPath === null) break;
    afterPath = textAt(page, 'nextPath');
    assert.equal(afterPath, files.at(-1));
  }
  assert.equal(found.length, 202);
  assert.deepEqual(found, [...new Set(found)].sort());
});

test(
  ...claims('history.undo.who', 'members undo their own changes, owners and admins those of all'),
  async () => {
    const { owner, theirs } = await scene();
    const ben = await signUp(server, 'Ben');
    const bens = await joinWorkspace(owner, ada, ben);
    const bensKey = await createKey(ben, { name: 'Ben’s robot' });
    await bens.put('by-ben.md', 'Ben\n');
    await owner.as(bensKey.client).put('by-key.md', 'key\n');
    await theirs.put('by-robot.md', 'robot\n');
    for (const options of [{ actorKeyId: robot.id }, { actorId: ada.id }, { actorKeyId: 'none' }]) {
      for (const dryRun of [true, false]) {
        assertRejection(await bens.post('undo', { ...options, since: always, dryRun }), 403, {
          says: /^Only owners and admins can undo changes of others: give your own actorId/,
        });
      }
    }
    const as = (options: Options) => ({ actorKeyId: undefined, ...options });
    assert.deepEqual(await undone(bens, as({ actorId: ben.id, dryRun: true })), ['deleted by-ben.md 1']);
    assert.deepEqual(await undone(owner.as(bensKey.client), as({ actorId: ben.id })), [
      'deleted by-ben.md 1',
    ]);
    // Also for a key that was revoked after its changes.
    assertStatus(await ben.session.send('DELETE', `/api/keys/${bensKey.id}`), 200);
    assert.deepEqual(await undone(bens, { actorKeyId: bensKey.id, path: 'by-key.md' }), [
      'deleted by-key.md 1',
    ]);
    assertStatus(await owner.send('PATCH', `/members/${ben.id}`, { json: { role: 'admin' } }), 200);
    assert.deepEqual(await undone(bens), ['deleted by-robot.md 1']);
  },
);

test(
  ...claims('history.undo.unseen', 'paths that the caller cannot see are not named, counted or changed'),
  async () => {
    const { owner, theirs } = await scene();
    const ben = await signUp(server, 'Ben');
    const bens = await joinWorkspace(owner, ada, ben);
    assertStatus(await owner.send('PATCH', `/members/${ben.id}`, { json: { role: 'admin' } }), 200);
    await owner.put('own.md', base);
    await theirs.put('own.md', 'robot\n', { ifMatch: 1 });
    await owner.put('in/a.md', base);
    await theirs.put('in/a.md', 'robot\n', { ifMatch: 1 });
    assertStatus(
      await owner.send('PUT', '/node-private', { json: { path: 'own.md', kind: 'file', private: true } }),
      200,
    );
    const narrow = await narrowKey(owner, { access: 'write', path: 'in' });
    const seen = {
      dryRun: true,
      files: [{ path: 'in/a.md', outcome: 'restored', version: 2, linesAdded: 5, linesRemoved: 1 }],
      totals: { restored: 1, merged: 0, deleted: 0, recreated: 0, unchanged: 0, left: 0 },
      nextPath: null,
    };
    assert.deepEqual(await undo(bens, { dryRun: true }), seen);
    assert.deepEqual(await undo(owner.as(narrow.client), { dryRun: true }), seen);
    assert.deepEqual(await undone(bens, { path: 'own.md' }), []);
    assert.deepEqual(await undone(bens), ['restored in/a.md 3']);
    await assertFile(owner, 'own.md', 'robot\n', 2);
    assert.deepEqual(await undone(owner), ['unchanged in/a.md 3', 'restored own.md 3']);
    for (const access of ['read', 'comment'] as const) {
      const key = await narrowKey(owner, { access });
      const options = { actorKeyId: robot.id, since: always, dryRun: true };
      assert.equal((await owner.as(key.client).post('undo', options)).status, 403);
    }
  },
);

function narrowKey(
  { id: workspaceId }: WorkspaceClient,
  narrow: { readonly access: 'read' | 'comment' | 'write'; readonly path?: string },
): Promise<ApiKey> {
  return createKey(ada, { workspaceId, ...narrow });
}

test(...claims('history.undo.malformed', 'an invalid undo request is rejected'), async () => {
  const { owner } = await scene();
  const since = always;
  for (const options of [
    { since },
    { since, actorKeyId: robot.id, actorId: ada.id },
    { actorKeyId: robot.id },
    { actorKeyId: robot.id, since: 'yesterday' },
    { actorKeyId: robot.id, since, until: '1999-12-31' },
    { actorKeyId: robot.id, since, dryRun: 'yes' },
    { actorKeyId: robot.id, since, path: '../a' },
  ]) {
    assert.equal((await owner.post('undo', options)).status, 400, JSON.stringify(options));
  }
});
