import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRejection } from '../support/error.ts';
import { assertFile, assertJson, assertStatus, feedLines, iso8601, sha256 } from '../support/expect.ts';
import { createKey, signUp } from '../support/people.ts';
import { headerOf, integerAt, type JsonRecord, jsonOf, recordsAt, textAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server);
const robot = await createKey(ada, { name: 'Robot' });
const emptyWorkspace = () => createWorkspace(ada, robot.client);

async function versionText(workspace: WorkspaceClient, path: string, version: number): Promise<string> {
  const response = await workspace.query('version', { path, version });
  assertStatus(response, 200);
  return response.bytes.toString();
}

async function versionsOf(workspace: WorkspaceClient, path: string): Promise<readonly JsonRecord[]> {
  const response = await workspace.query('versions', { path });
  assertStatus(response, 200);
  return recordsAt(jsonOf(response), 'versions');
}

async function versionLines(workspace: WorkspaceClient, path: string): Promise<readonly string[]> {
  return (await versionsOf(workspace, path)).map(({ op, version }) => `${op} ${version}`);
}

test(
  ...claims(['history.version.bytes', 'history.version.etag'], 'an earlier version reads as it was'),
  async () => {
    const workspace = await emptyWorkspace();
    await workspace.put('a.md', 'one', { contentType: 'text/plain' });
    await workspace.put('a.md', 'two', { ifMatch: 1 });
    const first = await workspace.query('version', { path: 'a.md', version: 1 });
    assertStatus(first, 200);
    assert.equal(first.bytes.toString(), 'one');
    assert.match(headerOf(first, 'content-type') ?? '', /^text\/plain/);
    assert.equal(headerOf(first, 'etag'), '"1"');
    assert.equal(headerOf(first, 'x-service-version'), '1');
    assert.equal(headerOf(first, 'x-service-content-hash'), sha256('one'));
    assert.equal(await versionText(workspace, 'a.md', 2), 'two');
  },
);

test(
  ...claims(
    ['history.version.unavailable', 'history.version.unknown-path'],
    'an unknown version is not found',
  ),
  async () => {
    const workspace = await emptyWorkspace();
    await workspace.put('a.md', 'one');
    assertRejection(await workspace.query('version', { path: 'a.md', version: 2 }), 404);
    assertRejection(await workspace.query('version', { path: 'none.md', version: 1 }), 404);
  },
);

test(...claims('history.version.malformed', 'a version is named by path and whole number'), async () => {
  const workspace = await emptyWorkspace();
  await workspace.put('a.md', 'one');
  for (const query of [
    '',
    '?path=a.md',
    '?version=1',
    '?path=a.md&version=x',
    '?path=a.md&version=1.5',
    '?path=a.md&version=',
    '?path=a.md&version=-1',
  ]) {
    assertRejection(await workspace.send('GET', `/version${query}`), 400);
  }
  assertRejection(await workspace.query('version', { path: '../a.md', version: 1 }), 400);
  assertRejection(await workspace.query('version', { path: '', version: 1 }), 400);
});

test(
  ...claims(
    ['history.version.deleted', 'history.list.deleted'],
    "a deleted file's versions can still be read",
  ),
  async () => {
    const workspace = await emptyWorkspace();
    await workspace.put('a.md', 'one');
    await workspace.put('a.md', 'two', { ifMatch: 1 });
    await workspace.remove('a.md', 2);
    assert.equal(await versionText(workspace, 'a.md', 1), 'one');
    assert.equal(await versionText(workspace, 'a.md', 2), 'two');
    assert.deepEqual(await versionLines(workspace, 'a.md'), ['write 2', 'write 1']);
  },
);

test(
  ...claims(
    ['history.version.incarnations', 'history.list.incarnations'],
    'a recreated file keeps its earlier versions',
  ),
  async () => {
    const workspace = await emptyWorkspace();
    for (const life of ['first', 'second', 'third']) {
      await workspace.put('a.md', `${life} 1`);
      if (life === 'third') continue;
      await workspace.put('a.md', `${life} 2`, { ifMatch: 1 });
      if (life === 'first') await workspace.put('a.md', `${life} 3`, { ifMatch: 2 });
      await workspace.remove('a.md', life === 'first' ? 3 : 2);
    }
    assert.equal(await versionText(workspace, 'a.md', 1), 'third 1');
    assert.equal(await versionText(workspace, 'a.md', 2), 'second 2');
    assert.equal(await versionText(workspace, 'a.md', 3), 'first 3');
    assertRejection(await workspace.query('version', { path: 'a.md', version: 4 }), 404);
    assert.deepEqual(await versionLines(workspace, 'a.md'), [
      'write 1',
      'write 2',
      'write 1',
      'write 3',
      'write 2',
      'write 1',
    ]);
  },
);

