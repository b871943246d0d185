import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { MetadataStore } from '../../../src/service/ports/metadata-store.ts';
import { createStoreDriver, type StoreDriver } from '../support/store-driver.ts';

const minuteMs = 60_000;

/** State that the nodes of one installation share. */
export function sharedStateCases(store: () => MetadataStore): void {
  it('stores the cursors of a key for each workspace and path, and removes all of a key', async () => {
    const [one, two] = [await createStoreDriver(store()), await createStoreDriver(store())];
    const keyId = `key of ${one.workspaceId}`;
    const cursor = { confirmedSeq: 0, startSeq: 1, startAt: 2, headSeq: 3, answeredAt: 4 };
    const later = { confirmedSeq: 1, startSeq: 5, startAt: 6, headSeq: 7, answeredAt: 8 };
    const cursorsOf = ({ workspaceId }: StoreDriver) => store().reader.cursors.find(keyId, workspaceId);
    const put = (driver: StoreDriver, ...cursors: [string, typeof cursor][]) =>
      driver.run(['putBookmarks', keyId, driver.workspaceId, cursors]);
    assert.deepEqual(await cursorsOf(one), []);
    await put(one, ['', cursor]);
    await put(two, ['docs', later]);
    await put(one, ['', later], ['notes/é.md', cursor]);
    assert.deepEqual(await cursorsOf(one), [
      ['', later],
      ['notes/é.md', cursor],
    ]);
    assert.deepEqual(await cursorsOf(two), [['docs', later]]);
    await one.run(['forgetBookmarks', keyId]);
    assert.deepEqual([await cursorsOf(one), await cursorsOf(two)], [[], []]);
  });

  it('the first secret of a name is the one that all nodes have', async () => {
    const driver = await createStoreDriver(store());
    const name = `secret of ${driver.workspaceId}`;
    assert.equal(await store().reader.secrets.find(name), null);
    const made = ['one', 'two', 'three'].map((value) =>
      driver.run(['keepSecret', { name, value, createdAt: 1 }]),
    );
    await Promise.all(made);
    const kept = await store().reader.secrets.find(name);
    assert.ok(kept !== null && ['one', 'two', 'three'].includes(kept));
    await driver.run(['keepSecret', { name, value: 'four', createdAt: 2 }]);
    assert.equal(await store().reader.secrets.find(name), kept);
    await driver.run(['forgetSecret', name], ['forgetSecret', name]);
    assert.equal(await store().reader.secrets.find(name), null);
    await driver.run(['keepSecret', { name, value: 'five', createdAt: 3 }]);
    assert.equal(await store().reader.secrets.find(name), 'five');
  });

  it('attempts are counted on when the clock of one node is a window ahead of that of another', async () => {
    const driver = await createStoreDriver(store());
    const bucket = `signin:${driver.workspaceId}`;
    const attemptIn = async (window: number) => {
      const windowStart = window * minuteMs;
      const [attempts] = await driver.run(['countAttempt', bucket, windowStart, windowStart + minuteMs]);
      return attempts;
    };
    assert.deepEqual([await attemptIn(7), await attemptIn(7)], [1, 2]);
    // A window that has passed starts again, once. The node that is behind keeps counting in it.
    assert.deepEqual([await attemptIn(8), await attemptIn(7), await attemptIn(8)], [1, 2, 3]);
    assert.equal(await attemptIn(9), 1);
  });
}
