import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { QueuedScript } from '../../src/storage/batches.ts';
import { joinSqliteStore } from '../../src/storage/sqlite/open-sqlite-store.ts';
import { type FromWriter, serveBatches, type ToWriter } from '../../src/storage/sqlite/serve-batches.ts';
import { openTemporaryStore } from './support/open-temporary-store.ts';
import { createStoreDriver } from './support/store-driver.ts';
import { appendScript, waitingScript } from './support/store-scripts.ts';

/** A store that was opened, and two that joined it, as further threads do. */
async function threeStores() {
  const opened = await openTemporaryStore();
  const fatalErrors: Error[] = [];
  const joined = [1, 2].map(() =>
    joinSqliteStore({
      file: opened.file,
      port: opened.store.letJoin(),
      onFatal: (error) => fatalErrors.push(error),
    }),
  );
  return {
    opened,
    stores: [opened.store, ...joined],
    fatalErrors,
    async [Symbol.asyncDispose]() {
      for (const store of joined) await store[Symbol.asyncDispose]();
      await opened[Symbol.asyncDispose]();
    },
  };
}

describe('stores over one writer', () => {
  it("share the numbers, and each sees another's results at once", async () => {
    await using three = await threeStores();
    const { workspaceId } = await createStoreDriver(three.opened.store);
    const seqs = await Promise.all(
      three.stores.flatMap((store) =>
        Array.from({ length: 200 }, () => store.transact(appendScript, { workspaceId, path: 'a' })),
      ),
    );
    assert.deepEqual(
      seqs.toSorted((a, b) => a - b),
      Array.from({ length: 600 }, (_, i) => i + 1),
    );
    for (const store of three.stores) {
      const seq = await store.transact(appendScript, { workspaceId, path: 'a' });
      for (const other of three.stores) {
        // As at the beginning of a request.
        other.refreshReads();
        assert.equal(await other.reader.changes.head(workspaceId), seq);
      }
    }
  });

  it("are notified of the others' changes, and read them then", async () => {
    await using three = await threeStores();
    const { workspaceId } = await createStoreDriver(three.opened.store);
    for (const writing of three.stores) {
      const seq = (await writing.reader.changes.head(workspaceId)) + 1;
      const reported = three.stores.map(
        (store) =>
          new Promise<number>((resolve) => {
            const end = store.onChange(async (workspaceIds) => {
              if (!workspaceIds.includes(workspaceId)) return;
              end();
              resolve(await store.reader.changes.head(workspaceId));
            });
          }),
      );
      await writing.transact(appendScript, { workspaceId, path: 'a' });
      assert.deepEqual(await Promise.all(reported), [seq, seq, seq]);
      for (const store of three.stores) store.refreshReads();
    }
  });

  it('close one after the other, each after its changes are done', async () => {
    const three = await threeStores();
    const { workspaceId } = await createStoreDriver(three.opened.store);
    for (const store of three.stores.toReversed()) {
      const last = store.transact(appendScript, { workspaceId, path: 'a' });
      const closed = store[Symbol.asyncDispose]();
      await assert.rejects(store.transact(appendScript, { workspaceId, path: 'a' }), {
        code: 'shutting_down',
      });
      assert.equal(typeof (await last), 'number');
      await closed;
    }
    assert.deepEqual([three.fatalErrors, three.opened.fatalErrors], [[], []]);
    await three[Symbol.asyncDispose]();
  });

  it('all fail with the writer', async () => {
    const three = await threeStores();
    const { workspaceId } = await createStoreDriver(three.opened.store);
    const [, joined] = three.stores;
    assert.ok(joined);
    await assert.rejects(joined.transact(waitingScript, null));
    for (const store of three.stores) {
      await assert.rejects(store.transact(appendScript, { workspaceId, path: 'a' }));
    }
    assert.equal(three.opened.fatalErrors.length, 1);
    assert.equal(three.fatalErrors.length, 2);
    await three[Symbol.asyncDispose]();
  });
});

describe('the loop of the writer', () => {
  /** Threads that send batches of numbers, and a commit that waits until the test releases it. */
  function loopOf(threads: number) {
    const commits: (readonly unknown[])[] = [];
    const starter = new MessageChannel();
    const heard: FromWriter[][] = [];
    const ports: MessagePort[] = [starter.port2];
    serveBatches(starter.port1, {
      async run(scripts) {
        commits.push(scripts.map(({ command }) => command));
        const results = scripts.map(({ command }) => ({ kind: 'done', outcome: command }) as const);
        return { kind: 'committed', results, changedWorkspaces: [`ws_${commits.length}`] };
      },
      committed() {},
      close: async () => {},
    });
    for (let n = 1; n < threads; n += 1) {
      const { port1, port2 } = new MessageChannel();
      starter.port2.postMessage({ kind: 'join', port: port1 } satisfies ToWriter, [port1]);
      ports.push(port2);
    }
    for (const port of ports) {
      const messages: FromWriter[] = [];
      heard.push(messages);
      port.on('message', (message: FromWriter) => messages.push(message));
    }
    const send = (thread: number, ...commands: readonly number[]) => {
      const scripts: QueuedScript[] = commands.map((command) => ({ script: 's', command }));
      ports[thread]?.postMessage({ kind: 'batch', scripts } satisfies ToWriter);
    };
    const until = async (isSo: () => boolean) => {
      while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
    };
    const outcomes = (thread: number) =>
      (heard[thread] ?? []).flatMap((message) =>
        message.kind === 'batch' && message.result.kind === 'committed'
          ? message.result.results.map((result) => (result.kind === 'done' ? result.outcome : null))
          : [],
      );
    const reported = (thread: number) =>
      (heard[thread] ?? []).flatMap((message) => (message.kind === 'changed' ? [message.workspaceIds] : []));
    return {
      commits,
      ports,
      send,
      until,
      outcomes,
      told: reported,
      [Symbol.dispose]() {
        for (const port of ports) port.close();
      },
    };
  }

  it('commits messages of all threads together, and returns each its own results in order', async () => {
    using loop = loopOf(3);
    await loop.until(() => loop.ports.length === 3);
    loop.send(1, 10, 11);
    await loop.until(() => loop.outcomes(1).length === 2);
    loop.commits.length = 0;
    loop.send(0, 1, 2);
    loop.send(1, 12);
    loop.send(1, 13, 14);
    loop.send(2, 20);
    await loop.until(() => [0, 1, 2].flatMap(loop.outcomes).length === 8);
    assert.deepEqual(loop.commits, [
      [1, 2, 12, 20],
      [13, 14],
    ]);
    assert.deepEqual([0, 1, 2].map(loop.outcomes), [[1, 2], [10, 11, 12, 13, 14], [20]]);
  });

  it('notifies a late thread of all that it missed, once it has confirmed the last message', async () => {
    using loop = loopOf(2);
    for (let n = 1; n <= 5; n += 1) {
      loop.send(0, n);
      await loop.until(() => loop.outcomes(0).length === n);
    }
    await loop.until(() => loop.told(1).length > 0);
    assert.deepEqual(loop.told(1), [['ws_1']]);
    loop.ports[1]?.postMessage({ kind: 'heard' } satisfies ToWriter);
    await loop.until(() => loop.told(1).length > 1);
    assert.deepEqual(loop.told(1), [['ws_1'], ['ws_2', 'ws_3', 'ws_4', 'ws_5']]);
  });
});
