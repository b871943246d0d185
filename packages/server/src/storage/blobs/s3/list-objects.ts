import type { BlobKey } from '../../../service/ports/blob-store.ts';
import { listPages } from './list-pages.ts';
import { parseObjectName } from './object-name.ts';
import type { ObjectStore } from './object-store.ts';

/** Objects last written before `olderThan`, in the order of their names: those of a workspace are together. */
export async function* listObjects(
  store: ObjectStore,
  olderThan: number,
): AsyncGenerator<readonly BlobKey[]> {
  for await (const page of listPages(store, store.prefix)) {
    const listed: BlobKey[] = [];
    for (const { Key = '', LastModified } of page) {
      const key = parseObjectName(store, Key);
      if (key === null || LastModified === undefined || LastModified.getTime() >= olderThan) continue;
      listed.push(key);
    }
    if (listed.length > 0) yield listed;
  }
}
