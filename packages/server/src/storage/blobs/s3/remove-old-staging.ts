import { listPages } from './list-pages.ts';
import type { ObjectStore } from './object-store.ts';
import { removeObject } from './remove-object.ts';
import { isStagingName, stagingPrefix } from './staging-name.ts';

/** What a round leaves, the next one finds. */
const pagesMax = 10;

/**
 * Removes staging objects made before `olderThan`: of uploads that failed, and of those whose staging object could not
 * be removed. The rows are not asked: what they name is the copy. @returns how many.
 */
export async function removeOldStaging(store: ObjectStore, olderThan: number): Promise<number> {
  let removed = 0;
  let pages = 0;
  for await (const page of listPages(store, stagingPrefix(store))) {
    for (const { Key = '', LastModified } of page) {
      if (!isStagingName(store, Key)) continue;
      if (LastModified === undefined || LastModified.getTime() >= olderThan) continue;
      await removeObject(store, Key);
      removed += 1;
    }
    pages += 1;
    if (pages >= pagesMax) break;
  }
  return removed;
}
