import { compareByCodePoint, type WorkspacePath } from '../workspace-path.ts';
import { type PathChunk, packPaths } from './path-chunk.ts';

/**
 * The paths of all files of a workspace, sorted, so that the files of a folder follow each other and its name is
 * matched once. Never changed: a search goes on in the index it began with while a newer one is made.
 */
export interface PathIndex {
  readonly chunks: readonly PathChunk[];
  readonly pathCount: number;
  /** An estimate of what the index holds in memory, in bytes. */
  readonly sizeBytes: number;
}

export interface PathChange {
  readonly path: WorkspacePath;
  /** Whether a file stands there from now on. */
  readonly exists: boolean;
}

/** Changes in one call, each of which may change another chunk: bounds how long the call takes to a few milliseconds. */
export const pathChangesMax = 64;

export const emptyPathIndex: PathIndex = indexOf([]);

/** The index after at most `pathChangesMax` changes, the later ones of a path deciding. A path that is so already does not count as a change. */
export function changePaths(index: PathIndex, changes: readonly PathChange[]): PathIndex {
  if (changes.length > pathChangesMax) throw new Error(`more than ${pathChangesMax} changes at once`);
  const latest = new Map(changes.map(({ path, exists }) => [path, exists]));
  const sorted = [...latest].sort(([a], [b]) => compareByCodePoint(a, b));
  const chunks: PathChunk[] = [];
  let kept = 0;
  for (let i = 0; i < sorted.length; ) {
    const target = chunkFor(index.chunks, sorted[i]?.[0]);
    const end = index.chunks[target + 1]?.paths[0];
    const group: [WorkspacePath, boolean][] = [];
    for (let change = sorted[i]; change !== undefined; change = sorted[i]) {
      if (end !== undefined && compareByCodePoint(change[0], end) >= 0) break;
      group.push(change);
      i += 1;
    }
    for (const chunk of index.chunks.slice(kept, target)) chunks.push(chunk);
    chunks.push(...changeChunk(index.chunks[target], group));
    kept = target + 1;
  }
  return indexOf(chunks.concat(index.chunks.slice(kept)));
}

function indexOf(chunks: readonly PathChunk[]): PathIndex {
  let pathCount = 0;
  let sizeBytes = 0;
  for (const chunk of chunks) {
    pathCount += chunk.paths.length;
    sizeBytes += chunk.sizeBytes;
  }
  return { chunks, pathCount, sizeBytes };
}

/** The last chunk that begins at or before `path`, or the first one. */
function chunkFor(chunks: readonly PathChunk[], path = ''): number {
  let low = 0;
  let high = chunks.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (compareByCodePoint(chunks[middle]?.paths[0] ?? '', path) <= 0) low = middle;
    else high = middle;
  }
  return low;
}

function changeChunk(
  chunk: PathChunk | undefined,
  changes: readonly [WorkspacePath, boolean][],
): PathChunk[] {
  const paths = chunk?.paths ?? [];
  const merged: WorkspacePath[] = [];
  let differs = false;
  let i = 0;
  for (const [path, exists] of changes) {
    for (let kept = paths[i]; kept !== undefined && compareByCodePoint(kept, path) < 0; kept = paths[i]) {
      merged.push(kept);
      i += 1;
    }
    const existed = paths[i] === path;
    if (existed) i += 1;
    if (exists) merged.push(path);
    differs ||= exists !== existed;
  }
  // Most changes write a file that is there already.
  if (chunk !== undefined && !differs) return [chunk];
  return packPaths([...merged, ...paths.slice(i)]);
}
