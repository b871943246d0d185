import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { memberViewer, parseWorkspacePath, WorkspaceError } from '@stoa/core';
import { Client } from 'pg';
import { type PostgresServer, startPostgres } from '../../../../tests/support/postgres.ts';
import { type Cut, startTcpProxy } from '../../../../tests/support/tcp-proxy.ts';
import type { MetadataStore } from '../../src/service/ports/metadata-store.ts';
import { countingScript } from './support/counting-scripts.ts';
import { openPostgresTestStore } from './support/open-postgres-test-store.ts';
import { createStoreDriver } from './support/store-driver.ts';
import { storeScripts } from './support/store-scripts.ts';

const scripts = [...storeScripts, countingScript];
const commit = 'insert into commit_attempt';

/**
 * Writes one file repeatedly, each time from the version of the last response. @returns the final version,
 * and the counts of conflicts and rejected writes.
 */
async function writeInOrder(store: MetadataStore, workspaceId: string, path: string, writes: number) {
  let version = 0;
  let conflicts = 0;
  let rejected = 0;
  for (let i = 0; i < writes; i += 1) {
    try {
      const outcome = await store.transact(countingScript, { workspaceId, path, baseVersion: version });
      if (outcome.kind === 'conflict') conflicts += 1;
      else version = outcome.version;
    } catch (error) {
      assert.equal((error as { code?: string }).code, 'overloaded', String(error));
      rejected += 1;
    }
  }
  return { version, conflicts, refused: rejected };
}

/** Writes the first version, and retries while the error says to try again. */
async function writeFirst(store: MetadataStore, workspaceId: string, path: string) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await store.transact(countingScript, { workspaceId, path, baseVersion: 0 });
    } catch (error) {
      if ((error as { code?: string }).code !== 'overloaded' || tries === 30) throw error;
    }
  }
}

/** The feed has every number once, and as many changes as were acknowledged. */
async function assertWholeFeed(store: MetadataStore, workspaceId: string, changes: number) {
  const query = {
    workspaceId,
    viewer: memberViewer('us_a'),
    sinceSeq: 0,
    limit: changes + 1,
    includeComments: true,
  };
  const { scannedSeqs } = await store.reader.changes.scan(query);
  assert.deepEqual(
    scannedSeqs,
    Array.from({ length: changes }, (_, i) => i + 1),
  );
  assert.equal(await store.reader.changes.head(workspaceId), changes);
}

