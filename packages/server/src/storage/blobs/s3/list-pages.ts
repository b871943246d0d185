import { type _Object, ListObjectsV2Command } from '@aws-sdk/client-s3';
import type { ObjectStore } from './object-store.ts';
import { askStore } from './store-failure.ts';

const pageKeysMax = 1000;

/** All objects whose name begins with `prefix`, in the order of their names, a page of at most 1000 at a time. */
export async function* listPages(store: ObjectStore, prefix: string): AsyncGenerator<readonly _Object[]> {
  let next: string | undefined;
  do {
    const command = new ListObjectsV2Command({
      Bucket: store.bucket,
      Prefix: prefix,
      MaxKeys: pageKeysMax,
      ContinuationToken: next,
    });
    const page = await askStore(store, () => store.client.send(command));
    yield page.Contents ?? [];
    // A page that named itself as the next would be read for ever.
    if (page.IsTruncated && (page.NextContinuationToken ?? next) === next) {
      throw new Error('the object store does not say where its list goes on');
    }
    next = page.IsTruncated ? page.NextContinuationToken : undefined;
  } while (next !== undefined);
}
