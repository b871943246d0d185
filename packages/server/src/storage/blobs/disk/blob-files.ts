import { opendir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlobKey } from '../../../service/ports/blob-store.ts';
import { blobName, isPlainName, parseBlobName } from '../blob-name.ts';

/** Subfolders for one workspace's objects, so that none grows too large to list. */
const shardLength = 2;
const pageKeysMax = 1000;

/** Path of an object below the store's folder: `<workspace>/<first characters of the hash>/<hash>.<generation>`. */
export function blobPath(key: BlobKey): { readonly folder: string; readonly name: string } {
  const name = blobName(key);
  return { folder: join(key.workspaceId, key.contentHash.slice(0, shardLength)), name };
}

/**
 * Lists objects last written before `olderThan`, one workspace after the other, so that a page mostly belongs to one.
 */
export async function* listBlobFiles(
  directory: string,
  olderThan: number,
  ofWorkspace?: string,
): AsyncGenerator<readonly BlobKey[]> {
  let page: BlobKey[] = [];
  for await (const workspaceId of namesIn(directory)) {
    if (!isPlainName(workspaceId) || workspaceId !== (ofWorkspace ?? workspaceId)) continue;
    for await (const shard of namesIn(join(directory, workspaceId))) {
      const folder = join(directory, workspaceId, shard);
      for await (const name of namesIn(folder)) {
        const key = parseBlobName(workspaceId, name);
        if (key === null || !(await isOlder(join(folder, name), olderThan))) continue;
        page.push(key);
        if (page.length < pageKeysMax) continue;
        yield page;
        page = [];
      }
    }
  }
  if (page.length > 0) yield page;
}

/** @returns the number of removed temporary files. */
export async function removeAbandonedUploads(uploads: string, olderThan: number): Promise<number> {
  let removed = 0;
  for await (const name of namesIn(uploads)) {
    const file = join(uploads, name);
    if (!(await isOlder(file, olderThan))) continue;
    await rm(file, { force: true });
    removed += 1;
  }
  return removed;
}

async function* namesIn(folder: string): AsyncGenerator<string> {
  for await (const { name } of await opendir(folder)) yield name;
}

async function isOlder(file: string, olderThan: number): Promise<boolean> {
  const found = await stat(file).catch(() => null);
  return found !== null && found.mtimeMs < olderThan;
}
