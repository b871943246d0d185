import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertRejection } from '../support/error.ts';
import { assertFile, assertJson, assertStatus, feedLines, listedPaths, sha256 } from '../support/expect.ts';
import { joinWorkspace } from '../support/join-workspace.ts';
import { createKey, signUp } from '../support/people.ts';
import { integerAt, type JsonRecord, jsonOf, recordsAt, textAt } from '../support/response.ts';
import { useTarget } from '../support/target.ts';
import { createWorkspace, type WorkspaceClient } from '../support/workspace-client.ts';
import { claims } from './claims.ts';

const server = await useTarget();
const ada = await signUp(server, 'Ada');
const ben = await signUp(server, 'Ben');
const cleo = await signUp(server, 'Cleo');

interface Shared {
  readonly adas: WorkspaceClient;
  readonly bens: WorkspaceClient;
}

async function openShared(): Promise<Shared> {
  const adas = await createWorkspace(ada);
  return { adas, bens: await joinWorkspace(adas, ada, ben) };
}

function setPrivate(as: WorkspaceClient, path: string, kind: 'file' | 'folder', isPrivate = true) {
  return as.send('PUT', '/node-private', { json: { path, kind, private: isPrivate } });
}

async function hide(as: WorkspaceClient, path: string, kind: 'file' | 'folder' = 'folder') {
  assertStatus(await setPrivate(as, path, kind), 200);
}

async function show(as: WorkspaceClient, path: string, kind: 'file' | 'folder' = 'folder') {
  assertStatus(await setPrivate(as, path, kind, false), 200);
}

const privatePathsOf = async (as: WorkspaceClient) => jsonOf(await as.query('list')).privatePaths;
const accessLines = async (as: WorkspaceClient) =>
  (await feedLines(as)).filter((line) => line.startsWith('access_'));

test(
  ...claims(
    ['privacy.set', 'privacy.read', 'privacy.list', 'privacy.private-paths', 'privacy.owner-only'],
    'a file can be private',
  ),
  async () => {
    const { adas, bens } = await openShared();
    await adas.put('a.md', 'mine');
    const response = { ok: true, path: 'a.md', kind: 'file', private: true };
    assertJson(await setPrivate(adas, 'a.md', 'file'), 200, response);
    assertJson(await setPrivate(adas, 'a.md', 'file'), 200, response);
    await assertFile(adas, 'a.md', 'mine', 1);
    assertRejection(await bens.get('a.md'), 404);
    assertRejection(await bens.put('a.md', 'yours', { ifMatch: 1 }), 404);
    assertRejection(await bens.put('a.md', 'yours', { ifNoneMatch: '*' }), 404);
    assertRejection(await bens.remove('a.md', 1), 404);
    assertRejection(await bens.post('move', { from: 'a.md', to: 'b.md' }), 404);
    assert.deepEqual([await listedPaths(adas), await listedPaths(bens)], [['a.md'], []]);
    assert.deepEqual([await privatePathsOf(adas), await privatePathsOf(bens)], [['a.md'], []]);
    assertRejection(await setPrivate(bens, 'a.md', 'file', false), 404);
    assertRejection(await bens.get('a.md'), 404);
    await show(adas, 'a.md', 'file');
    await assertFile(bens, 'a.md', 'mine', 1);
  },
);

test(
  ...claims('privacy.read', 'a write to a hidden path is 404, whatever else is wrong with it'),
  async () => {
    const { adas, bens } = await openShared();
    await adas.put('d/a.md', 'mine');
    await hide(adas, 'd');
    for (const path of ['d/a.md', 'd/new.md']) {
      assertRejection(await bens.put(path, 'blind'), 404);
      assertRejection(await bens.put(path, ''), 404);
      assertRejection(await bens.put(path, 'small', { ifMatch: 'not a version' }), 404);
      assertRejection(await bens.put(path, 'small', { contentType: 'not a type' }), 404);
      assertRejection(await bens.put(path, Buffer.alloc(100_000, 1), { ifMatch: 'not a version' }), 404);
    }
    await assertFile(adas, 'd/a.md', 'mine', 1);
  },
);

