import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  archiveName,
  type ContentHash,
  parsePathPrefix,
  RepositoryHeads,
  WorkspaceError,
  type WorkspacePath,
} from '@stoa/core';
import { makeZip } from 'client-zip';
import type { WorkspaceAccess } from '../access.ts';
import { verifiedContent } from '../contents/verified-content.ts';
import { withDetailedListing } from '../files/with-listing.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { readLines, writeLines } from './spool.ts';

interface ListedFile {
  readonly path: string;
  readonly contentHash: string;
  readonly sizeBytes: number;
  readonly changedAt: number;
}

/**
 * Streams the current files that the caller may see as an uncompressed zip, from one snapshot, under their paths
 * (`archiveName`). The list is spooled to disk and bytes are read on demand, so that memory stays constant for any
 * number of files and any client speed.
 * @param isWanted whether the client is still connected. Many may leave while their downloads wait for each other.
 * @throws WorkspaceError `overloaded` when too many downloads wait or it is no longer wanted, `stored_bytes_missing`,
 * after which the zip is truncated
 */
export async function* downloadWorkspace(
  deps: Pick<ServiceDeps, 'store' | 'blobs' | 'downloads'>,
  access: WorkspaceAccess,
  isWanted: () => boolean = () => true,
): AsyncGenerator<Uint8Array> {
  const release = await deps.downloads.acquire(access.actor.userId);
  try {
    if (!isWanted()) throw new WorkspaceError('overloaded');
    const folder = await mkdtemp(join(tmpdir(), 'stoa-download-'));
    try {
      const list = join(folder, 'files.jsonl');
      const heads = new RepositoryHeads();
      await withDetailedListing(deps, access, { prefix: parsePathPrefix('') }, ({ pages }) =>
        writeLines(list, listed(pages, heads)),
      );
      yield* zipOf(deps, access.workspace.id, list, heads);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  } finally {
    release();
  }
}

async function* listed(
  pages: AsyncIterable<readonly ListedFile[]>,
  heads: RepositoryHeads,
): AsyncGenerator<readonly ListedFile[]> {
  for await (const page of pages) {
    for (const { path } of page) heads.add(path);
    yield page.map(({ path, contentHash, sizeBytes, changedAt }) => ({
      ...{ path, contentHash, sizeBytes, changedAt },
    }));
  }
}

async function* zipOf(
  deps: Pick<ServiceDeps, 'store' | 'blobs'>,
  workspaceId: string,
  list: string,
  heads: RepositoryHeads,
): AsyncGenerator<Uint8Array> {
  /** The library does not close its inputs when it is cancelled. */
  let open: AsyncGenerator<Uint8Array> | null = null;
  const entries = async function* () {
    for await (const line of readLines(list)) {
      const { path, contentHash, sizeBytes, changedAt } = line as ListedFile;
      // Paths and hashes come from rows.
      const content = { workspaceId, contentHash: contentHash as ContentHash, sizeBytes };
      open = verifiedContent(deps, content);
      const name = archiveName(path as WorkspacePath, heads.has(path)) ?? `too-long-names/${contentHash}`;
      yield { name, input: open, size: sizeBytes, lastModified: new Date(changedAt) };
    }
  };
  const files = entries();
  const zip = makeZip(files).getReader();
  try {
    for (;;) {
      const { value } = await zip.read();
      if (value === undefined) return;
      yield value;
    }
  } finally {
    // The library rejects with the reason that it receives.
    await zip.cancel().catch(() => {});
    await (open as AsyncGenerator<Uint8Array> | null)?.return(undefined);
    await files.return(undefined);
  }
}
