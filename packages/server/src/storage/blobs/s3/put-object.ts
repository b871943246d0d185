import { createHash } from 'node:crypto';
import { HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { askStore, isAbsent, type ObjectStore } from './object-store.ts';
import { objectMetadata } from './range-checks.ts';
import type { Cleanup } from './upload-cleanup.ts';

/**
 * Uploads a content that fits into one part under its final name, and verifies it.
 * @param cleanup receives the object.
 * @throws WorkspaceError as `storeError`; Error as `verifyObject`
 */
export async function putObject(
  store: ObjectStore,
  name: string,
  { bytes, md5 }: Part,
  checks: string,
  cleanup: Cleanup,
  signal: AbortSignal,
): Promise<void> {
  const { client, bucket, timeouts } = store;
  cleanup.addObject(name);
  const sizeBytes = bytes.byteLength;
  const command = new PutObjectCommand({
    Bucket: bucket,
    Key: name,
    Body: bytes,
    ContentLength: sizeBytes,
    ContentMD5: md5,
    Metadata: objectMetadata(checks),
  });
  const options = { abortSignal: signal, requestTimeout: timeouts.uploadMs };
  const { ETag } = await askStore(store, () => client.send(command, options));
  await verifyObject(store, { name, sizeBytes, entityTag: ETag });
}

/**
 * Runs the request that creates an object, and verifies it. When the response is lost, or a retry no longer finds the
 * upload, the object itself shows whether it succeeded.
 * @param create resolves to the entity tag in the store's response
 * @throws the error of `create`, and as `verifyObject`
 */
export async function createVerified(
  store: ObjectStore,
  object: Omit<SentObject, 'entityTag'>,
  create: () => Promise<string | undefined>,
): Promise<void> {
  let entityTag: string | undefined;
  try {
    entityTag = await create();
  } catch (failure) {
    await verifyObject(store, { ...object, entityTag: undefined }).catch(() => Promise.reject(failure));
    return;
  }
  await verifyObject(store, { ...object, entityTag });
}

/** The expected result of an upload. The entity tag is from the store's response, if that arrived. */
export interface SentObject {
  readonly name: string;
  readonly sizeBytes: number;
  readonly entityTag: string | undefined;
}

/** @throws Error when the object is not as it was sent; WorkspaceError when the store does not say. */
export async function verifyObject(
  store: ObjectStore,
  { name, sizeBytes, entityTag }: SentObject,
): Promise<void> {
  const found = await askStore(store, () =>
    store.client
      .send(new HeadObjectCommand({ Bucket: store.bucket, Key: name }))
      .catch((error: unknown) => (isAbsent(error) ? null : Promise.reject(error))),
  );
  if (found === null) throw new Error(`an upload of ${sizeBytes} bytes is missing`);
  if (found.ContentLength !== sizeBytes) {
    throw new Error(`an upload of ${sizeBytes} bytes is an object of ${found.ContentLength}`);
  }
  const [responded, there] = [bare(entityTag), bare(found.ETag)];
  if (responded !== null && there !== null && responded !== there) {
    throw new Error(`an upload became ${responded} and is now ${there}`);
  }
}

/** Stores differ in how they quote it. Ceph's response to a completed upload has an empty one. */
function bare(entityTag: string | undefined): string | null {
  return entityTag?.replaceAll('"', '') || null;
}

const firstBytes = 256 * 1024;

/** Gathers small chunks into one part, in its own buffer, which grows as needed. */
export interface PartBuffer {
  isFull(): boolean;
  /** Copies as much as there is room for. @returns the rest. */
  add(bytes: Uint8Array): Uint8Array;
  /**
   * Returns the gathered bytes, and their hash as `Content-MD5`. They stay unchanged until `clear`; nothing may be
   * added before.
   */
  seal(): Part;
  clear(): void;
}

export interface Part {
  readonly bytes: Uint8Array;
  readonly md5: string;
}

/** @param partBytes the capacity. */
export function createPartBuffer(partBytes: number): PartBuffer {
  let memory = new Uint8Array(firstBytes);
  let size = 0;
  // Hashed chunk by chunk: a whole part at once would block other requests.
  let hash = createHash('md5');
  const makeRoomFor = (neededBytes: number) => {
    if (neededBytes <= memory.byteLength) return;
    const larger = new Uint8Array(Math.min(partBytes, Math.max(neededBytes, memory.byteLength * 2)));
    larger.set(memory.subarray(0, size));
    memory = larger;
  };
  return {
    isFull: () => size === partBytes,
    add(bytes) {
      const taken = bytes.subarray(0, partBytes - size);
      makeRoomFor(size + taken.byteLength);
      memory.set(taken, size);
      hash.update(taken);
      size += taken.byteLength;
      return bytes.subarray(taken.byteLength);
    },
    seal: () => ({ bytes: memory.subarray(0, size), md5: hash.digest('base64') }),
    clear() {
      size = 0;
      hash = createHash('md5');
    },
  };
}
