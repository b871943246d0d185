/**
 * A process that sends and receives one large content, so that a test can measure its memory. Takes the
 * arguments of `openS3Blobs` and sends back `Transferred`.
 */
import { createHash } from 'node:crypto';
import type { ContentHash } from '@stoa/core';
import { keepBytes, patterned, readBytes } from './blob-contents.ts';
import { openS3Blobs } from './open-s3-blobs.ts';

export interface TransferOrder {
  readonly store: Parameters<typeof openS3Blobs>[0];
  readonly sizeBytes: number;
}

export interface Transferred {
  readonly sentHash: string;
  readonly receivedHash: string;
  /** Growth of the memory beyond its size after a first content of three parts. */
  readonly grownBytes: number;
}

const chunkBytes = 64 * 1024;
const warmUpBytes = 20_000_000;

process.once('message', async (order: TransferOrder) => {
  process.send?.(await transfer(order));
  process.disconnect?.();
});

async function transfer({ store, sizeBytes }: TransferOrder): Promise<Transferred> {
  const { blobs } = await openS3Blobs(store);
  const first = await keepBytes(blobs, 'ws_first', patterned(warmUpBytes));
  await readBytes(blobs, first, 0, warmUpBytes, warmUpBytes);
  const before = peakBytes();

  const sent = createHash('sha256');
  await using upload = await blobs.beginUpload('ws_large');
  for (let at = 0; at < sizeBytes; at += chunkBytes) {
    const chunk = new Uint8Array(Math.min(chunkBytes, sizeBytes - at)).fill(at / chunkBytes);
    sent.update(chunk);
    await upload.write(chunk);
  }
  const contentHash = sent.digest('hex') as ContentHash;
  const generation = await upload.finish({ contentHash, sizeBytes });

  const received = createHash('sha256');
  const key = { workspaceId: 'ws_large', contentHash, generation };
  for await (const chunk of await blobs.open(key, { start: 0, end: sizeBytes, sizeBytes })) {
    received.update(chunk);
  }
  return {
    sentHash: contentHash,
    receivedHash: received.digest('hex'),
    grownBytes: peakBytes() - before,
  };
}

function peakBytes(): number {
  return process.resourceUsage().maxRSS * 1024;
}
