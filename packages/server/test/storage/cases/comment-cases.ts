import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import { memberViewer } from '@stoa/core';
import type { EntryRow, ThreadFilter, ThreadHead } from '../../../src/service/ports/comments.ts';
import type { MetadataStore } from '../../../src/service/ports/metadata-store.ts';
import { createStoreDriver, hashOf, path, type StoreDriver } from '../support/store-driver.ts';

const any: ThreadFilter = { path: null, threadId: null, status: null, authorId: null };
const by = { principal: 'agent', actorId: 'us_a', actorKeyId: 'key_a', actorLabel: 'A' } as const;

export function commentCases(store: () => MetadataStore): void {
  async function insertThread(
    driver: StoreDriver,
    fields: Partial<ThreadHead> & { readonly seq: number },
  ): Promise<Omit<ThreadHead, 'resolution'>> {
    const row = {
      id: `thread_${randomUUID()}`,
      workspaceId: driver.workspaceId,
      path: path('a.md'),
      anchor: { kind: 'range', quote: 'q\0\u{1f600}', contextBefore: '', contextAfter: '\n' },
      pinnedRange: { start: 3, end: 8 },
      pinnedVersion: 2,
      pinnedContentHash: hashOf('b'),
      pinnedSizeBytes: 9,
      createdAt: 50,
      ...by,
      ...fields,
    } as const;
    await driver.run(['insertThread', { ...row, body: `body ${row.seq}` }]);
    return row;
  }

  async function insertEntry(
    driver: StoreDriver,
    threadId: string,
    fields: Partial<EntryRow> & { readonly seq: number },
    dedupeKey: string | null = null,
  ): Promise<EntryRow> {
    const { workspaceId } = driver;
    const body = `entry ${fields.seq}`;
    const row = { id: `entry_${randomUUID()}`, workspaceId, threadId, body, createdAt: 60, ...by, ...fields };
    await driver.run(['insertEntry', { ...row, dedupeKey }]);
    return row;
  }

  const scanned = async (driver: StoreDriver, filter: Partial<ThreadFilter> = {}, userId = 'us_a') => {
    const { workspaceId } = driver;
    const query = { ...any, ...filter, workspaceId, viewer: memberViewer(userId), offset: 0, limit: 100 };
    const { total, seqs } = await store().reader.comments.scan(query);
    assert.equal(total, seqs.length);
    return seqs;
  };

  it('a thread comes back as it was written, with the file at its path', async () => {
    const driver = await createStoreDriver(store());
    const row = await insertThread(driver, { seq: 7 });
    const { comments } = store().reader;
    const thread = { ...row, resolution: null, file: null };
    assert.deepEqual(await comments.find(driver.workspaceId, row.id), thread);
    assert.equal(await comments.find('ws_other', row.id), null);
    await driver.putFile(row.path, { version: 4, contentHash: hashOf('c'), sizeBytes: 12 });
    const file = { version: 4, contentHash: hashOf('c'), sizeBytes: 12 };
    assert.deepEqual(await comments.heads(driver.workspaceId, [8, 7]), [{ ...thread, file }]);
    const resolution = { at: 70, atVersion: null, userId: 'us_b' };
    await driver.run(['setResolution', row.id, resolution]);
    assert.deepEqual((await comments.find(driver.workspaceId, row.id))?.resolution, resolution);
    await driver.run(['setResolution', row.id, null]);
    assert.equal((await comments.find(driver.workspaceId, row.id))?.resolution, null);
  });

  it('threads are found by each filter, oldest first', async () => {
    const driver = await createStoreDriver(store());
    const [first, second] = [await insertThread(driver, { seq: 9 }), await insertThread(driver, { seq: 3 })];
    await insertThread(driver, { seq: 5, path: path('b.md'), actorId: 'us_b' });
    await driver.run(['setResolution', second.id, { at: 1, atVersion: 1, userId: 'us_a' }]);
    assert.deepEqual(await scanned(driver), [3, 5, 9]);
    assert.deepEqual(await scanned(driver, { path: path('a.md') }), [3, 9]);
    assert.deepEqual(await scanned(driver, { status: 'resolved' }), [3]);
    assert.deepEqual(await scanned(driver, { status: 'open', path: path('a.md') }), [9]);
    assert.deepEqual(await scanned(driver, { authorId: 'us_b' }), [5]);
    assert.deepEqual(await scanned(driver, { threadId: first.id }), [9]);
    assert.deepEqual(await scanned(driver, { threadId: first.id, path: path('b.md') }), []);
  });

  it('a scan counts all matches and returns a window of them', async () => {
    const driver = await createStoreDriver(store());
    const rows = Array.from({ length: 2100 }, (_, at) => at + 1);
    for (const seq of rows) await insertThread(driver, { seq, actorId: seq % 2 === 0 ? 'us_b' : 'us_a' });
    const query = { ...any, authorId: 'us_b', workspaceId: driver.workspaceId, viewer: memberViewer('us_a') };
    const { comments } = store().reader;
    for (const at of [null, path('a.md')]) {
      const { total, seqs } = await comments.scan({ ...query, path: at, offset: 1000, limit: 3 });
      assert.equal(total, 1050);
      assert.deepEqual(seqs, [2002, 2004, 2006]);
    }
  });

  it('threads on private items of another member are neither counted nor read', async () => {
    const driver = await createStoreDriver(store());
    const { workspaceId } = driver;
    await insertThread(driver, { seq: 1, path: path('mine/a.md') });
    const shared = await insertThread(driver, { seq: 2 });
    await driver.setPrivacy({ path: path('mine'), kind: 'folder', ownerId: 'us_b' });
    assert.deepEqual(await scanned(driver), [2]);
    assert.deepEqual(await scanned(driver, {}, 'us_b'), [1, 2]);
    assert.deepEqual(await scanned(driver, { path: path('mine/a.md') }), []);
    const texts = (seq: number, userId: string) =>
      store().reader.comments.texts({
        workspaceId,
        seq,
        viewer: memberViewer(userId),
        entriesLimit: 9,
        entriesOffset: 0,
      });
    assert.equal(await texts(1, 'us_a'), null);
    assert.equal((await texts(1, 'us_b'))?.body, 'body 1');
    assert.equal((await texts(2, 'us_a'))?.body, 'body 2');
    await driver.run(['moveThreads', workspaceId, path('mine/a.md'), path('out.md')]);
    assert.deepEqual(await scanned(driver), [1, 2]);
    assert.deepEqual(await scanned(driver, { path: path('out.md') }), [1]);
    assert.deepEqual((await store().reader.comments.find(workspaceId, shared.id))?.path, 'a.md');
  });

  it('replies come back oldest first, in pages', async () => {
    const driver = await createStoreDriver(store());
    const { id } = await insertThread(driver, { seq: 1 });
    const later = await insertEntry(driver, id, { seq: 9, actorKeyId: null, actorLabel: null });
    const earlier = await insertEntry(driver, id, { seq: 4 });
    const texts = (entriesLimit: number, entriesOffset: number) =>
      store().reader.comments.texts({
        workspaceId: driver.workspaceId,
        seq: 1,
        viewer: memberViewer('us_a'),
        entriesLimit,
        entriesOffset,
      });
    assert.deepEqual(await texts(5, 0), { body: 'body 1', entries: [earlier, later], entryCount: 2 });
    assert.deepEqual(await texts(5, 1), { body: 'body 1', entries: [later], entryCount: 2 });
    assert.deepEqual(await texts(0, 0), { body: 'body 1', entries: [], entryCount: 2 });
  });

  it('a dedupe key names one reply of one person in one thread', async () => {
    const driver = await createStoreDriver(store());
    const [one, two] = [await insertThread(driver, { seq: 1 }), await insertThread(driver, { seq: 2 })];
    const entry = await insertEntry(driver, one.id, { seq: 3 }, 'key');
    await insertEntry(driver, one.id, { seq: 4 });
    await insertEntry(driver, one.id, { seq: 5 });
    const { comments } = store().reader;
    assert.deepEqual(await comments.findEntry(one.id, 'us_a', 'key'), entry);
    assert.equal(await comments.findEntry(one.id, 'us_b', 'key'), null);
    assert.equal(await comments.findEntry(two.id, 'us_a', 'key'), null);
    await assert.rejects(insertEntry(driver, one.id, { seq: 6 }, 'key'));
    await insertEntry(driver, two.id, { seq: 7 }, 'key');
  });
}
