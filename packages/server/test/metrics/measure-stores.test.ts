import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WorkspaceError } from '@stoa/core';
import { createHttpMetrics } from '../../src/metrics/http-metrics.ts';
import { measureContents } from '../../src/metrics/measure-stores.ts';
import type { BlobKey, BlobStore } from '../../src/service/ports/blob-store.ts';

const key = { workspaceId: 'ws_1', contentHash: 'abc', generation: 'g' } as BlobKey;

for (const [outcome, what, error] of [
  ['failed', 'too much waiting', new WorkspaceError('overloaded')],
  ['failed', 'a store that is away', new Error('the disk is away')],
  ['refused', 'an ordinary rejection', new WorkspaceError('unauthorized')],
] as const) {
  test(`an operation that ends with ${what} is counted as ${outcome}, and is over`, async () => {
    const metrics = createHttpMetrics();
    const away: Pick<BlobStore, 'remove'> = { remove: () => Promise.reject(error) };
    const blobs = measureContents(away as BlobStore, metrics.stores);
    await assert.rejects(blobs.remove(key), error);
    const text = await metrics.text();
    const labels = 'store="contents",operation="remove"';
    assert.ok(text.includes(`stoa_store_operation_duration_seconds_count{${labels},outcome="${outcome}"} 1`));
    assert.ok(text.includes(`stoa_store_operations_under_way{${labels}} 0`));
  });
}
