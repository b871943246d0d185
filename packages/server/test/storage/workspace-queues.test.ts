import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createWorkspaceQueues, type QueueResult } from '../../src/storage/postgres/workspace-queues.ts';

const busy: QueueResult = { kind: 'rolled_back', reason: 'busy' };
const done = (count: number): QueueResult => ({
  kind: 'committed',
  results: Array.from({ length: count }, (_, outcome) => ({ kind: 'done', outcome })),
  changedWorkspaces: [],
});
const queued = { script: 'any', command: {} };
const overloaded = { code: 'overloaded' };
const never = new Promise<never>(() => {});

describe('scripts that wait for others', () => {
  it('are rejected when their time is over, whatever the batch before them does', async () => {
    const queues = createWorkspaceQueues(() => never, { atOnceMax: 1, waitMs: 20 });
    void queues.submit('ws_a', queued);
    const behind = [queues.submit('ws_a', queued), queues.submit('ws_a', queued)];
    const elsewhere = queues.submit('ws_b', queued);
    for (const waiting of [...behind, elsewhere]) await assert.rejects(waiting, overloaded);
  });

  it('are tried again with the next ones when their batch was held up before their time was over', async () => {
    const batches: number[] = [];
    let release: (result: QueueResult) => void = () => {};
    const queues = createWorkspaceQueues(
      (_lane, { scripts }) => {
        batches.push(scripts.length);
        if (batches.length > 1) return Promise.resolve(done(scripts.length));
        return new Promise((resolve) => {
          release = resolve;
        });
      },
      { atOnceMax: 1, waitMs: 60_000 },
    );
    const sent: number[] = [];
    const first = queues.submit('ws_a', queued, (scripts) => sent.push(scripts));
    const second = queues.submit('ws_a', queued);
    release(busy);
    await Promise.all([first, second]);
    assert.deepEqual(batches, [1, 2]);
    assert.deepEqual(sent, batches);
  });

  it('join the batch in front of them when it takes them, as far as they fit', async () => {
    const outcomes: number[] = [];
    let start: () => void = () => {};
    const started = new Promise<void>((resolve) => {
      start = resolve;
    });
    const sizes: number[] = [];
    const queues = createWorkspaceQueues(
      async (_queue, batch) => {
        await started;
        batch.grow();
        sizes.push(batch.scripts.length);
        return done(batch.scripts.length);
      },
      { atOnceMax: 1, waitMs: 60_000 },
    );
    const submitted = Array.from({ length: 300 }, () => queues.submit('ws_a', queued));
    start();
    for (const outcome of await Promise.all(submitted)) outcomes.push(Number(outcome));
    assert.deepEqual(sizes, [256, 44]);
    assert.deepEqual(
      outcomes,
      Array.from({ length: 300 }, (_, i) => (i < 256 ? i : i - 256)),
    );
  });

  it('are rejected with their batch when their time is over by then', async () => {
    const queues = createWorkspaceQueues(
      async (_lane, { giveUpAt }) => {
        while (performance.now() < giveUpAt) await new Promise((resolve) => setImmediate(resolve));
        return busy;
      },
      { atOnceMax: 1, waitMs: 20 },
    );
    await assert.rejects(queues.submit('ws_a', queued), overloaded);
  });

  it('never have two batches of one queue at once, even when all waiting ones were rejected', async (t) => {
    // Only those who wait when the test says so wait for too long.
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const waitMs = 20;
    const underWay = new Set<string>();
    let release: () => void = () => {};
    const blocked = new Promise<void>((resolve) => {
      release = resolve;
    });
    const queues = createWorkspaceQueues(
      async (queueName, { scripts }) => {
        assert.ok(!underWay.has(queueName));
        underWay.add(queueName);
        if (queueName === 'ws_a') await blocked;
        else await new Promise((resolve) => setImmediate(resolve));
        underWay.delete(queueName);
        return done(scripts.length);
      },
      { atOnceMax: 2, waitMs },
    );
    const blocking = [queues.submit('ws_a', queued), queues.submit('ws_c', queued)];
    await blocking[1];
    const tooLong = assert.rejects(queues.submit('ws_a', queued), overloaded);
    t.mock.timers.tick(waitMs);
    await tooLong;
    const others = Array.from({ length: 20 }, () => queues.submit('ws_b', queued));
    await Promise.all(others);
    release();
    await blocking[0];
    await queues.drain();
  });
});
