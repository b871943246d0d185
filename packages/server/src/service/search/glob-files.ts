import {
  fileNameOf,
  parseGlob,
  placeholderName,
  sharedFolderEnd,
  visibilityOf,
  type WorkspacePath,
} from '@stoa/core';
import { createWorkMeter } from '../../concurrency/work-meter.ts';
import type { WorkspaceAccess } from '../access.ts';
import type { ServiceDeps } from '../service-deps.ts';

export interface GlobOutcome {
  /** By path, at most `limit`. */
  readonly results: readonly {
    readonly path: WorkspacePath;
    readonly name: string;
    readonly isDir: boolean;
  }[];
  readonly totalMatches: number;
}

/**
 * Finds files and folders whose name or whole path matches a glob (interface: mcp, File tools).
 * @throws WorkspaceError `invalid_request` for a glob beyond its limits.
 */
export async function globFiles(
  { currentFiles }: Pick<ServiceDeps, 'currentFiles'>,
  { workspace, viewer }: WorkspaceAccess,
  { query, limit }: { readonly query: string; readonly limit: number },
): Promise<GlobOutcome> {
  const glob = parseGlob(query);
  const { files, ownerByPath } = await currentFiles.read(workspace.id);
  const isSeen = visibilityOf(viewer, ownerByPath);
  const meter = createWorkMeter();
  const results: GlobOutcome['results'][number][] = [];
  let totalMatches = 0;
  let before = '';
  for (const file of files) {
    const { path } = file;
    await meter.spend(path.length);
    if (!isSeen(file)) continue;
    // Paths of one folder are adjacent, so a folder is new when it is not above the previous path.
    const known = sharedFolderEnd(before, path);
    before = path;
    glob.visitMatches(path, (end) => {
      const isDir = end < path.length;
      if (isDir ? end <= known : fileNameOf(path) === placeholderName) return;
      totalMatches += 1;
      if (results.length >= limit) return;
      // A path cut at a slash is a valid path.
      const found = path.slice(0, end) as WorkspacePath;
      results.push({ path: found, name: fileNameOf(found), isDir });
    });
    await meter.spend(path.length * glob.words);
  }
  return { results, totalMatches };
}
