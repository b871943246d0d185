import assert from 'node:assert/strict';
import { it } from 'node:test';
import { memberViewer, WorkspaceError } from '@stoa/core';
import type { MetadataStore } from '../../../src/service/ports/metadata-store.ts';
import { defineScript } from '../../../src/service/ports/script.ts';
import type { OpenedStore } from '../metadata-store-suite.ts';
import { createStoreDriver, hashOf, path } from '../support/store-driver.ts';
import { appendScript, askScript, type Step, stepsScript, togetherScript } from '../support/store-scripts.ts';

export function transactionCases(store: () => MetadataStore, open: () => Promise<OpenedStore>): void {
  it('a thousand changes at once get the numbers 1 to 1000 without a gap', async () => {
    const { workspaceId } = await createStoreDriver(store());
    const seqs = await Promise.all(
      Array.from({ length: 1000 }, (_, i) =>
        store().transact(appendScript, { workspaceId, path: `file ${i}` }),
      ),
    );
    const expected = Array.from({ length: 1000 }, (_, i) => i + 1);
    assert.deepEqual(
      seqs.toSorted((a, b) => a - b),
      expected,
    );
    assert.equal(await store().reader.changes.head(workspaceId), 1000);
    const query = {
      workspaceId,
      viewer: memberViewer('us_a'),
      sinceSeq: 0,
      limit: 1001,
      includeComments: true,
    };
    const { changes, scannedSeqs } = await store().reader.changes.scan(query);
    assert.deepEqual(scannedSeqs, expected);
    for (const [i, seq] of seqs.entries()) assert.equal(changes[seq - 1]?.path, `file ${i}`);
  });

  it('a rejected change leaves no trace, and concurrent changes are kept', async () => {
    const driver = await createStoreDriver(store());
    const { workspaceId } = driver;
    const rejected = () =>
      driver.runEnding(
        'refuse',
        ['putFile', driver.file(path('refused'))],
        ['setPrivacy', workspaceId, { path: path('p'), kind: 'file', ownerId: 'us_a', implied: false }],
        ['takeSeqs', workspaceId, 5, { bytes: 100, files: 1 }],
      );
    const ended = await Promise.allSettled([
      store().transact(appendScript, { workspaceId, path: 'before' }),
      rejected(),
      driver.runEnding('fail', ['putFile', driver.file(path('failed'))]),
      store().transact(appendScript, { workspaceId, path: 'after' }),
    ]);
    assert.deepEqual(
      ended.map(({ status }) => status),
      ['fulfilled', 'rejected', 'rejected', 'fulfilled'],
    );
    const workspace = await store().reader.workspaces.find(workspaceId);
    assert.deepEqual(
      [workspace?.seq, workspace?.usedBytes, workspace?.usedFiles, workspace?.privacyRecords],
      [2, 0, 0, 0],
    );
    assert.equal(await store().reader.files.find(workspaceId, path('refused')), null);
    assert.equal(await store().reader.files.find(workspaceId, path('failed')), null);
    assert.equal(await store().reader.nodes.decidingPrivacy(workspaceId, path('p')), null);
  });

  it('rejected changes leave no trace in the commit that they share, whatever their position', async () => {
    const driver = await createStoreDriver(store());
    const { workspaceId } = driver;
    const endings = ['commit', 'refuse', 'fail', 'refuse', 'commit', 'commit', 'fail'] as const;
    const wanted = Array.from({ length: 70 }, (_, i) => endings[i % endings.length] ?? 'commit');
    const ended = await Promise.allSettled(
      wanted.map((ending, i) =>
        driver.runEnding(
          ending,
          ['putFile', driver.file(path(`file ${i}`))],
          ['takeSeqs', workspaceId, 1, { bytes: 1, files: 1 }],
        ),
      ),
    );
    for (const [i, ending] of wanted.entries()) {
      const isKept = ending === 'commit';
      assert.equal(ended[i]?.status, isKept ? 'fulfilled' : 'rejected', `change ${i}`);
      const file = await store().reader.files.find(workspaceId, path(`file ${i}`));
      assert.equal(file !== null, isKept, `file ${i}`);
    }
    const workspace = await store().reader.workspaces.find(workspaceId);
    assert.deepEqual([workspace?.seq, workspace?.usedFiles], [30, 30]);
  });

  it('each change of a shared commit sees the changes before it', async () => {
    const driver = await createStoreDriver(store());
    const { workspaceId } = driver;
    const userId = `us_${workspaceId}`;
    const insertUser = `insert into "user" ("id", "name", "email", "emailVerified", "createdAt", "updatedAt")
      values (?, 'Ada', ?, 0, 'then', 'then')`;
    await driver.run(['execute', insertUser, [userId, userId]]);
    const member = { workspaceId, userId, role: 'member', createdAt: 1 } as const;
    const growth = { bytes: 5, files: 2, historyBytes: 3, comments: 1 };
    const changes: readonly Step[] = [
      ['takeSeqs', workspaceId, 3, growth],
      ['insertMember', member],
      ['takeSeqs', workspaceId, 1, {}],
      ['updateWorkspace', workspaceId, { name: 'Renamed', lapsed: true }],
      ['setMemberRole', workspaceId, userId, 'admin'],
      ['setPrivacy', workspaceId, { path: path('p'), kind: 'file', ownerId: userId, implied: false }],
      ['putFile', driver.file(path('a'))],
      ['execute', 'update member set role = ? where workspace_id = ?', ['owner', workspaceId]],
      ['removeMember', workspaceId, userId],
    ];
    const asking = { workspaceId, userId, keyId: null };
    const asked = await Promise.all(
      changes.flatMap((step) => [
        store().transact(askScript, { ...asking, step }),
        store().transact(askScript, { ...asking, step: null }),
        // Rolled back, whatever its position.
        driver.runEnding('refuse', ['takeSeqs', workspaceId, 9, growth]).catch(() => null),
        driver.runEnding('fail', ['setMemberRole', workspaceId, userId, 'owner']).catch(() => null),
        store().transact(askScript, { ...asking, step: null }),
      ]),
    );
    const roles: unknown[] = [];
    for (const found of asked) {
      if (found === null || !('locked' in found)) continue;
      assert.deepEqual([found.locked, found.role], [found.found, found.foundRole]);
      if (found.role !== roles.at(-1)) roles.push(found.role);
    }
    assert.deepEqual(roles, [null, 'member', 'admin', 'owner', null]);
    const workspace = await store().reader.workspaces.find(workspaceId);
    assert.deepEqual([workspace?.seq, workspace?.name, workspace?.lapsed], [4, 'Renamed', true]);
  });

  it('statements that a change sends together run in their order', async () => {
    const driver = await createStoreDriver(store());
    const { workspaceId } = driver;
    const version = (number: number) => driver.file(path('same'), { version: number, incarnation: 7 });
    const rows = [1, 2, 3].map((number): readonly Step[] => [['putFile', version(number)]]);
    await Promise.all(
      Array.from({ length: 20 }, () => store().transact(togetherScript, { rows, workspaceId })),
    );
    assert.equal((await store().reader.files.find(workspaceId, path('same')))?.version, 3);
  });

  it('no part of a group of statements is kept, or still arrives, when one statement fails', async () => {
    const driver = await createStoreDriver(store());
    const { workspaceId } = driver;
    const put = (name: string): Step => ['putFile', driver.file(path(name))];
    const member = { workspaceId, userId: 'us_a', role: 'owner', createdAt: 1 } as const;
    await driver.run(['insertMember', member]);
    const failing: readonly Step[] = [
      // The database rejects the first. The second fails before it is sent.
      ['insertMember', member],
      ['insertMember', { ...member, userId: 'us_\0' }],
    ];
    const ended = await Promise.allSettled(
      failing.flatMap((step) => [
        store().transact(togetherScript, { workspaceId, rows: [[step], [put('a'), put('b'), put('c')]] }),
        store().transact(togetherScript, { workspaceId, rows: [[put('d'), put('e'), put('f')], [step]] }),
        store().transact(appendScript, { workspaceId, path: 'beside' }),
      ]),
    );
    assert.deepEqual(
      ended.map(({ status }) => status),
      ['rejected', 'rejected', 'fulfilled', 'rejected', 'rejected', 'fulfilled'],
    );
    const query = {
      workspaceId,
      viewer: memberViewer('us_a'),
      prefix: '',
      afterPath: null,
      limit: 10,
    } as const;
    const left = await store().reader.files.page(query);
    assert.deepEqual([left, await store().reader.changes.head(workspaceId)], [[], 2]);
  });

  it('a rejection reaches its caller with code, details and text', async () => {
    const driver = await createStoreDriver(store());
    await assert.rejects(driver.runEnding('refuse'), (error) => {
      assert.ok(error instanceof WorkspaceError);
      assert.equal(error.code, 'path_taken');
      assert.deepEqual(error.details, { limitBytes: 7, path: 'a', none: null });
      assert.equal(error.message, 'from the test');
      return true;
    });
  });

  it('a bug in a script is an error, not a rejection', async () => {
    const driver = await createStoreDriver(store());
    await assert.rejects(driver.runEnding('fail'), (error) => {
      assert.ok(error instanceof Error && !(error instanceof WorkspaceError));
      assert.match(error.message, /a bug of the script/);
      return true;
    });
    const nobody = defineScript<null, void>('test.not-registered', async () => {});
    await assert.rejects(store().transact(nobody, null), /test\.not-registered/);
  });

  it('a wrong row fails its own change only', async () => {
    const driver = await createStoreDriver(store());
    const member = { workspaceId: driver.workspaceId, userId: 'us_a', role: 'owner', createdAt: 1 } as const;
    const ended = await Promise.allSettled([
      driver.run(['insertMember', member]),
      driver.run(['insertMember', member]),
      driver.run(['insertMember', { ...member, userId: 'us_b' }]),
    ]);
    assert.deepEqual(
      ended.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
  });

  it('a snapshot sees no change made after it began', async () => {
    const { workspaceId } = await createStoreDriver(store());
    const append = () => store().transact(appendScript, { workspaceId, path: 'a' });
    await append();
    await store().snapshot(async (reader) => {
      assert.equal(await reader.changes.head(workspaceId), 1);
      await append();
      assert.equal(await reader.changes.head(workspaceId), 1);
      const query = {
        workspaceId,
        viewer: memberViewer('us_a'),
        sinceSeq: 0,
        limit: 10,
        includeComments: true,
      };
      assert.deepEqual((await reader.changes.scan(query)).scannedSeqs, [1]);
    });
    assert.equal(await store().snapshot((reader) => reader.changes.head(workspaceId)), 2);
  });

  it('a reader sees a change as soon as its writer has the response', async () => {
    const { workspaceId } = await createStoreDriver(store());
    for (let seq = 1; seq <= 50; seq += 1) {
      await store().transact(appendScript, { workspaceId, path: 'a' });
      assert.equal(await store().reader.changes.head(workspaceId), seq);
    }
  });

  it('more long reads than there are connections all complete', async () => {
    const { workspaceId } = await createStoreDriver(store());
    const heads = await Promise.all(
      Array.from({ length: 50 }, () =>
        store().snapshot(async (reader) => {
          await new Promise((resolve) => setImmediate(resolve));
          return reader.changes.head(workspaceId);
        }),
      ),
    );
    assert.deepEqual(heads, Array(50).fill(0));
  });

  it('a long read that fails releases its connection', async () => {
    for (let i = 0; i < 20; i += 1) {
      const failing = store().snapshot(async () => Promise.reject(new Error('the reader failed')));
      await assert.rejects(failing, /the reader failed/);
    }
    assert.equal(await store().snapshot((reader) => reader.changes.head('ws_none')), 0);
  });

  it('bytes that are a window into a larger buffer are kept as they are', async () => {
    const driver = await createStoreDriver(store());
    const buffer = new Uint8Array(1000).map((_, i) => i % 251);
    const bytes = buffer.subarray(500, 510);
    const { workspaceId } = driver;
    const contentHash = hashOf('b');
    const location = { kind: 'inline', bytes } as const;
    await driver.run(['keepBlob', { workspaceId, contentHash, sizeBytes: 10, location, createdAt: 1 }]);
    const found = await store().reader.blobs.locate(workspaceId, contentHash);
    assert.ok(found?.kind === 'inline');
    assert.deepEqual([...found.bytes], [...bytes]);
  });

  it('subscribers learn which feed grew, and do not hear of rejected changes', async () => {
    const driver = await createStoreDriver(store());
    const { workspaceId } = driver;
    const reported: string[] = [];
    const end = store().onChange((workspaceIds) => reported.push(...workspaceIds));
    const seqs = { bytes: 0, files: 0 };
    await assert.rejects(driver.runEnding('refuse', ['takeSeqs', workspaceId, 1, seqs]));
    await driver.putFile(path('no change record'));
    assert.deepEqual(reported, []);
    await store().transact(appendScript, { workspaceId, path: 'a' });
    assert.deepEqual(reported, [workspaceId]);
    end();
    await store().transact(appendScript, { workspaceId, path: 'a' });
    assert.deepEqual(reported, [workspaceId]);
  });

  it('closing finishes accepted changes and rejects later ones', async () => {
    const opened = await open();
    const { workspaceId } = await createStoreDriver(opened.store);
    const accepted = Array.from({ length: 500 }, () =>
      opened.store.transact(appendScript, { workspaceId, path: 'a' }),
    );
    const closing = opened[Symbol.asyncDispose]();
    const late = opened.store.transact(stepsScript, { steps: [], ending: 'commit' });
    await assert.rejects(late, { code: 'shutting_down' });
    assert.equal(Math.max(...(await Promise.all(accepted))), 500);
    await closing;
    await assert.rejects(
      opened.store.snapshot((reader) => reader.changes.head(workspaceId)),
      { code: 'shutting_down' },
    );
  });

  it('when far too many changes wait, the newest are rejected and the others are made', async () => {
    const { workspaceId } = await createStoreDriver(store());
    const ended = await Promise.allSettled(
      Array.from({ length: 11_000 }, () => store().transact(appendScript, { workspaceId, path: 'a' })),
    );
    const rejected = ended.filter((end) => end.status === 'rejected');
    assert.ok(rejected.length > 0);
    for (const { reason } of rejected) assert.equal(reason.code, 'overloaded');
    assert.equal(await store().reader.changes.head(workspaceId), ended.length - rejected.length);
  });
}
