import { PutObjectCommand } from '@aws-sdk/client-s3';
import type { Leavings } from './leavings.ts';
import { makeSure } from './make-sure.ts';
import { objectMetadata } from './object-metadata.ts';
import type { ObjectStore } from './object-store.ts';
import type { Part } from './part-buffer.ts';
import { askStore } from './store-failure.ts';

/**
 * Sends what fits into one part under its own name at once, and makes sure of it.
 * @param leavings gets the object.
 * @throws WorkspaceError as `storeRefusal`; Error as `makeSure`
 */
export async function putObject(
  store: ObjectStore,
  name: string,
  { bytes, md5 }: Part,
  checks: string,
  leavings: Leavings,
  signal: AbortSignal,
): Promise<void> {
  const { client, bucket, patience } = store;
  leavings.addObject(name);
  const sizeBytes = bytes.byteLength;
  const command = new PutObjectCommand({
    Bucket: bucket,
    Key: name,
    Body: bytes,
    ContentLength: sizeBytes,
    ContentMD5: md5,
    Metadata: objectMetadata(checks),
  });
  const options = { abortSignal: signal, requestTimeout: patience.uploadMs };
  const { ETag } = await askStore(store, () => client.send(command, options));
  await makeSure(store, { name, sizeBytes, entityTag: ETag });
}