test(
  ...claims(
    ['history.list.newest-first', 'history.list.entry'],
    'versions are listed newest first with who made them',
  ),
  async () => {
    const workspace = await emptyWorkspace();
    await workspace.put('a.md', 'one', { contentType: 'text/plain' });
    await workspace.as(ada.session).put('a.md', 'second', { ifMatch: 1 });
    await workspace.post('restore', { path: 'a.md', targetVersion: 1 });
    const versions = await versionsOf(workspace, 'a.md');
    for (const { createdAt } of versions) assert.match(String(createdAt), iso8601);
    const byRobot = { principal: 'agent', actorId: ada.id, actorKeyId: robot.id, actorLabel: 'Robot' };
    const byAda = { principal: 'human', actorId: ada.id, actorKeyId: null, actorLabel: null };
    const one = { size: 3, contentType: 'text/plain', contentHash: sha256('one') };
    assert.deepEqual(
      versions.map(({ createdAt: _, ...rest }) => rest),
      [
        { version: 3, ...one, op: 'restore', ...byRobot },
        {
          version: 2,
          size: 6,
          contentType: 'text/markdown',
          contentHash: sha256('second'),
          op: 'write',
          ...byAda,
        },
        { version: 1, ...one, op: 'write', ...byRobot },
      ],
    );
  },
);

test(
  ...claims('history.list.newest-first', "a conflicted copy's first version says that it is one"),
  async () => {
    const workspace = await emptyWorkspace();
    await workspace.put('a.md', 'one');
    const copy = textAt(jsonOf(await workspace.put('a.md', 'late', { ifMatch: 9 })), 'conflict_copy_path');
    assert.deepEqual(await versionLines(workspace, copy), ['conflict 1']);
  },
);

test(
  ...claims(
    ['history.list.follows-moves', 'history.version.moved-away'],
    'the history of a moved file leads back to where it was written',
  ),
  async () => {
    const workspace = await emptyWorkspace();
    await workspace.put('old.md', 'one');
    await workspace.put('old.md', 'two', { ifMatch: 1 });
    await workspace.post('move', { from: 'old.md', to: 'new.md' });
    await workspace.put('new.md', 'three', { ifMatch: 1 });
    assert.deepEqual(await versionLines(workspace, 'new.md'), ['write 2', 'move 1', 'write 2', 'write 1']);
    const versions = await versionsOf(workspace, 'new.md');
    assert.deepEqual(
      versions.map(({ movedFrom }) => movedFrom),
      [undefined, undefined, 'old.md', 'old.md'],
    );
    assert.equal(await versionText(workspace, 'new.md', 1), 'two');
    assert.equal(await versionText(workspace, 'old.md', 1), 'one');
    assert.equal(await versionText(workspace, 'old.md', 2), 'two');
    assertRejection(await workspace.query('version', { path: 'new.md', version: 3 }), 404);
  },
);

/** `new.md`, moved from `old.md`, where another file was before; then deleted and restored. */
async function movedAndUndone() {
  const workspace = await emptyWorkspace();
  await workspace.put('old.md', 'before');
  await workspace.remove('old.md', 1);
  await workspace.put('old.md', 'one', { contentType: 'text/plain' });
  await workspace.put('old.md', 'two', { ifMatch: 1 });
  await workspace.post('move', { from: 'old.md', to: 'new.md' });
  await workspace.put('new.md', 'three', { ifMatch: 1 });
  await workspace.remove('new.md', 2);
  await workspace.post('restore', { path: 'new.md', targetVersion: 2 });
  return workspace;
}

test(
  ...claims('history.version.content-hash', 'every version of the list reads by its number and content hash'),
  async () => {
    const workspace = await movedAndUndone();
    const listed = await versionsOf(workspace, 'new.md');
    assert.deepEqual(
      listed.map(({ version, op }) => `${op} ${version}`),
      ['restore 1', 'write 2', 'move 1', 'write 2', 'write 1'],
    );
    for (const { version, contentHash, contentType } of listed) {
      const wanted = { path: 'new.md', version: Number(version), contentHash: String(contentHash) };
      const response = await workspace.query('version', wanted);
      assertStatus(response, 200);
      assert.equal(sha256(response.bytes), contentHash);
      assert.equal(headerOf(response, 'x-service-content-hash'), contentHash);
      assert.equal(headerOf(response, 'etag'), `"${version}"`);
      assert.equal(headerOf(response, 'content-type'), contentType);
    }
    // By number alone, a newer version hides an earlier one with the same number.
    assert.equal(await versionText(workspace, 'new.md', 1), 'three');
  },
);