test(
  ...claims(
    ['privacy.folder', 'privacy.nearest', 'privacy.future-folder', 'privacy.already-private'],
    'a private folder hides what is below it, and the nearest choice decides',
  ),
  async () => {
    const { adas, bens } = await openShared();
    await hide(adas, 'f');
    assertRejection(await setPrivate(adas, 'none.md', 'file'), 404);
    await adas.put('f/deep/a.md', 'a');
    assert.deepEqual(await listedPaths(bens), []);
    assertRejection(await setPrivate(bens, 'f/deep', 'folder'), 404);
    assertRejection(await setPrivate(bens, 'f', 'folder'), 404);
    await hide(adas, 'f/deep');
    await show(adas, 'f');
    await adas.put('f/b.md', 'b');
    assert.deepEqual(await listedPaths(bens), ['f/b.md']);
    await hide(bens, 'f');
    assert.deepEqual(await listedPaths(bens), ['f/b.md']);
    assert.deepEqual(await listedPaths(adas), ['f/deep/a.md']);
  },
);

test(
  ...claims(
    ['privacy.history', 'history.version.content-hash-unlisted'],
    'text from a private folder cannot be read by its hash once the file is moved out and shared',
  ),
  async () => {
    const { adas, bens } = await openShared();
    await hide(adas, 'mine');
    await adas.put('mine/a.md', 'draft');
    await adas.put('mine/a.md', 'final', { ifMatch: 1 });
    await adas.post('move', { from: 'mine/a.md', to: 'shown.md' });
    await show(adas, 'shown.md', 'file');
    const draft = { path: 'shown.md', version: 1, contentHash: sha256('draft') };
    const restore = { path: 'shown.md', targetVersion: 1, contentHash: sha256('draft') };
    assert.equal((await adas.query('version', draft)).bytes.toString(), 'draft');
    assertRejection(await bens.query('version', draft), 404, { says: /^Version not found/ });
    assertRejection(await bens.post('restore', restore), 404, { says: /^Version not found/ });
    await assertFile(bens, 'shown.md', 'final', 1);
    assertStatus(await adas.post('restore', restore), 200);
    await assertFile(bens, 'shown.md', 'draft', 2);
  },
);

test(
  ...claims(
    ['privacy.delete-keeps', 'privacy.history', 'privacy.blocked'],
    'a deleted private file leaves no way to it',
  ),
  async () => {
    const { adas, bens } = await openShared();
    await adas.put('a.md', 'mine');
    await hide(adas, 'a.md', 'file');
    assertRejection(await bens.query('versions', { path: 'a.md' }), 404);
    assertRejection(await bens.query('version', { path: 'a.md', version: 1 }), 404);
    assertStatus(await adas.remove('a.md', 1), 204);
    assertRejection(await bens.put('a.md', 'yours'), 404);
    assertRejection(await bens.post('restore', { path: 'a.md', targetVersion: 1 }), 404);
    assertStatus(await adas.put('a.md', 'again'), 201);
    assertRejection(await bens.get('a.md'), 404);
    await hide(adas, 'f');
    await adas.put('f/a.md', 'a');
    assertRejection(await bens.put('f', 'a file where a hidden folder is'), 404);
    assertRejection(await adas.put('f', 'a file where a folder is'), 409);
  },
);

test(...claims('privacy.history', 'an earlier private path of a shared file stays hidden'), async () => {
  const { adas, bens } = await openShared();
  await hide(adas, 'secret');
  await adas.put('secret/a.md', 'a');
  assertStatus(await adas.post('move', { from: 'secret/a.md', to: 'a.md' }), 200);
  await show(adas, 'a.md', 'file');
  const pathsOf = async (as: WorkspaceClient) =>
    recordsAt(jsonOf(await as.query('versions', { path: 'a.md' })), 'versions').map(
      ({ movedFrom }) => movedFrom ?? null,
    );
  assert.deepEqual(await pathsOf(adas), [null, 'secret/a.md']);
  assert.deepEqual(await pathsOf(bens), [null]);
  assert.deepEqual(await feedLines(bens), ['access_granted a.md null']);
});

