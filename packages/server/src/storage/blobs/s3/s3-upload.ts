import { randomBytes } from 'node:crypto';
import { DeleteObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import type { BlobUpload } from '../../../service/ports/blob-store.ts';
import { freeChunk } from '../free-chunk.ts';
import { makeSure, type SentObject } from './make-sure.ts';
import { beginMultipartUpload, type MultipartUpload } from './multipart-upload.ts';
import { objectName } from './object-name.ts';
import type { ObjectStore } from './object-store.ts';
import { createPartBuffer, type Part } from './part-buffer.ts';
import { askStore, isAbsent, plainError } from './store-failure.ts';

/** So many random bytes that no two uploads ever share a name, and trying again can only write the same bytes again. */
const generationBytes = 16;
/** Clearing up after a failure must not hold its caller for long: what it leaves, the sweeper finds. */
const clearUpMsMax = 10_000;

/**
 * Sends what fits into one part as one object, anything larger in parts: one is gathered while the one before is sent,
 * so that an upload holds two parts in memory, however large it is.
 */
export function beginS3Upload(store: ObjectStore, workspaceId: string): BlobUpload {
  const { client, bucket, patience } = store;
  const generation = randomBytes(generationBytes).toString('base64url');
  const name = objectName(store, { workspaceId, generation });
  const givenUp = new AbortController();
  let gathered = createPartBuffer();
  let sent = createPartBuffer();
  let multipart: MultipartUpload | null = null;
  let underWay: Promise<void> = Promise.resolve();
  let writtenBytes = 0;
  let state: 'open' | 'finishing' | 'finished' | 'closed' = 'open';

  const send = async (part: Part) => {
    multipart ??= await beginMultipartUpload(store, name, givenUp.signal);
    await multipart.send(part);
  };
  const sendGathered = async () => {
    await underWay;
    [gathered, sent] = [sent, gathered];
    gathered.clear();
    underWay = send(sent.seal());
    // Told by the next call, or by nobody when the upload is given up.
    underWay.catch(() => {});
  };
  const putWhole = async ({ bytes, md5 }: Part) => {
    const command = new PutObjectCommand({
      Bucket: bucket,
      Key: name,
      Body: bytes,
      ContentLength: bytes.byteLength,
      ContentMD5: md5,
    });
    const options = { abortSignal: givenUp.signal, requestTimeout: patience.uploadMs };
    return (await askStore(store, () => client.send(command, options))).ETag;
  };

  return {
    async write(chunk) {
      if (state !== 'open') throw new Error('the upload is over');
      writtenBytes += chunk.byteLength;
      for (let rest = chunk; rest.byteLength > 0; ) {
        if (gathered.isFull()) await sendGathered();
        rest = gathered.add(rest);
      }
      freeChunk(chunk);
    },
    async finish({ sizeBytes }) {
      if (state !== 'open') throw new Error('the upload is over');
      if (writtenBytes !== sizeBytes) {
        throw new Error(`an upload of ${sizeBytes} bytes was given ${writtenBytes}`);
      }
      state = 'finishing';
      await underWay;
      if (multipart === null) {
        await makeSure(store, { name, sizeBytes, entityTag: await putWhole(gathered.seal()) });
      } else {
        await sendGathered();
        await underWay;
        await complete(store, multipart, { name, sizeBytes });
      }
      state = 'finished';
      return generation;
    },
    async [Symbol.asyncDispose]() {
      if (state === 'closed' || state === 'finished') return;
      const mayBeThere = state === 'finishing';
      state = 'closed';
      givenUp.abort();
      await underWay.catch(() => {});
      const abortSignal = AbortSignal.timeout(clearUpMsMax);
      const remove = new DeleteObjectCommand({ Bucket: bucket, Key: name });
      const steps = [
        mayBeThere ? client.send(remove, { abortSignal }) : null,
        multipart?.abort(abortSignal) ?? null,
      ];
      for (const step of await Promise.allSettled(steps)) {
        if (step.status === 'fulfilled' || isAbsent(step.reason)) continue;
        store.reportProblem('a failed upload is left for the sweeper', plainError(step.reason));
      }
    },
  };
}

/** When the answer is lost, or a second try finds the upload gone, the object itself tells whether it was completed. */
async function complete(
  store: ObjectStore,
  multipart: MultipartUpload,
  sent: Omit<SentObject, 'entityTag'>,
): Promise<void> {
  let entityTag: string | undefined;
  try {
    entityTag = await multipart.complete();
  } catch (failure) {
    await makeSure(store, { ...sent, entityTag: undefined }).catch(() => Promise.reject(failure));
    return;
  }
  await makeSure(store, { ...sent, entityTag });
}
