import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type ContentHash, memberViewer } from '@stoa/core';
import type { VersionRow } from '../../../src/service/ports/files.ts';
import type { MetadataStore } from '../../../src/service/ports/metadata-store.ts';
import { createStoreDriver, hashOf, path } from '../support/store-driver.ts';

export function fileCases(store: () => MetadataStore): void {
  it('a file put at a path replaces the one that was there', async () => {
    const driver = await createStoreDriver(store());
    const { workspaceId } = driver;
    const second = driver.file(path('a'), {
      incarnation: 9,
      version: 4,
      sizeBytes: 8,
      contentType: 'text/html',
      contentHash: hashOf('c'),
    });
    await driver.run(['putFile', driver.file(path('a'))], ['putFile', second]);
    assert.deepEqual(await store().reader.files.find(workspaceId, path('a')), second);
    await driver.run(['removeFile', workspaceId, path('a')]);
    assert.equal(await store().reader.files.find(workspaceId, path('a')), null);
  });

  it('a version is found under the current file id, else under the newest earlier one', async () => {
    const driver = await createStoreDriver(store());
    const { workspaceId } = driver;
    const at = path('a');
    const version = (incarnation: number, number: number, where = at) =>
      driver.version(driver.file(where, { incarnation, version: number }));
    const here = [version(1, 1), version(1, 2), version(1, 3), version(5, 1), version(5, 2), version(9, 1)];
    const elsewhere = version(7, 1, path('b'));
    for (const row of [...here, elsewhere]) await driver.run(['insertVersion', { ...row, conflictOf: null }]);
    for (const incarnation of [1, 5]) {
      await driver.putFile(at, { incarnation });
      await driver.run(['removeFile', workspaceId, at]);
    }
    await driver.putFile(path('b'), { incarnation: 7 });
    await driver.putFile(at, { incarnation: 9 });
    const find = async (number: number) =>
      (await store().reader.files.findVersion(workspaceId, at, number))?.incarnation;
    assert.deepEqual([await find(1), await find(2), await find(3), await find(4)], [9, 5, 1, undefined]);
    assert.deepEqual(await store().reader.files.findVersion(workspaceId, at, 3), here[2]);
    assert.deepEqual(await store().reader.files.incarnationsAt(workspaceId, at), [9, 5, 1]);
    await driver.run(['removeFile', workspaceId, at]);
    assert.equal(await find(1), 9);
    assert.deepEqual(await store().reader.files.incarnationsAt(workspaceId, at), [9, 5, 1]);
  });

  it('versions of a file id come newest first, a page at a time', async () => {
    const driver = await createStoreDriver(store());
    const { workspaceId } = driver;
    const at = path('a');
    const movedFrom = { path: path('old'), incarnation: 3 };
    for (let version = 1; version <= 5; version += 1) {
      const row = driver.version(driver.file(at, { incarnation: 4, version }), {
        op: version === 1 ? 'move' : 'write',
        movedFrom: version === 1 ? movedFrom : null,
      });
      await driver.run(['insertVersion', { ...row, conflictOf: null }]);
    }
    const query = { workspaceId, incarnation: 4, path: at, limit: 3 };
    const first = await store().reader.files.versionsOf({ ...query, belowVersion: null });
    assert.deepEqual(
      first.map(({ version }) => version),
      [5, 4, 3],
    );
    const rest = await store().reader.files.versionsOf({ ...query, belowVersion: 3 });
    assert.deepEqual(
      rest.map(({ version, op, movedFrom }) => ({ version, op, movedFrom })),
      [
        { version: 2, op: 'write', movedFrom: null },
        { version: 1, op: 'move', movedFrom },
      ],
    );
    assert.deepEqual(
      await store().reader.files.versionsOf({ ...query, path: path('b'), belowVersion: null }),
      [],
    );
  });

  it('a version is found by number and content among listed ones, as far as the viewer sees', async () => {
    const driver = await createStoreDriver(store());
    const { workspaceId } = driver;
    const [one, two] = [hashOf('1'), hashOf('2')];
    const stay = async (
      name: string,
      incarnation: number,
      hashes: readonly ContentHash[],
      movedFrom: VersionRow['movedFrom'] = null,
    ) => {
      for (const [index, contentHash] of hashes.entries()) {
        const file = driver.file(path(name), { incarnation, version: index + 1, contentHash });
        const facts = index === 0 && movedFrom !== null ? ({ op: 'move', movedFrom } as const) : {};
        await driver.run(['insertVersion', { ...driver.version(file, facts), conflictOf: null }]);
      }
      await driver.run(['removeFile', workspaceId, path(name)]);
      await driver.putFile(path(name), { incarnation, version: hashes.length });
    };
    await stay('first', 5, [one, two]);
    await stay('secret', 10, [one, two], { path: path('first'), incarnation: 5 });
    await stay('here', 20, [two]);
    await stay('here', 30, [two, one], { path: path('secret'), incarnation: 10 });
    await stay('elsewhere', 40, [one]);
    const find = async (version: number, contentHash: ContentHash, userId = 'us_owner') => {
      const query = { workspaceId, path: path('here'), version, contentHash, viewer: memberViewer(userId) };
      return (await store().reader.files.findListedVersion(query))?.incarnation ?? null;
    };
    assert.equal(await find(1, two), 30);
    assert.equal(await find(2, one), 30);
    assert.equal(await find(1, one), 10);
    assert.equal(await find(2, two), 10);
    assert.equal(await find(3, two), null);
    await driver.setPrivacy({ path: path('secret'), kind: 'file', ownerId: 'us_owner' });
    assert.equal(await find(1, one), 10);
    // A viewer cannot find versions from before a path that is hidden from the viewer.
    assert.equal(await find(1, one, 'us_other'), null);
    assert.equal(await find(2, two, 'us_other'), null);
    assert.equal(await find(1, two, 'us_other'), 30);
  });

  it('the newest conflicted copy is the newest one that is still where it was made', async () => {
    const driver = await createStoreDriver(store());
    const { workspaceId } = driver;
    const makeCopy = async (name: string, incarnation: number) => {
      const file = driver.file(path(name), { incarnation });
      const version = {
        ...driver.version(file, { op: 'conflict' }),
        conflictOf: path('a'),
        conflictBase: null,
      };
      await driver.run(['putFile', file], ['insertVersion', version]);
    };
    const newest = async () =>
      (await store().reader.files.newestConflictedCopyOf(workspaceId, path('a')))?.path ?? null;
    assert.equal(await newest(), null);
    await makeCopy('copy 1', 10);
    await makeCopy('copy 2', 20);
    await makeCopy('copy 3', 30);
    assert.equal(await newest(), 'copy 3');
    await driver.run(['removeFile', workspaceId, path('copy 3')]);
    assert.equal(await newest(), 'copy 2');
    // Another file is there now.
    await driver.putFile(path('copy 2'), { incarnation: 99 });
    assert.equal(await newest(), 'copy 1');
  });

  it('the origin of a file is known from its first version', async () => {
    const driver = await createStoreDriver(store());
    const { workspaceId } = driver;
    const copy = driver.version(driver.file(path('copy'), { incarnation: 10 }), { op: 'conflict' });
    const conflictBase = { version: 4, contentHash: hashOf('b') };
    const file = driver.file(path('moved'), { incarnation: 20 });
    const movedFrom = { path: path('copy'), incarnation: 10 };
    const moved = driver.version(file, { op: 'move', movedFrom });
    const later = driver.version({ ...file, version: 2 });
    await driver.run(
      ['insertVersion', { ...copy, conflictOf: path('a'), conflictBase }],
      ['insertVersion', { ...moved, conflictOf: null }],
      ['insertVersion', { ...later, conflictOf: null }],
    );
    const { files } = store().reader;
    assert.deepEqual(await files.beginningOf(workspaceId, 10), {
      path: 'copy',
      movedFrom: null,
      conflictOf: 'a',
      conflictBase,
    });
    assert.deepEqual(await files.beginningOf(workspaceId, 20), {
      path: 'moved',
      movedFrom,
      conflictOf: null,
      conflictBase: null,
    });
    assert.equal(await files.beginningOf(workspaceId, 30), null);
  });

  it('a content is stored once in a workspace, at its first location', async () => {
    const driver = await createStoreDriver(store());
    const other = await createStoreDriver(store());
    const { workspaceId } = driver;
    const contentHash = hashOf('d');
    const blob = { workspaceId, contentHash, sizeBytes: 9, createdAt: 1 };
    const results = await driver.run(
      ['keepBlob', { ...blob, location: { kind: 'stored', generation: 'gen_1' } }],
      ['keepBlob', { ...blob, location: { kind: 'stored', generation: 'gen_2' } }],
    );
    assert.deepEqual(results, ['kept', 'already_there']);
    const { blobs, files } = store().reader;
    assert.deepEqual(await blobs.locate(workspaceId, contentHash), { kind: 'stored', generation: 'gen_1' });
    assert.equal(await blobs.locate(other.workspaceId, contentHash), null);
    for (const { workspaceId: at, putFile } of [driver, other]) {
      await putFile(path('with content'), { contentHash });
      const found = await files.findWithContent(at, path('with content'));
      assert.deepEqual(found.location, await blobs.locate(at, contentHash));
    }
    assert.deepEqual([...(await blobs.referenced(workspaceId, ['gen_1', 'gen_2']))], ['gen_1']);
    assert.deepEqual([...(await blobs.referenced(other.workspaceId, ['gen_1']))], []);
    assert.deepEqual([...(await blobs.referenced(workspaceId, []))], []);
  });

  it('all changes are listed, each with the file that is at its path now', async () => {
    const driver = await createStoreDriver(store());
    const { workspaceId } = driver;
    await driver.insertChange({ path: path('a') });
    await driver.insertChange({ path: path('a'), op: 'comment_created' });
    await driver.insertChange({ path: path('b'), op: 'delete', onlyUserId: 'us_x' });
    await driver.putFile(path('a'));
    const query = { workspaceId, sinceSeq: 0, limit: 3 };
    const listed = async (sinceSeq: number, limit: number) =>
      (await store().reader.files.contentsChangedSince({ ...query, sinceSeq, limit })).map((change) => [
        change.seq,
        change.path,
        change.file !== null,
      ]);
    assert.deepEqual(await listed(0, 3), [
      [1, 'a', true],
      [2, 'a', true],
      [3, 'b', false],
    ]);
    assert.deepEqual(await listed(1, 1), [[2, 'a', true]]);
  });
}
