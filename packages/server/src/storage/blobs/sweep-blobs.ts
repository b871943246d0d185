import type { BlobKey, BlobStore } from '../../service/ports/blob-store.ts';
import type { Clock } from '../../service/ports/environment.ts';
import type { MetadataStore } from '../../service/ports/metadata-store.ts';

/** An upload and the commit that names it are far closer together; younger bytes without a row are kept. */
export const orphanGraceMs = 24 * 60 * 60 * 1000;

export interface SweepReport {
  readonly keptObjects: number;
  readonly removedObjects: number;
  readonly removedUploads: number;
}

/**
 * Removes objects that no row names: those of writes that were rejected or interrupted after their bytes were stored.
 * Works page by page, so it can be stopped at any time and run again. Several nodes may run it at once.
 *
 * Keeps objects of a workspace that this database does not know. They belong to another installation that was given the
 * same store by mistake, or to a database that was restored to an earlier time.
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
