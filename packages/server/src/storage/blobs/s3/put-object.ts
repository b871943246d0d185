import { createHash } from 'node:crypto';
import { HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { askStore, isAbsent, type ObjectStore } from './object-store.ts';
import { objectMetadata } from './range-checks.ts';
import type { Cleanup } from './upload-cleanup.ts';

/**
 * Sends what fits into one part under its own name at once, and verifies it.
 * @param cleanup gets the object.
 * @throws WorkspaceError as `storeRefusal`; Error as `verifyObject`
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
 * Takes the step that an object comes into being with, and verifies it. When the answer is lost, or a second try
 * finds the upload gone, the object itself tells whether it was done.
 * @param create resolves to the entity tag that the store answered
 * @throws what `create` failed with, and as `verifyObject`
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

/** What an upload must have become. The entity tag is what the store answered, if its answer arrived. */
export interface SentObject {
  readonly name: string;
  readonly sizeBytes: number;
  readonly entityTag: string | undefined;
}

/** @throws Error when the object is not there as it was sent; WorkspaceError when the store does not say. */
export async function verifyObject(
  store: ObjectStore,
  { name, sizeBytes, entityTag }: SentObject,
): Promise<void> {
  const found = await askStore(store, () =>
    store.client
      .send(new HeadObjectCommand({ Bucket: store.bucket, Key: name }))
      .catch((error: unknown) => (isAbsent(error) ? null : Promise.reject(error))),
  );
  if (found === null) throw new Error(`an upload of ${sizeBytes} bytes is not there`);
  if (found.ContentLength !== sizeBytes) {
    throw new Error(`an upload of ${sizeBytes} bytes is an object of ${found.ContentLength}`);
  }
  const [answered, there] = [bare(entityTag), bare(found.ETag)];
  if (answered !== null && there !== null && answered !== there) {
    throw new Error(`an upload became ${answered} and is now ${there}`);
  }
}

/** Stores differ in where they quote it. Ceph's answer to a completed upload has an empty one, which says nothing. */
function bare(entityTag: string | undefined): string | null {
  return entityTag?.replaceAll('"', '') || null;
}

const firstBytes = 256 * 1024;

/** Gathers small pieces into one part in memory of its own, which grows as far as it is needed. */
export interface PartBuffer {
  isFull(): boolean;
  /** Copies as much as there is room for. @returns the rest. */
  add(bytes: Uint8Array): Uint8Array;
  /** What was gathered, and its hash as `Content-MD5`. It stays so until `clear`, and nothing is added before. */
  seal(): Part;
  clear(): void;
}

export interface Part {
  readonly bytes: Uint8Array;
  readonly md5: string;
}

/** @param partBytes how many it takes. */
export function createPartBuffer(partBytes: number): PartBuffer {
  let memory = new Uint8Array(firstBytes);
  let size = 0;
  // Hashed piece by piece: a whole part at once would hold everything else up.
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
