import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createBatchLanes, type LaneResult } from '../../src/storage/postgres/batch-lanes.ts';

const busy: LaneResult = { kind: 'rolled_back', reason: 'busy' };
const done = (count: number): LaneResult => ({
  kind: 'committed',
  results: Array.from({ length: count }, (_, outcome) => ({ kind: 'done', outcome })),
  changedWorkspaces: [],
});
const operation = { script: 'any', command: {} };
const overloaded = { code: 'overloaded' };
const never = new Promise<never>(() => {});

describe('operations that wait for others', () => {
  it('are refused when their time is over, whatever the batch in front of them does', async () => {
    const lanes = createBatchLanes(() => never, { atOnceMax: 1, waitMs: 20 });
    void lanes.submit('ws_a', operation);
    const behind = [lanes.submit('ws_a', operation), lanes.submit('ws_a', operation)];
    const elsewhere = lanes.submit('ws_b', operation);
    for (const waiting of [...behind, elsewhere]) await assert.rejects(waiting, overloaded);
  });

  it('are tried again with the next ones when their batch was held up before their time was over', async () => {
    const batches: number[] = [];
    let release: (result: LaneResult) => void = () => {};
    const lanes = createBatchLanes(
      (_lane, operations) => {
        batches.push(operations.length);
        if (batches.length > 1) return Promise.resolve(done(operations.length));
        return new Promise((resolve) => {
          release = resolve;
        });
      },
      { atOnceMax: 1, waitMs: 60_000 },
    );
    const first = lanes.submit('ws_a', operation);
    const second = lanes.submit('ws_a', operation);
    release(busy);
    await Promise.all([first, second]);
    assert.deepEqual(batches, [1, 2]);
  });

  it('are refused with their batch when their time is over by then', async () => {
    const lanes = createBatchLanes(
      async (_lane, _operations, giveUpAt) => {
        while (performance.now() < giveUpAt) await new Promise((resolve) => setImmediate(resolve));
        return busy;
      },
      { atOnceMax: 1, waitMs: 20 },
    );
    await assert.rejects(lanes.submit('ws_a', operation), overloaded);
  });

  it('never have two batches of one lane under way, also when all that waited was refused', async () => {
    const underWay = new Set<string>();
    let release: () => void = () => {};
    const blocked = new Promise<void>((resolve) => {
      release = resolve;
    });
    const lanes = createBatchLanes(
      async (lane, operations) => {
        assert.ok(!underWay.has(lane));
        underWay.add(lane);
        if (lane === 'ws_a') await blocked;
        else await new Promise((resolve) => setImmediate(resolve));
        underWay.delete(lane);
        return done(operations.length);
      },
      { atOnceMax: 2, waitMs: 20 },
    );
    const blocking = [lanes.submit('ws_a', operation), lanes.submit('ws_c', operation)];
    await blocking[1];
    await assert.rejects(lanes.submit('ws_a', operation), overloaded);
    const others = Array.from({ length: 20 }, () => lanes.submit('ws_b', operation));
    await Promise.all(others);
    release();
    await blocking[0];
    await lanes.drain();
  });
});
