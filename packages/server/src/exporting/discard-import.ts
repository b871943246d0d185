import { discardImportScript } from '../service/exporting/import-scripts.ts';
import type { BlobStore } from '../service/ports/blob-store.ts';
import type { ServiceDeps } from '../service/service-deps.ts';

/** Removes what was kept of an import that is given up, large contents too. @returns whether there was one. */
export async function discardImport(
  { store, blobs }: Pick<ServiceDeps, 'store' | 'blobs'>,
  workspaceId: string,
): Promise<boolean> {
  if (!(await store.transact(discardImportScript, { workspaceId }))) return false;
  await removeContentsOf(blobs, workspaceId);
  return true;
}

/** The sweeper leaves alone what is of a workspace that the database does not know. */
export async function removeContentsOf(blobs: BlobStore, workspaceId: string): Promise<void> {
  for await (const page of blobs.list(Number.MAX_SAFE_INTEGER)) {
    for (const key of page) if (key.workspaceId === workspaceId) await blobs.remove(key);
  }
}