test(...claims('privacy.copy', 'the bytes that lose against a private file stay private'), async () => {
  const { adas, bens } = await openShared();
  await adas.put('a.md', 'one');
  await hide(adas, 'a.md', 'file');
  const lost = await adas.put('a.md', 'two', { ifMatch: 7 });
  assertStatus(lost, 412);
  const copy = textAt(jsonOf(lost), 'conflict_copy_path');
  await assertFile(adas, copy, 'two', 1);
  assertRejection(await bens.get(copy), 404);
  assert.deepEqual(await listedPaths(bens), []);
});

test(...claims('privacy.leaver', 'a leaver’s private files are hidden until they return'), async () => {
  const { adas, bens } = await openShared();
  await hide(bens, 'b');
  await bens.put('b/a.md', 'three');
  assertStatus(await bens.send('DELETE', `/members/${ben.id}`), 204);
  assertRejection(await adas.get('b/a.md'), 404);
  const { usedBytes, usedFiles } = jsonOf(await adas.query('usage'));
  assert.deepEqual({ usedBytes, usedFiles }, { usedBytes: 5, usedFiles: 1 });
  await assertFile(await joinWorkspace(adas, ada, ben), 'b/a.md', 'three', 1);
});

const former = (as: WorkspaceClient, query: Record<string, string | number> = {}) =>
  as.query('departed-private', query);
const reclaim = (as: WorkspaceClient, path: string, toUserId?: string) =>
  as.post('departed-private/reclaim', { path, ...(toUserId === undefined ? {} : { toUserId }) });

/** Ben makes these folders private, each with a file, and is removed. */
async function leaveBehind({ adas, bens }: Shared, ...folders: readonly string[]) {
  for (const folder of folders) {
    await hide(bens, folder);
    assertStatus(await bens.put(`${folder}/a.md`, folder), 201);
  }
  assertStatus(await adas.send('DELETE', `/members/${ben.id}`), 204);
}

test(...claims('privacy.departed', 'an owner sees the private paths of former members'), async () => {
  const shared = await openShared();
  const { adas, bens } = shared;
  await hide(adas, 'adas');
  await hide(bens, 'empty');
  assertJson(await former(adas), 200, { items: [], nextAfter: null });
  for (const path of ['\u{1f600}.md', '\u{ff5e}.md']) {
    await bens.put(path, 'a');
    await hide(bens, path, 'file');
  }
  await leaveBehind(shared, 'b/deep', 'b');
  const owner = { id: ben.id, name: 'Ben' };
  const items = [
    ...['b', 'b/deep', 'empty'].map((path) => ({ path, kind: 'folder', owner })),
    ...['\u{ff5e}.md', '\u{1f600}.md'].map((path) => ({ path, kind: 'file', owner })),
  ];
  assertJson(await former(adas), 200, { items, nextAfter: null });
  const first = { items: items.slice(0, 2), nextAfter: 'b/deep' };
  assertJson(await former(adas, { limit: 2 }), 200, first);
  const rest = { items: items.slice(2), nextAfter: null };
  assertJson(await former(adas, { limit: 3, after: 'b/deep' }), 200, rest);
  assertRejection(await former(adas, { limit: 0 }), 400);
  assertRejection(await former(adas, { after: '../b' }), 400);
  await joinWorkspace(adas, ada, ben);
  assertJson(await former(adas), 200, { items: [], nextAfter: null });
});

test(
  ...claims('privacy.departed-owners', 'only an owner with a session reclaims paths of former members'),
  async () => {
    const shared = await openShared();
    const { adas } = shared;
    const cleos = await joinWorkspace(adas, ada, cleo);
    await leaveBehind(shared, 'b');
    const rejectedTo = async (as: WorkspaceClient, says: RegExp) => {
      for (const path of ['b', 'none']) assertRejection(await reclaim(as, path), 403, { says });
      assertRejection(await former(as), 403, { says });
    };
    await rejectedTo(adas.as((await createKey(ada)).client), /session/);
    for (const role of ['member', 'admin']) {
      assertStatus(await adas.send('PATCH', `/members/${cleo.id}`, { json: { role } }), 200);
      await rejectedTo(cleos, /owners/i);
    }
    assertRejection(await adas.get('b/a.md'), 404);
    assertRejection(await adas.post('departed-private/reclaim', {}), 400);
    assertRejection(await reclaim(adas, '../b'), 400);
  },
);