test(
  ...claims('history.version.content-hash-unlisted', 'a version that the list does not show is not found'),
  async () => {
    const workspace = await movedAndUndone();
    const version = (number: number, text: string, path = 'new.md') =>
      workspace.query('version', { path, version: number, contentHash: sha256(text) });
    // Written, but not in this file's history; never written; written as another version; at no path.
    assertRejection(await version(1, 'before'), 404, { says: /^Version not found/ });
    assertRejection(await version(1, 'never'), 404, { says: /^Version not found/ });
    assertRejection(await version(2, 'one'), 404, { says: /^Version not found/ });
    assertRejection(await version(1, 'one', 'none.md'), 404, { says: 'File not found' });
    assert.equal((await version(1, 'before', 'old.md')).bytes.toString(), 'before');
    for (const contentHash of ['', 'x', sha256('one').toUpperCase()]) {
      assertRejection(await workspace.query('version', { path: 'new.md', version: 1, contentHash }), 400);
      const restore = { path: 'new.md', targetVersion: 1, contentHash };
      assertRejection(await workspace.post('restore', restore), 400);
    }
    const unlisted = { path: 'new.md', targetVersion: 1, contentHash: sha256('before') };
    assertRejection(await workspace.post('restore', unlisted), 404);
    await assertFile(workspace, 'new.md', 'three', 1);
  },
);

test(
  ...claims('history.restore.content-hash', 'a version from before a move is restored where the file is now'),
  async () => {
    const workspace = await movedAndUndone();
    const target = { path: 'new.md', targetVersion: 1, contentHash: sha256('one') };
    const restored = await workspace.post('restore', target);
    assertJson(restored, 200, { path: 'new.md', version: 2, restoredFrom: 1 });
    await assertFile(workspace, 'new.md', 'one', 2);
    const { headers } = await workspace.get('new.md');
    assert.deepEqual(headers.get('content-type'), ['text/plain']);
    assertRejection(await workspace.get('old.md'), 404);
  },
);

test(
  ...claims(
    'history.restore.content-hash',
    'a restored version has the type that the move would have given it',
  ),
  async () => {
    const workspace = await emptyWorkspace();
    await workspace.put('a.txt', 'one');
    await workspace.put('a.txt', 'two', { ifMatch: 1 });
    await workspace.post('move', { from: 'a.txt', to: 'a.json' });
    const target = { path: 'a.json', targetVersion: 1, contentHash: sha256('one') };
    assertStatus(await workspace.post('restore', target), 200);
    assert.equal(headerOf(await workspace.get('a.json'), 'content-type'), 'application/json');
  },
);

test(...claims('history.list.unknown', 'a path that never existed has no versions'), async () => {
  const workspace = await emptyWorkspace();
  await workspace.put('folder/a.md', 'one');
  assertRejection(await workspace.query('versions', { path: 'none.md' }), 404);
  assertRejection(await workspace.query('versions', { path: 'folder' }), 404);
  assertRejection(await workspace.send('GET', '/versions'), 400);
});

test(
  ...claims(
    ['history.restore.new-version', 'history.restore.nothing-lost'],
    'a restored version is the newest and nothing is lost',
  ),
  async () => {
    const workspace = await emptyWorkspace();
    await workspace.put('a.md', 'one');
    await workspace.put('a.md', 'two', { ifMatch: 1 });
    const response = await workspace.post('restore', { path: 'a.md', targetVersion: 1 });
    assertJson(response, 200, { path: 'a.md', version: 3, restoredFrom: 1 });
    await assertFile(workspace, 'a.md', 'one', 3);
    assert.equal(await versionText(workspace, 'a.md', 2), 'two');
    assert.deepEqual(await feedLines(workspace), ['write a.md 1', 'write a.md 2', 'restore a.md 3']);
  },
);

test(...claims('history.restore.identical', 'restoring the current text makes a new version'), async () => {
  const workspace = await emptyWorkspace();
  await workspace.put('a.md', 'one');
  const response = await workspace.post('restore', { path: 'a.md', targetVersion: 1 });
  assertJson(response, 200, { path: 'a.md', version: 2, restoredFrom: 1 });
  assert.deepEqual(await feedLines(workspace), ['write a.md 1', 'restore a.md 2']);
});

