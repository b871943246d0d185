import type { BlobKey, BlobStore } from '../../service/ports/blob-store.ts';
import type { Clock } from '../../service/ports/environment.ts';
import type { MetadataStore } from '../../service/ports/metadata-store.ts';

/** An upload and the commit that names it are far less apart; until then bytes without a row are left alone. */
export const orphanGraceMs = 24 * 60 * 60 * 1000;

export interface SweepReport {
  readonly keptObjects: number;
  readonly removedObjects: number;
  readonly removedUploads: number;
}

/**
 * Removes objects that no row names: those of writes that were refused or cut off after their bytes were kept. Goes by
 * pages, so it can be stopped at any time and run again. Several nodes may do it at once.
 *
 * Objects of a workspace that this database does not know belong to another installation, which was given the same place
 * by mistake, or to a database that was put back to an earlier time: they are left alone.
 */
export async function sweepBlobs(
  deps: { readonly store: Pick<MetadataStore, 'reader'>; readonly blobs: BlobStore; readonly clock: Clock },
  signal?: AbortSignal,
): Promise<SweepReport> {
  const olderThan = deps.clock() - orphanGraceMs;
  let keptObjects = 0;
  let removedObjects = 0;
  for await (const page of deps.blobs.list(olderThan)) {
    for (const [workspaceId, listed] of Map.groupBy(page, (key: BlobKey) => key.workspaceId)) {
      signal?.throwIfAborted();
      if ((await deps.store.reader.workspaces.find(workspaceId)) === null) {
        keptObjects += listed.length;
        continue;
      }
      const generations = listed.map(({ generation }) => generation);
      const referenced = await deps.store.reader.blobs.referenced(workspaceId, generations);
      for (const key of listed) {
        if (referenced.has(key.generation)) {
          keptObjects += 1;
          continue;
        }
        await deps.blobs.remove(key);
        removedObjects += 1;
      }
    }
  }
  return {
    keptObjects,
    removedObjects,
    removedUploads: await deps.blobs.removeAbandonedUploads(olderThan),
  };
}
