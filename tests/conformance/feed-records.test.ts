import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertStatus, iso8601, sha256 } from '../support/expect.ts';
import { createKey, signUp } from '../support/people.ts';
import { integerAt, type JsonRecord, jsonOf, textAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server, 'Ada Lovelace');
const robot = await createKey(ada, { name: 'Robot', actorType: 'agent' });
const laptop = await createKey(ada, { name: 'Laptop', actorType: 'human' });
const emptyWorkspace = () => createWorkspace(ada, robot.client);

const byRobot = { principal: 'agent', actorId: ada.id, actorKeyId: robot.id, actorLabel: 'Robot' };
const byLaptop = { principal: 'human', actorId: ada.id, actorKeyId: laptop.id, actorLabel: 'Laptop' };
const byAda = { principal: 'human', actorId: ada.id, actorKeyId: null, actorLabel: null };

/** The records without their unpredictable fields, which it checks by form. */
async function records(workspace: WorkspaceClient): Promise<readonly JsonRecord[]> {
  const changes = await workspace.changes();
  assert.equal(new Set(changes.map((change) => textAt(change, 'id'))).size, changes.length);
  return changes.map(({ id: _id, seq: _seq, createdAt, workspaceId, ...rest }) => {
    assert.match(String(createdAt), iso8601);
    assert.equal(workspaceId, workspace.id);
    return rest;
  });
}

test(
  ...claims(['feed.record', 'feed.op.write', 'feed.created-at'], 'writes are recorded with version and hash'),
  async () => {
    const workspace = await emptyWorkspace();
    await workspace.put('a.md', 'one');
    await workspace.put('a.md', 'two', { ifMatch: 1 });
    await workspace.remove('a.md', 2);
    await workspace.put('a.md', 'three');
    assert.deepEqual(await records(workspace), [
      { path: 'a.md', op: 'write', version: 1, contentHash: sha256('one'), ...byRobot },
      { path: 'a.md', op: 'write', version: 2, contentHash: sha256('two'), ...byRobot },
      { path: 'a.md', op: 'delete', version: 2, contentHash: null, ...byRobot },
      { path: 'a.md', op: 'write', version: 1, contentHash: sha256('three'), ...byRobot },
    ]);
  },
);

test(...claims('feed.op.delete', 'a delete names the deleted version'), async () => {
  const workspace = await emptyWorkspace();
  await workspace.put('a.md', 'one');
  await workspace.remove('a.md', 1);
  assert.deepEqual((await records(workspace))[1], {
    path: 'a.md',
    op: 'delete',
    version: 1,
    contentHash: null,
    ...byRobot,
  });
});

test(
  ...claims(['feed.op.move', 'feed.op.moved-from'], 'a move is a delete and, right after it, a move'),
  async () => {
    const workspace = await emptyWorkspace();
    await workspace.put('a.md', 'one');
    await workspace.put('a.md', 'two', { ifMatch: 1 });
    await workspace.post('move', { from: 'a.md', to: 'b/c.md' });
    assert.deepEqual((await records(workspace)).slice(2), [
      { path: 'a.md', op: 'delete', version: 2, contentHash: null, ...byRobot },
      { path: 'b/c.md', op: 'move', version: 1, contentHash: sha256('two'), movedFrom: 'a.md', ...byRobot },
    ]);
  },
);

test(...claims('feed.op.move', 'the two records of a move stay together among other writers'), async () => {
  const workspace = await emptyWorkspace();
  const names = Array.from({ length: 10 }, (_, n) => `${n}.md`);
  for (const name of names) await workspace.put(name, name);
  await Promise.all(
    names.flatMap((name) => [
      workspace.post('move', { from: name, to: `moved/${name}` }),
      workspace.put(`other/${name}`, name),
    ]),
  );
  const changes = await workspace.changes();
  for (const name of names) {
    const at = changes.findIndex(({ op, path }) => op === 'delete' && path === name);
    assert.deepEqual([changes[at + 1]?.op, changes[at + 1]?.path], ['move', `moved/${name}`]);
  }
});

