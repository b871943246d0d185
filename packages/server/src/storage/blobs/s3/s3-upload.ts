// docs/decisions/0016-object-store.md
import { randomBytes } from 'node:crypto';
import type { BlobUpload } from '../../../service/ports/blob-store.ts';
import { freeChunk } from '../free-chunk.ts';
import { copyObject } from './copy-object.ts';
import { beginMultipartUpload, type MultipartUpload } from './multipart-upload.ts';
import { objectName, stagingName } from './object-names.ts';
import type { ObjectStore } from './object-store.ts';
import { createPartBuffer, createVerified, type Part, putObject } from './put-object.ts';
import { createRangeSums } from './range-checks.ts';
import { createCleanup } from './upload-cleanup.ts';

/** Enough random bytes that no two uploads ever share a name, so that a retry can only write the same bytes again. */
const generationBytes = 16;

/**
 * Sends a content that fits into one part as one object. A larger one goes in parts to a staging object, because its
 * hash, and so its name, is known only at the end, and is then copied inside the store. One part is gathered while the
 * previous one is sent, so that an upload holds two parts in memory, whatever its size.
 */
export function beginS3Upload(store: ObjectStore, workspaceId: string): BlobUpload {
  const generation = randomBytes(generationBytes).toString('base64url');
  const stagingObject = stagingName(store, { workspaceId, generation });
  const staged = createCleanup(store);
  const named = createCleanup(store);
  const givenUp = new AbortController();
  let gathered = createPartBuffer(store.partBytes);
  let sent = createPartBuffer(store.partBytes);
  let multipart: MultipartUpload | null = null;
  let underWay: Promise<void> = Promise.resolve();
  let writtenBytes = 0;
  const sums = createRangeSums();
  let state: 'open' | 'finishing' | 'finished' | 'closed' = 'open';

  const send = async (part: Part) => {
    multipart ??= await beginMultipartUpload(store, stagingObject, null, staged, givenUp.signal);
    await multipart.send(part);
  };
  const sendGathered = async () => {
    await underWay;
    [gathered, sent] = [sent, gathered];
    gathered.clear();
    underWay = send(sent.seal());
    // The next call reports the error; after an aborted upload nothing needs it.
    underWay.catch(() => {});
  };

  return {
    async write(chunk) {
      if (state !== 'open') throw new Error('the upload is over');
      writtenBytes += chunk.byteLength;
      sums.update(chunk);
      for (let rest = chunk; rest.byteLength > 0; ) {
        if (gathered.isFull()) await sendGathered();
        rest = gathered.add(rest);
      }
      freeChunk(chunk);
    },
    async finish({ contentHash, sizeBytes }) {
      if (state !== 'open') throw new Error('the upload is over');
      if (writtenBytes !== sizeBytes) {
        throw new Error(`an upload of ${sizeBytes} bytes was given ${writtenBytes}`);
      }
      state = 'finishing';
      const name = objectName(store, { workspaceId, contentHash, generation });
      const checks = sums.checks();
      await underWay;
      if (multipart === null) {
        await putObject(store, name, gathered.seal(), checks, named, givenUp.signal);
      } else {
        await sendGathered();
        await underWay;
        const source = { name: stagingObject, sizeBytes };
        await createVerified(store, source, multipart.complete);
        await copyObject(store, source, { name, checks }, named, givenUp.signal);
      }
      // If the upload was aborted in the meantime, the object is removed.
      givenUp.signal.throwIfAborted();
      state = 'finished';
      await staged.run('a staging object is left for the sweeper');
      return generation;
    },
    async [Symbol.asyncDispose]() {
      if (state === 'closed' || state === 'finished') return;
      state = 'closed';
      givenUp.abort();
      await underWay.catch(() => {});
      const leftMessage = 'a failed upload is left for the sweeper';
      await Promise.all([staged.run(leftMessage), named.run(leftMessage)]);
    },
  };
}
