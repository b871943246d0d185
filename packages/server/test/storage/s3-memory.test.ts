import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { it } from 'node:test';
import { withObjectStore } from '../../../../tests/support/with-object-store.ts';
import { testBucket } from './support/open-s3-blobs.ts';
import type { TransferOrder, Transferred } from './support/transfer-large-content.ts';

const sizeBytes = 100_000_000;
const grownBytesMax = 128 * 1024 * 1024;

await withObjectStore('a server that moves 100 MB to an object store and back', (store) => {
  it('grows by 128 MiB at most', { timeout: 300_000 }, async () => {
    await store().createBucket(testBucket);
    const child = fork(new URL('./support/transfer-large-content.ts', import.meta.url));
    const ended = once(child, 'exit');
    const { endpoint, region, accessKeyId, secretAccessKey } = store();
    const order: TransferOrder = { store: { endpoint, region, accessKeyId, secretAccessKey }, sizeBytes };
    child.send(order);
    const [response]: Transferred[] = await Promise.race([
      once(child, 'message'),
      ended.then(() => assert.fail('the process ended without a result')),
    ]);
    await ended;
    assert.ok(response !== undefined);
    assert.equal(response.receivedHash, response.sentHash);
    assert.ok(response.grownBytes <= grownBytesMax, `${response.grownBytes} bytes more`);
  });
});