test(...claims('feed.op.conflict', 'a conflicted copy is recorded at its own path'), async () => {
  const workspace = await emptyWorkspace();
  await workspace.put('a.md', 'one');
  const lose = async (body: string, precondition: { ifMatch: number } | { ifNoneMatch: '*' }) =>
    textAt(jsonOf(await workspace.put('a.md', body, precondition)), 'conflict_copy_path');
  const copy = await lose('late', { ifMatch: 9 });
  await workspace.put('a.md', 'two', { ifMatch: 1 });
  const read = await lose('later', { ifMatch: 1 });
  const blind = await lose('latest', { ifNoneMatch: '*' });
  const reported = { op: 'conflict', version: 1, contentHash: null, conflictOf: 'a.md', ...byRobot };
  assert.deepEqual(
    (await records(workspace)).filter(({ op }) => op === 'conflict'),
    [
      { path: copy, conflictBase: null, ...reported },
      { path: read, conflictBase: 1, ...reported },
      { path: blind, conflictBase: null, ...reported },
    ],
  );
});

test(...claims('feed.op.restore', 'a restore is recorded with the new version and the hash'), async () => {
  const workspace = await emptyWorkspace();
  await workspace.put('a.md', 'one');
  await workspace.put('a.md', 'two', { ifMatch: 1 });
  await workspace.post('restore', { path: 'a.md', targetVersion: 1 });
  assert.deepEqual((await records(workspace))[2], {
    path: 'a.md',
    op: 'restore',
    version: 3,
    contentHash: sha256('one'),
    ...byRobot,
  });
});

test(
  ...claims(
    ['feed.actor.key', 'feed.actor.human-key', 'feed.actor.session'],
    'every change says who made it and with which credential',
  ),
  async () => {
    const workspace = await emptyWorkspace();
    for (const [caller, by] of [
      [robot.client, byRobot],
      [laptop.client, byLaptop],
      [ada.session, byAda],
    ] as const) {
      const own = workspace.as(caller);
      const from = (await records(workspace)).length;
      await own.put('a.md', 'one');
      await own.put('a.md', `late ${by.actorLabel}`, { ifMatch: 9 });
      await own.post('restore', { path: 'a.md', targetVersion: 1 });
      await own.post('move', { from: 'a.md', to: 'b.md' });
      await own.remove('b.md', 1);
      const made = (await records(workspace)).slice(from);
      assert.deepEqual(
        made.map(({ op }) => op),
        ['write', 'conflict', 'restore', 'delete', 'move', 'delete'],
      );
      for (const { principal, actorId, actorKeyId, actorLabel } of made) {
        assert.deepEqual({ principal, actorId, actorKeyId, actorLabel }, by);
      }
    }
  },
);

test(...claims('feed.actor.label-then', 'a change keeps the name of a key that is gone'), async () => {
  const workspace = await emptyWorkspace();
  const gone = await createKey(ada, { name: 'Gone' });
  await workspace.as(gone.client).put('a.md', 'x');
  assertStatus(await ada.session.send('DELETE', `/api/keys/${gone.id}`), 200);
  const [change] = await records(workspace);
  assert.equal(change?.actorLabel, 'Gone');
  assert.equal(change?.actorKeyId, gone.id);
});

test(...claims(['feed.increasing', 'feed.record'], 'every record has its own sequence number'), async () => {
  const workspace = await emptyWorkspace();
  await Promise.all(Array.from({ length: 40 }, (_, n) => workspace.put(`${n}.md`, 'x')));
  const seqs = (await workspace.changes()).map((change) => integerAt(change, 'seq'));
  assert.equal(seqs.length, 40);
  assert.deepEqual(
    seqs,
    [...new Set(seqs)].sort((a, b) => a - b),
  );
});