test(...claims('privacy.departed-shared', "an owner shares a former member's private path"), async () => {
  const shared = await openShared();
  const { adas } = shared;
  const cleos = await joinWorkspace(adas, ada, cleo);
  await hide(shared.bens, 'empty');
  await leaveBehind(shared, 'b', 'b/deep');
  const nowShared = (path: string) => ({ ok: true, path, kind: 'folder', ownerId: null });
  assertJson(await reclaim(adas, 'empty'), 200, nowShared('empty'));
  assertJson(await reclaim(adas, 'b/deep'), 200, nowShared('b/deep'));
  for (const as of [adas, cleos]) {
    assertRejection(await as.get('b/deep/a.md'), 404);
    assert.deepEqual(await feedLines(as), []);
  }
  assertJson(await reclaim(adas, 'b'), 200, nowShared('b'));
  for (const as of [adas, cleos]) {
    await assertFile(as, 'b/a.md', 'b', 1);
    assert.deepEqual(await listedPaths(as), ['b/a.md', 'b/deep/a.md']);
    assert.deepEqual(await feedLines(as), ['access_granted b null']);
  }
  assertRejection(await reclaim(adas, 'b'), 404);
  assertJson(await former(adas), 200, { items: [], nextAfter: null });
});

test(
  ...claims('privacy.departed-shared', 'a reclaimed path in a member’s private folder becomes that member’s'),
  async () => {
    const shared = await openShared();
    const { adas } = shared;
    const cleos = await joinWorkspace(adas, ada, cleo);
    await leaveBehind(shared, 'f/b');
    await hide(cleos, 'f');
    assertStatus(await reclaim(adas, 'f/b'), 200);
    await assertFile(cleos, 'f/b/a.md', 'f/b', 1);
    assertRejection(await adas.get('f/b/a.md'), 404);
    assert.deepEqual(await feedLines(cleos), ['access_granted f/b null']);
    assert.deepEqual(await feedLines(adas), []);
  },
);

test(
  ...claims('privacy.departed-given', 'an owner gives a member the private path of a former member'),
  async () => {
    const shared = await openShared();
    const { adas } = shared;
    const cleos = await joinWorkspace(adas, ada, cleo);
    await leaveBehind(shared, 'b');
    for (const nobody of [ben.id, 'nobody', '']) assertRejection(await reclaim(adas, 'b', nobody), 404);
    const given = { ok: true, path: 'b', kind: 'folder', ownerId: cleo.id };
    assertJson(await reclaim(adas, 'b', cleo.id), 200, given);
    await assertFile(cleos, 'b/a.md', 'b', 1);
    assertRejection(await adas.get('b/a.md'), 404);
    assert.deepEqual(await privatePathsOf(cleos), ['b']);
    assert.deepEqual([await feedLines(cleos), await feedLines(adas)], [['access_granted b null'], []]);
    assertRejection(await reclaim(adas, 'b'), 404);
    const bens = await joinWorkspace(adas, ada, ben);
    assertRejection(await bens.get('b/a.md'), 404);
    await show(cleos, 'b');
    await assertFile(bens, 'b/a.md', 'b', 1);
  },
);

test(...claims('privacy.departed-only', 'an owner cannot take a current member’s private path'), async () => {
  const shared = await openShared();
  const { adas, bens } = shared;
  const cleos = await joinWorkspace(adas, ada, cleo);
  await hide(cleos, 'c');
  await cleos.put('c/a.md', 'c');
  await adas.put('open.md', 'o');
  await leaveBehind(shared, 'b');
  await joinWorkspace(adas, ada, ben);
  for (const path of ['c', 'c/a.md', 'b', 'b/a.md', 'open.md', 'none']) {
    for (const to of [undefined, ada.id]) {
      assertRejection(await reclaim(adas, path, to), 404, { says: 'File not found' });
    }
  }
  await assertFile(bens, 'b/a.md', 'b', 1);
  assertRejection(await adas.get('c/a.md'), 404);
});