test(...claims('history.restore.deleted', 'a deleted file can be brought back'), async () => {
  const workspace = await emptyWorkspace();
  await workspace.put('a.md', 'one');
  await workspace.put('a.md', 'two', { ifMatch: 1 });
  await workspace.remove('a.md', 2);
  const response = await workspace.post('restore', { path: 'a.md', targetVersion: 2 });
  assertJson(response, 200, { path: 'a.md', version: 1, restoredFrom: 2 });
  await assertFile(workspace, 'a.md', 'two', 1);
  assert.deepEqual(await feedLines(workspace), [
    'write a.md 1',
    'write a.md 2',
    'delete a.md 2',
    'restore a.md 1',
  ]);
});

test(...claims('history.restore.deleted', 'a moved file can be brought back where it was'), async () => {
  const workspace = await emptyWorkspace();
  await workspace.put('a.md', 'one');
  await workspace.post('move', { from: 'a.md', to: 'b.md' });
  const response = await workspace.post('restore', { path: 'a.md', targetVersion: 1 });
  assertJson(response, 200, { path: 'a.md', version: 1, restoredFrom: 1 });
  await assertFile(workspace, 'b.md', 'one', 1);
});

test(...claims('history.restore.unavailable', 'an unknown version cannot be restored'), async () => {
  const workspace = await emptyWorkspace();
  await workspace.put('a.md', 'one');
  assertRejection(await workspace.post('restore', { path: 'a.md', targetVersion: 2 }), 404);
  assertRejection(await workspace.post('restore', { path: 'none.md', targetVersion: 1 }), 404);
  assert.deepEqual(await feedLines(workspace), ['write a.md 1']);
});

test(
  ...claims(['history.restore.malformed', 'paths.in-bodies'], 'a restore needs a path and a version'),
  async () => {
    const workspace = await emptyWorkspace();
    await workspace.put('a.md', 'one');
    for (const body of [
      {},
      { path: 'a.md' },
      { targetVersion: 1 },
      { path: 'a.md', targetVersion: '1' },
      { path: 'a.md', targetVersion: 1.5 },
      { path: 'a.md', targetVersion: -1 },
      { path: 'a.md', targetVersion: null },
      { path: 'x/../a.md', targetVersion: 1 },
      { path: '', targetVersion: 1 },
      [],
    ]) {
      assertRejection(await workspace.post('restore', body), 400);
    }
  },
);

test(...claims('history.restore.blocked', 'a restore removes no folder or file in its way'), async () => {
  const workspace = await emptyWorkspace();
  await workspace.put('a', 'file');
  await workspace.remove('a', 1);
  await workspace.put('a/b', 'below');
  assertRejection(await workspace.post('restore', { path: 'a', targetVersion: 1 }), 409);
  await workspace.remove('a/b', 1);
  await workspace.put('a', 'file again');
  assertRejection(await workspace.post('restore', { path: 'a/b', targetVersion: 1 }), 409);
});

test(...claims('history.restore.race', 'a restore during many saves loses nothing'), async () => {
  const workspace = await emptyWorkspace();
  await workspace.put('a.md', 'the first text');
  const saving = async (writer: number) => {
    for (let save = 0; save < 5; save += 1) {
      const version = headerOf(await workspace.get('a.md'), 'x-service-version') ?? '';
      await workspace.put('a.md', `writer ${writer} save ${save}`, { ifMatch: version });
    }
  };
  const restoring = Array.from({ length: 10 }, () =>
    workspace.post('restore', { path: 'a.md', targetVersion: 1 }),
  );
  const [restores] = await Promise.all([
    Promise.all(restoring),
    ...Array.from({ length: 4 }, (_, writer) => saving(writer)),
  ]);
  const versions = new Set<number>();
  for (const restore of restores) {
    if (restore.status === 409) {
      assert.equal(textAt(jsonOf(restore), 'error'), 'restore_conflicted');
      const copy = await workspace.get(textAt(jsonOf(restore), 'conflict_copy_path'));
      assert.equal(copy.bytes.toString(), 'the first text');
    } else {
      assertStatus(restore, 200);
      const version = integerAt(jsonOf(restore), 'version');
      assert.equal(await versionText(workspace, 'a.md', version), 'the first text');
      versions.add(version);
    }
  }
  const kept = restores.filter(({ status }) => status === 200);
  assert.equal(versions.size, kept.length, 'each restore has a version of its own');
});
