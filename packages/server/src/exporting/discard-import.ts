import { discardImportScript } from '../service/exporting/import-scripts.ts';
import type { BlobStore } from '../service/ports/blob-store.ts';
import type { ServiceDeps } from '../service/service-deps.ts';

/**
 * Removes the data of an unfinished import, including large contents, even if only those are left.
 * @returns whether there was anything
 */
export async function discardImport(
  { store, blobs }: Pick<ServiceDeps, 'store' | 'blobs'>,
  workspaceId: string,
): Promise<boolean> {
  const hadRows = await store.transact(discardImportScript, { workspaceId });
  if (!hadRows && (await store.reader.workspaces.find(workspaceId)) !== null) return false;
  return (await removeContentsOf(blobs, workspaceId)) > 0 || hadRows;
}

/** Needed because the sweeper skips workspaces that the database does not know. */
export async function removeContentsOf(blobs: BlobStore, workspaceId: string): Promise<number> {
  let removed = 0;
  for await (const page of blobs.list(Number.MAX_SAFE_INTEGER, workspaceId)) {
    for (const key of page) await blobs.remove(key);
    removed += page.length;
  }
  return removed;
}