test(
  ...claims(
    ['feed.op.access-revoked', 'feed.op.access-granted', 'feed.access-record'],
    'other members learn when they lose a path and when they get it back',
  ),
  async () => {
    const { adas, bens } = await openShared();
    const cleos = await joinWorkspace(adas, ada, cleo);
    await adas.put('a.md', 'a');
    await hide(adas, 'a.md', 'file');
    await hide(adas, 'empty');
    assert.deepEqual(await accessLines(adas), []);
    assert.deepEqual(await accessLines(bens), ['access_revoked a.md null']);
    await show(adas, 'a.md', 'file');
    for (const others of [bens, cleos]) {
      const reported = ['access_revoked a.md null', 'access_granted a.md null'];
      assert.deepEqual(await accessLines(others), reported);
    }
    assert.deepEqual(await accessLines(adas), []);
    const granted = (await bens.changes()).find(({ op }) => op === 'access_granted');
    assert.deepEqual([granted?.version, granted?.contentHash], [null, null]);
  },
);

test(...claims('feed.op.access-revoked', 'a later member does not see others’ earlier losses'), async () => {
  const { adas, bens } = await openShared();
  await adas.put('plan-to-quit.md', 'a');
  await hide(adas, 'plan-to-quit.md', 'file');
  const cleos = await joinWorkspace(adas, ada, cleo);
  assert.deepEqual(await feedLines(cleos), []);
  assert.deepEqual(await feedLines(bens), ['access_revoked plan-to-quit.md null']);
  await adas.put('b.md', 'b');
  await hide(adas, 'b.md', 'file');
  assert.deepEqual(await feedLines(cleos), ['access_revoked b.md null']);
});

test(
  ...claims(
    ['feed.private', 'feed.private-history'],
    'a change made in private stays so, and one made in the open is hidden with its path',
  ),
  async () => {
    const { adas, bens } = await openShared();
    await hide(adas, 'f');
    await adas.put('f/a.md', 'in private');
    const page = jsonOf(await bens.query('changes', { sinceSeq: adas.startSeq }));
    assert.deepEqual(page.changes, []);
    assert.equal(page.nextSeq, page.head);
    assert.ok(integerAt(page, 'head') > adas.startSeq);
    await show(adas, 'f');
    await adas.put('f/a.md', 'in the open', { ifMatch: 1 });
    assert.deepEqual(await feedLines(bens), ['access_granted f null', 'write f/a.md 2']);
    await hide(adas, 'f');
    assert.deepEqual(await feedLines(bens), ['access_revoked f null']);
  },
);

test(
  ...claims(
    ['moves.privacy', 'moves.onto-private', 'moves.folder.private', 'moves.folder.privacy'],
    'privacy moves with a path, and reveals nothing on the way',
  ),
  async () => {
    const { adas, bens } = await openShared();
    await adas.put('a.md', 'a');
    await hide(adas, 'a.md', 'file');
    assertStatus(await adas.post('move', { from: 'a.md', to: 'b.md' }), 200);
    assertRejection(await bens.get('b.md'), 404);
    await hide(adas, 'f');
    await adas.put('f/a.md', 'a');
    assertStatus(await adas.post('move', { from: 'f/a.md', to: 'g/a.md' }), 200);
    assertRejection(await bens.get('g/a.md'), 404);
    await bens.put('bens.md', 'b');
    assertRejection(await bens.post('move', { from: 'bens.md', to: 'g/a.md' }), 404);
    for (const move of [
      { from: 'f', to: 'h' },
      { from: 'none', to: 'f' },
    ]) {
      assertStatus(await bens.post('move-folder', move), 200);
    }
    assert.deepEqual(await privatePathsOf(adas), ['b.md', 'f', 'g/a.md']);
    assertStatus(await adas.post('move-folder', { from: 'f', to: 'g' }), 200);
    assert.deepEqual(await privatePathsOf(adas), ['b.md', 'g']);
    assertRejection(await bens.get('g/a.md'), 404);
    await show(adas, 'g');
    await assertFile(bens, 'g/a.md', 'a', 1);
  },
);

