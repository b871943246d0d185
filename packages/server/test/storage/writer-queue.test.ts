import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BatchResult, QueuedScript } from '../../src/storage/batches.ts';
import { createWriterQueue } from '../../src/storage/sqlite/writer-queue.ts';

function queueOfBatches() {
  const sent: (readonly QueuedScript[])[] = [];
  const queue = createWriterQueue((scripts) => sent.push(scripts));
  const submit = (command: unknown) => queue.submit({ script: 's', command });
  const commitOldest = (at: number) => {
    const results = (sent[at] ?? []).map(({ command }) => ({ kind: 'done', outcome: command }) as const);
    queue.settle({ kind: 'committed', results, changedWorkspaces: [] });
  };
  return { sent, queue, submit, commitOldest };
}

describe('the queue before the writer', () => {
  it('buffers scripts while two batches are pending, and sends them as one batch', async () => {
    const { sent, submit, commitOldest } = queueOfBatches();
    const responses = [1, 2, 3, 4, 5].map(submit);
    assert.deepEqual(
      sent.map((batch) => batch.map(({ command }) => command)),
      [[1], [2]],
    );
    commitOldest(0);
    assert.deepEqual(
      sent[2]?.map(({ command }) => command),
      [3, 4, 5],
    );
    commitOldest(1);
    commitOldest(2);
    assert.deepEqual(await Promise.all(responses), [1, 2, 3, 4, 5]);
  });

  it('reports to each script once how many it is sent with', () => {
    const { queue, commitOldest } = queueOfBatches();
    const reported: [script: number, scripts: number][] = [];
    for (const command of [1, 2, 3, 4]) {
      void queue.submit({ script: 's', command }, (scripts) => reported.push([command, scripts]));
    }
    commitOldest(0);
    assert.deepEqual(reported, [
      [1, 1],
      [2, 1],
      [3, 2],
      [4, 2],
    ]);
  });

  it('bounds a batch by its scripts and by its bytes', () => {
    const { sent, submit, commitOldest } = queueOfBatches();
    for (let i = 0; i < 302; i += 1) void submit(i);
    commitOldest(0);
    assert.equal(sent[2]?.length, 256);
    const large = queueOfBatches();
    for (let i = 0; i < 302; i += 1) void large.submit(new Uint8Array(60_000));
    large.commitOldest(0);
    assert.equal(large.sent[2]?.length, 139);
  });

  it('sends a queued batch that is larger than a batch alone', () => {
    const { sent, submit, commitOldest } = queueOfBatches();
    for (const size of [1, 1, 9_000_000, 1]) void submit(new Uint8Array(size));
    commitOldest(0);
    assert.equal(sent[2]?.length, 1);
  });

  const badEnds: readonly [string, BatchResult, object | RegExp][] = [
    ['a full disk', { kind: 'rolled_back', reason: 'storage_full' }, { code: 'storage_full' }],
    ['a busy database', { kind: 'rolled_back', reason: 'busy' }, { code: 'overloaded' }],
    ['a failed disk', { kind: 'fatal', message: 'disk I/O error' }, /disk I\/O error/],
    ['a missing answer', { kind: 'committed', results: [], changedWorkspaces: [] }, /returned no result/],
  ];
  for (const [name, result, expected] of badEnds) {
    it(`${name} rejects the whole batch and not the next`, async () => {
      const { queue, submit, commitOldest } = queueOfBatches();
      const first = submit(1);
      const second = submit(2);
      queue.settle(result);
      await assert.rejects(first, expected);
      commitOldest(1);
      assert.equal(await second, 2);
    });
  }

  it('rejects every change after it failed', async () => {
    const { queue, submit } = queueOfBatches();
    const responses = [1, 2, 3].map(submit);
    queue.fail(new Error('the writer is gone'));
    for (const response of [...responses, submit(4)]) await assert.rejects(response, /the writer is gone/);
    await queue.drain();
  });
});
