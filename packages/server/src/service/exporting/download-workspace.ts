import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { archiveName, type ContentHash, parsePathPrefix, type WorkspacePath } from '@stoa/core';
import { makeZip } from 'client-zip';
import type { WorkspaceAccess } from '../access.ts';
import { verifiedContent } from '../files/verified-content.ts';
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
 * The current files that the caller may see, as a zip: those of one moment, under their paths (`archiveName`), not
 * compressed. The list is kept on the disk, and bytes are read as they are asked for, so that memory stays constant
 * however many there are and however slowly they are taken.
 * @throws WorkspaceError `overloaded` when too many downloads wait, `stored_bytes_missing`: the zip has no end then
 */
export async function* downloadWorkspace(
  deps: Pick<ServiceDeps, 'store' | 'blobs' | 'downloads'>,
  access: WorkspaceAccess,
): AsyncGenerator<Uint8Array> {
  const release = await deps.downloads.acquire(access.actor.userId);
  try {
    const folder = await mkdtemp(join(tmpdir(), 'stoa-download-'));
    try {
      const list = join(folder, 'files.jsonl');
      await withDetailedListing(deps, access, { prefix: parsePathPrefix('') }, ({ pages }) =>
        writeLines(list, listed(pages)),
      );
      yield* zipOf(deps, access.workspace.id, list);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  } finally {
    release();
  }
}

async function* listed(pages: AsyncIterable<readonly ListedFile[]>): AsyncGenerator<readonly ListedFile[]> {
  for await (const page of pages) {
    yield page.map(({ path, contentHash, sizeBytes, changedAt }) => ({
      ...{ path, contentHash, sizeBytes, changedAt },
    }));
  }
}

async function* zipOf(
  deps: Pick<ServiceDeps, 'store' | 'blobs'>,
  workspaceId: string,
  list: string,
): AsyncGenerator<Uint8Array> {
  /** The library does not end what it reads when it is ended itself. */
  let open: AsyncGenerator<Uint8Array> | null = null;
  const entries = async function* () {
    for await (const line of readLines(list)) {
      const { path, contentHash, sizeBytes, changedAt } = line as ListedFile;
      // Paths and hashes are those of rows.
      const content = { workspaceId, contentHash: contentHash as ContentHash, sizeBytes };
      open = verifiedContent(deps, content);
      const name = archiveName(path as WorkspacePath) ?? `too-long-names/${contentHash}`;
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
    // The library fails with the reason that it is given.
    await zip.cancel().catch(() => {});
    await (open as AsyncGenerator<Uint8Array> | null)?.return(undefined);
    await files.return(undefined);
  }
}