test(
  ...claims('privacy.left-behind', 'versions of a private file stay hidden at the path it left'),
  async () => {
    const { adas, bens } = await openShared();
    const unread = async (path: string, text: string) => {
      const contentHash = sha256(text);
      const pin = { path, kind: 'file', access: 'member', pinnedVersion: 1 };
      for (const response of [
        await bens.query('version', { path, version: 1 }),
        await bens.query('version', { path, version: 1, contentHash }),
        await bens.query('versions', { path }),
        await bens.post('restore', { path, targetVersion: 1 }),
        await bens.post('restore', { path, targetVersion: 1, contentHash }),
        await bens.post('shares', pin),
      ]) {
        assertRejection(response, 404);
      }
      assert.equal((await adas.query('version', { path, version: 1 })).bytes.toString(), text);
    };
    await adas.put('a.md', 'mine');
    await hide(adas, 'a.md', 'file');
    assertStatus(await adas.post('move', { from: 'a.md', to: 'b.md' }), 200);
    await unread('a.md', 'mine');
    await hide(adas, 'f');
    for (const path of ['f/moved.md', 'f/deleted.md']) await adas.put(path, path);
    await adas.remove('f/deleted.md', 1);
    assertStatus(await adas.post('move-folder', { from: 'f', to: 'g', files: true }), 200);
    await unread('f/moved.md', 'f/moved.md');
    await unread('f/deleted.md', 'f/deleted.md');

    // A later user of the path finds the versions of their own file only.
    await bens.put('a.md', 'theirs');
    assert.equal(recordsAt(jsonOf(await bens.query('versions', { path: 'a.md' })), 'versions').length, 1);
    await bens.remove('a.md', 1);
    assert.equal((await bens.query('version', { path: 'a.md', version: 1 })).bytes.toString(), 'theirs');
    await adas.put('a.md', 'again');
    await hide(adas, 'a.md', 'file');
    assertStatus(await adas.post('move', { from: 'a.md', to: 'c.md' }), 200);
    assert.equal((await bens.query('version', { path: 'a.md', version: 1 })).bytes.toString(), 'theirs');
    assertStatus(await bens.post('restore', { path: 'a.md', targetVersion: 1 }), 200);
    await assertFile(bens, 'a.md', 'theirs', 1);

    // Sharing the file at its new path shares its past. Versions that were visible when it left stay so.
    await show(adas, 'b.md', 'file');
    const first = await bens.query('version', { path: 'a.md', version: 1, contentHash: sha256('mine') });
    assert.equal(first.bytes.toString(), 'mine');
    await bens.put('open.md', 'open');
    await adas.post('move', { from: 'open.md', to: 'g/open.md' });
    assert.equal((await bens.query('version', { path: 'open.md', version: 1 })).bytes.toString(), 'open');
  },
);

test(...claims('moves.folder.hidden', 'a folder move takes no private path of others'), async () => {
  const { adas, bens } = await openShared();
  await hide(adas, 'to/adas');
  for (const path of ['to/adas/a.md', 'to/adas/deep/a.md']) await adas.put(path, 'a');
  assertStatus(await adas.send('PUT', '/node-icon', { json: { path: 'to/adas', icon: 'star' } }), 200);
  await hide(adas, 'to/empty');
  for (const path of ['from/adas', 'from/adas/deep', 'from/empty', 'from/bens']) await hide(bens, path);
  await bens.put('from/adas/b.md', 'b');
  assertStatus(await bens.send('PUT', '/node-icon', { json: { path: 'from/adas', icon: 'bug' } }), 200);
  const json = { paths: ['from/adas'] };
  assertStatus(await bens.send('PUT', '/node-order', { json }), 200);

  assertStatus(await bens.post('move-folder', { from: 'from', to: 'to' }), 200);
  const list = async (as: WorkspaceClient) => {
    const { icons, orders, privatePaths } = jsonOf(await as.query('list'));
    return { icons, orders, privatePaths, files: await listedPaths(as) };
  };
  assert.deepEqual(await list(adas), {
    icons: { 'to/adas': 'star' },
    orders: {},
    privatePaths: ['to/adas', 'to/empty'],
    files: ['to/adas/a.md', 'to/adas/deep/a.md'],
  });
  assert.deepEqual(await list(bens), {
    icons: { 'from/adas': 'bug' },
    orders: { 'from/adas': 0 },
    privatePaths: ['from/adas', 'from/adas/deep', 'from/empty', 'to/bens'],
    files: ['from/adas/b.md'],
  });
  for (const path of ['to/adas/a.md', 'to/adas/deep/a.md']) assertRejection(await bens.get(path), 404);
  await adas.put('to/empty/a.md', 'a');
  assertRejection(await bens.get('to/empty/a.md'), 404);
});