describe('a PostgreSQL server that fails', () => {
  let server: PostgresServer;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server[Symbol.asyncDispose]());

  const cuts: readonly Cut[] = ['before it is delivered', 'once it is delivered', 'when it is answered'];
  for (const cut of cuts) {
    it(`a commit whose connection is cut ${cut} is made once, and its writer gets no conflict`, async () => {
      await using proxy = await startTcpProxy(server.port);
      const url = new URL(await server.createDatabase());
      url.port = String(proxy.port);
      await using opened = await openPostgresTestStore(url.href, { scripts });
      const { store } = opened;
      const { workspaceId } = await createStoreDriver(store);
      // The eight writers share at least 25 commits. After a cut the store queries the commit's mark, which
      // counts as a match. If the commit was not kept, it retries. So there are 25 cuts, and no try is cut
      // every time.
      const every = cut === 'before it is delivered' ? 3 : 2;
      const cutSoFar = proxy.cutAt(commit, cut, { every, times: 20 });
      const written = await Promise.all(
        Array.from({ length: 8 }, (_, i) => writeInOrder(store, workspaceId, `file ${i}`, 25)),
      );
      assert.deepEqual(
        written,
        Array.from({ length: 8 }, () => ({ version: 25, conflicts: 0, refused: 0 })),
      );
      assert.equal(cutSoFar(), 20);
      await assertWholeFeed(store, workspaceId, 200);
      assert.deepEqual(opened.fatalErrors, []);
    });
  }

  it('a connection that is cut in the middle of a change, or of reading, is replaced', async () => {
    await using proxy = await startTcpProxy(server.port);
    const url = new URL(await server.createDatabase());
    url.port = String(proxy.port);
    await using opened = await openPostgresTestStore(url.href, { scripts });
    const { store } = opened;
    const { workspaceId } = await createStoreDriver(store);
    const when = { every: 3, times: 5 };
    const inBegin = proxy.cutAt('begin isolation level', 'when it is answered', when);
    const inChange = proxy.cutAt('savepoint script', 'before it is delivered', when);
    const writing = Promise.all(
      Array.from({ length: 4 }, (_, i) => writeInOrder(store, workspaceId, `file ${i}`, 10)),
    );
    for (let i = 0; i < 30; i += 1) {
      const reading = store.reader.changes.head(workspaceId);
      if (i % 3 === 0) proxy.cutAll();
      assert.ok((await reading) <= 40);
    }
    for (const { version, conflicts, refused: rejected } of await writing) {
      assert.deepEqual({ version, conflicts, refused: rejected }, { version: 10, conflicts: 0, refused: 0 });
    }
    assert.deepEqual([inChange(), inBegin()], [5, 5]);
    await assertWholeFeed(store, workspaceId, 40);
  });

  it('a server that is killed and restarted under load loses no acknowledged change', async () => {
    await using opened = await openPostgresTestStore(await server.createDatabase(), { scripts });
    const { store } = opened;
    const { workspaceId } = await createStoreDriver(store);
    let isOver = false;
    let acknowledged = 0;
    /** @returns null when the server was away for so long that this read is rejected also. */
    const keptVersion = async (path: string): Promise<number | null> => {
      try {
        return (await store.reader.files.find(workspaceId, parseWorkspacePath(path)))?.version ?? 0;
      } catch (error) {
        assert.equal((error as { code?: string }).code, 'overloaded', String(error));
        return null;
      }
    };
    const write = async (path: string) => {
      let version = 0;
      while (!isOver) {
        try {
          const outcome = await store.transact(countingScript, { workspaceId, path, baseVersion: version });
          assert.deepEqual([outcome.kind, outcome.version], ['written', version + 1]);
          version = outcome.version;
          acknowledged += 1;
        } catch (error) {
          // A slow machine can be away for longer than the retry budget. Then the writer reads the version,
          // as the error says.
          assert.ok(error instanceof WorkspaceError && error.code === 'overloaded', String(error));
          let kept = await keptVersion(path);
          while (kept === null) kept = await keptVersion(path);
          assert.ok(kept === version || (kept === version + 1 && error.message.includes('not known')));
          version = kept;
        }
      }
      return version;
    };
    const read = async () => {
      for (let newest = 0; !isOver; ) {
        const head = await store.reader.changes.head(workspaceId).catch(() => newest);
        assert.ok(head >= newest, 'the feed went back');
        newest = head;
      }
    };
    const writing = Array.from({ length: 8 }, (_, i) => write(`file ${i}`));
    const reading = read();
    for (let round = 0; round < 4; round += 1) {
      const before = acknowledged;
      while (acknowledged < before + 50) await new Promise((resolve) => setImmediate(resolve));
      if (round % 2 === 0) await server.kill();
      else await server.stop();
      await server.restart();
    }
    isOver = true;
    const versions = await Promise.all(writing);
    await reading;
    await assertWholeFeed(
      store,
      workspaceId,
      versions.reduce((sum, version) => sum + version, 0),
    );
    assert.deepEqual(opened.fatalErrors, []);
  });

  it('while the server is away callers get a retryable error, and no change is made', async () => {
    await using opened = await openPostgresTestStore(await server.createDatabase(), { scripts });
    const { store } = opened;
    const { workspaceId } = await createStoreDriver(store);
    await server.stop();
    const ended = await Promise.allSettled([
      store.transact(countingScript, { workspaceId, path: 'a', baseVersion: 0 }),
      store.reader.changes.head(workspaceId),
      store.snapshot((reader) => reader.changes.head(workspaceId)),
    ]);
    for (const end of ended) {
      assert.ok(end.status === 'rejected');
      assert.equal(end.reason.code, 'overloaded');
    }
    await server.restart();
    // The first try after a long outage shares the pending probe, which may have begun before.
    const outcome = await writeFirst(store, workspaceId, 'a');
    assert.deepEqual(outcome, { kind: 'written', version: 1, seq: 1 });
  });

  it('all callers get an error within the time for one, whatever their number and their reads', {
    // Far less than serial waits would take.
    timeout: 60_000,
  }, async () => {
    const options = { scripts, poolSize: 4, waitMs: 500 };
    await using opened = await openPostgresTestStore(await server.createDatabase(), options);
    const { store } = opened;
    const { workspaceId } = await createStoreDriver(store);
    await server.stop();
    const readThrice = async () => {
      const ends: unknown[] = [];
      for (let i = 0; i < 3; i += 1)
        ends.push(await store.reader.changes.head(workspaceId).catch((error) => error));
      throw ends[2];
    };
    const ended = await Promise.allSettled(
      Array.from({ length: 200 }, (_, i) => [
        store.transact(countingScript, { workspaceId, path: `file ${i}`, baseVersion: 0 }),
        store.reader.changes.head(workspaceId),
        store.snapshot((reader) => reader.changes.head(workspaceId)),
        readThrice(),
      ]).flat(),
    );
    const codes = ended.map((end) => (end.status === 'rejected' ? end.reason.code : end.value));
    assert.deepEqual(
      codes,
      codes.map(() => 'overloaded'),
    );
    await server.restart();
  });

  it('changes to rows that a frozen node has locked are rejected in time, and made when it is gone', {
    timeout: 60_000,
  }, async () => {
    const url = await server.createDatabase();
    await using opened = await openPostgresTestStore(url, { scripts, waitMs: 4000 });
    const { store } = opened;
    const { workspaceId } = await createStoreDriver(store);
    const frozen = new Client({ connectionString: url });
    await frozen.connect();
    await frozen.query('begin');
    await frozen.query(`select 1 from workspace_counter where workspace_id = '${workspaceId}' for update`);
    const write = (path: string) => store.transact(countingScript, { workspaceId, path, baseVersion: 0 });
    const first = write('a');
    // Shares the batch that comes after the first one's.
    const second = new Promise((resolve) => setImmediate(resolve)).then(() => write('b'));
    for (const rejected of await Promise.allSettled([first, second])) {
      assert.ok(rejected.status === 'rejected');
      assert.equal(rejected.reason.code, 'overloaded');
    }
    const third = write('c');
    await frozen.end();
    assert.equal((await third).kind, 'written');
    await assertWholeFeed(store, workspaceId, 1);
  });

  it('a server that comes back without fsync stops the process', async () => {
    await using opened = await openPostgresTestStore(await server.createDatabase(), { scripts });
    await server.stop();
    await server.restart(['fsync=off']);
    const reading = opened.store.reader.changes.head('ws_none');
    while (opened.fatalErrors.length === 0) await new Promise((resolve) => setImmediate(resolve));
    assert.match(opened.fatalErrors[0]?.message ?? '', /fsync = off.*set fsync = on/);
    await server.stop();
    await server.restart([]);
    assert.equal(await reading, 0);
  });
});
