import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  fileNameOf,
  foldersAbove,
  parseGlob,
  parsePathPrefix,
  placeholderName,
  type WorkspacePath,
} from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { withListing } from './with-listing.ts';

export interface GlobOutcome {
  /** By path, at most as many as were asked for. */
  readonly results: readonly {
    readonly path: WorkspacePath;
    readonly name: string;
    readonly isDir: boolean;
  }[];
  readonly totalMatches: number;
}

/** Paths looked at between two turns of other requests: a hostile pattern takes some microseconds for each. */
const pathsPerTurn = 100;

/** Files and folders whose name, or whole path, a glob stands for (interface: mcp, File tools). */
export function globFiles(
  deps: Pick<ServiceDeps, 'store'>,
  access: WorkspaceAccess,
  { query, limit }: { readonly query: string; readonly limit: number },
): Promise<GlobOutcome> {
  const glob = parseGlob(query);
  return withListing(deps, access, { prefix: parsePathPrefix('') }, async ({ pages }) => {
    const results: GlobOutcome['results'][number][] = [];
    let totalMatches = 0;
    let looked = 0;
    let foldersBefore: readonly WorkspacePath[] = [];
    const look = (path: WorkspacePath, isDir: boolean): void => {
      const name = fileNameOf(path);
      if (!glob.matches(glob.isOfPaths ? path : name)) return;
      totalMatches += 1;
      if (results.length < limit) results.push({ path, name, isDir });
    };
    for await (const page of pages) {
      for (const { path } of page) {
        const folders = foldersAbove(path);
        // Below one folder paths stand together, so a folder is new when it was not above the path before.
        for (const folder of folders) if (!foldersBefore.includes(folder)) look(folder, true);
        foldersBefore = folders;
        if (fileNameOf(path) !== placeholderName) look(path, false);
        looked += 1;
        if (looked % pathsPerTurn === 0) await nextTurn();
      }
    }
    return { results, totalMatches };
  });
}