test(
  ...claims('moves.folder.files.hidden', 'a folder with its files cannot move into another’s private folder'),
  async () => {
    const { adas, bens } = await openShared();
    await hide(adas, 'to/adas');
    for (const path of ['from/a.md', 'from/adas/b.md', 'from/adas/own/c.md']) await bens.put(path, 'b');
    await hide(bens, 'from/adas/own');
    const [before, feed] = [await listedPaths(bens), await feedLines(bens)];
    assertRejection(await bens.post('move-folder', { from: 'from', to: 'to', files: true }), 404);
    assert.deepEqual(await listedPaths(bens), before);
    assert.deepEqual(await feedLines(bens), feed);
    assert.deepEqual(await privatePathsOf(bens), ['from/adas/own']);
    assert.deepEqual(await privatePathsOf(adas), ['to/adas']);
    await show(adas, 'to/adas');
    assertStatus(await bens.post('move-folder', { from: 'from', to: 'to', files: true }), 200);
    assert.deepEqual(await listedPaths(bens), ['to/a.md', 'to/adas/b.md', 'to/adas/own/c.md']);
    assert.deepEqual(await listedPaths(adas), ['to/a.md', 'to/adas/b.md']);
  },
);

test(
  ...claims(
    ['search.private', 'nodes.private-hidden'],
    'private paths are not found or counted, and their icon and order are hidden',
  ),
  async () => {
    const { adas, bens } = await openShared();
    await hide(adas, 'f');
    await adas.put('f/needle.md', 'a');
    await adas.put('needle-too.md', 'b');
    for (const path of ['f', 'f/needle.md']) {
      assertStatus(await adas.send('PUT', '/node-icon', { json: { path, icon: 'star' } }), 200);
    }
    assertStatus(await adas.send('PUT', '/node-order', { json: { paths: ['f/needle.md', 'f'] } }), 200);
    const found = async (as: WorkspaceClient): Promise<JsonRecord> =>
      jsonOf(await as.query('search', { q: 'needle', limit: 1 }));
    assert.equal((await found(adas)).totalMatches, 2);
    const forBen = await found(bens);
    assert.equal(forBen.totalMatches, 1);
    assert.equal(forBen.truncated, false);
    assert.deepEqual(
      recordsAt(forBen, 'results').map(({ path }) => path),
      ['needle-too.md'],
    );
    const { icons, orders } = jsonOf(await bens.query('list'));
    assert.deepEqual([icons, orders], [{}, {}]);
    const own = jsonOf(await adas.query('list'));
    assert.deepEqual(own.icons, { f: 'star', 'f/needle.md': 'star' });
    assert.deepEqual(own.orders, { 'f/needle.md': 0, f: 1 });
  },
);

test(
  ...claims('privacy.copy', "a private file in another's private folder gets its copy next to it"),
  async () => {
    const { adas, bens } = await openShared();
    await bens.put('team/ben.md', 'one');
    await hide(bens, 'team/ben.md', 'file');
    await hide(adas, 'team');
    await bens.put('team/ben.md', 'two', { ifMatch: 1 });
    const lost = await bens.put('team/ben.md', 'three', { ifMatch: 1 });
    assertStatus(lost, 412);
    const copy = textAt(jsonOf(lost), 'conflict_copy_path');
    await assertFile(bens, copy, 'three', 1);
    assertRejection(await adas.get(copy), 404);
  },
);
