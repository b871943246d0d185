import assert from 'node:assert/strict';
import { it } from 'node:test';
import { memberViewer } from '@stoa/core';
import type { ChangeRow } from '../../../src/service/ports/changes.ts';
import type { MetadataStore } from '../../../src/service/ports/metadata-store.ts';
import { createStoreDriver, hashOf, path } from '../support/store-driver.ts';

export function feedCases(store: () => MetadataStore): void {
  it('the start of the last changes is found by counting them', async () => {
    const driver = await createStoreDriver(store());
    for (const name of ['a', 'b', 'c']) await driver.insertChange({ path: path(name) });
    const before = (count: number) => store().reader.changes.seqBeforeLast(driver.workspaceId, count);
    assert.deepEqual(await Promise.all([before(0), before(1), before(2), before(3)]), [3, 2, 1, 0]);
  });

  it('a change comes back as it was written', async () => {
    const driver = await createStoreDriver(store());
    const { workspaceId } = driver;
    const change: ChangeRow = {
      workspaceId,
      seq: 1,
      path: path('a'),
      op: 'move',
      version: null,
      contentHash: hashOf('e'),
      createdAt: 77,
      movedFrom: path('b'),
      conflictOf: path('c'),
      conflictBase: 3,
      onlyUserId: null,
      exceptUserId: 'us_x',
      principal: 'human',
      actorId: 'us_y',
      actorKeyId: null,
      actorLabel: null,
    };
    await driver.insertChange(change);
    const query = {
      workspaceId,
      viewer: memberViewer('us_a'),
      sinceSeq: 0,
      limit: 1,
      includeComments: false,
    };
    assert.deepEqual((await store().reader.changes.scan(query)).changes, [change]);
  });

  it('a key with a path gets access changes of a parent folder as changes of its own folder', async () => {
    const driver = await createStoreDriver(store());
    const { workspaceId } = driver;
    const within = path('a/b');
    const reported = async (userId: string, key = within) => {
      const query = { workspaceId, viewer: { userId, within: key }, sinceSeq: 0, limit: 100 };
      const { changes } = await store().reader.changes.scan({ ...query, includeComments: false });
      return changes.map((change) => `${change.op} ${change.path}`);
    };
    await driver.run(['insertMember', { workspaceId, userId: 'us_a', role: 'member', createdAt: 1 }]);
    for (const at of ['a', 'a/b', 'a/b/c', 'a/bc', 'z']) {
      await driver.insertChange({ path: path(at), op: 'access_revoked' });
      await driver.insertChange({ path: path(at), op: 'access_granted' });
      await driver.insertChange({ path: path(at), op: 'write', movedFrom: path('z'), conflictOf: path('z') });
    }
    const [revoked, granted] = ['access_revoked a/b', 'access_granted a/b'];
    assert.deepEqual(await reported('us_a'), [
      ...[revoked, granted],
      ...[revoked, granted, 'write a/b'],
      ...['access_revoked a/b/c', 'access_granted a/b/c', 'write a/b/c'],
    ]);
    await driver.setPrivacy({ path: path('a'), kind: 'folder', ownerId: 'us_x' });
    assert.deepEqual(await reported('us_a'), [revoked, revoked, 'access_revoked a/b/c']);
    assert.deepEqual(await reported('us_a', path('a/bc')), [
      ...['access_revoked a/bc', 'access_revoked a/bc'],
    ]);
    const viewer = { userId: 'us_x', within };
    const query = { workspaceId, viewer, sinceSeq: 0, limit: 100, includeComments: false };
    for (const { movedFrom, conflictOf } of (await store().reader.changes.scan(query)).changes) {
      assert.deepEqual([movedFrom, conflictOf], [null, null]);
    }
  });

  it('a scan counts hidden changes', async () => {
    const driver = await createStoreDriver(store());
    const { workspaceId } = driver;
    const join = (userId: string) =>
      driver.run(['insertMember', { workspaceId, userId, role: 'member', createdAt: 1 }]);
    await join('us_a');
    await join('us_b');
    await driver.setPrivacy({ path: path('private'), kind: 'folder', ownerId: 'us_a' });
    await driver.insertChange({ path: path('1 for all') });
    await driver.insertChange({ path: path('2 only a'), onlyUserId: 'us_a' });
    await driver.insertChange({ path: path('3 not a'), exceptUserId: 'us_a' });
    await driver.insertChange({ path: path('4 comment'), op: 'comment_replied' });
    await driver.insertChange({ path: path('private/5') });
    await driver.insertChange({ path: path('private'), op: 'access_revoked', exceptUserId: 'us_a' });
    await join('us_late');
    await driver.insertChange({ path: path('7 for all') });
    const scan = async (userId: string, includeComments: boolean, sinceSeq = 0, limit = 100) => {
      const query = { workspaceId, viewer: memberViewer(userId), sinceSeq, limit, includeComments };
      const { changes, scannedSeqs } = await store().reader.changes.scan(query);
      return [changes.map(({ seq }) => seq), scannedSeqs];
    };
    const all = [1, 2, 3, 4, 5, 6, 7];
    assert.deepEqual(await scan('us_a', true), [[1, 2, 4, 5, 7], all]);
    assert.deepEqual(await scan('us_a', false), [[1, 2, 5, 7], all]);
    assert.deepEqual(await scan('us_b', true), [[1, 3, 4, 6, 7], all]);
    // Came after the path was hidden: its name was never theirs to know.
    assert.deepEqual(await scan('us_late', true), [[1, 3, 4, 7], all]);
    assert.deepEqual(await scan('us_b', false, 3, 2), [[], [4, 5]]);
    assert.deepEqual(await scan('us_b', false, 7), [[], []]);
    assert.deepEqual(await scan('us_b', false, 0, 0), [[], []]);
  });

  it('by time: strictly after, ties by seq, newest first turned round, the limit counts what is shown', async () => {
    const driver = await createStoreDriver(store());
    const { workspaceId } = driver;
    const times = [10, 20, 20, 15, 30];
    for (const createdAt of times) await driver.insertChange({ path: path('a'), createdAt });
    await driver.insertChange({ path: path('a'), createdAt: 25, onlyUserId: 'us_x' });
    const since = async (from: number, newestFirst: boolean, limit = 100) => {
      const query = {
        workspaceId,
        viewer: memberViewer('us_a'),
        since: from,
        limit,
        newestFirst,
        includeComments: true,
      };
      return (await store().reader.changes.since(query)).map(({ seq }) => seq);
    };
    assert.deepEqual(await since(0, false), [1, 4, 2, 3, 5]);
    assert.deepEqual(await since(10, false), [4, 2, 3, 5]);
    assert.deepEqual(await since(20, false), [5]);
    assert.deepEqual(await since(0, true), [5, 3, 2, 4, 1]);
    assert.deepEqual(await since(15, true, 2), [5, 3]);
    assert.deepEqual(await since(15, true, 1), [5]);
    assert.deepEqual(await since(15, false, 3), [2, 3, 5]);
    assert.deepEqual(await since(30, true), []);
    assert.deepEqual(await since(0, true, 0), []);
  });

  it('the feed of a workspace that does not exist is empty', async () => {
    assert.equal(await store().reader.changes.head('ws_none'), 0);
  });
}
