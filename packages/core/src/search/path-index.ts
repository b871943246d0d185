import { compareByCodePoint, type WorkspacePath } from '../workspace-path.ts';
import { type PathChunk, packPaths } from './path-chunk.ts';

/**
 * The sorted paths of all files of a workspace. The files of a folder are adjacent, so its name is matched once.
 * Immutable: a search continues in the index it began with while a newer one is made.
 */
export interface PathIndex {
  readonly chunks: readonly PathChunk[];
  readonly pathCount: number;
  /** Estimated memory of the index, in bytes. */
  readonly sizeBytes: number;
}

export interface PathChange {
  readonly path: WorkspacePath;
  /** Whether there is a file at the path after the change. */
  readonly exists: boolean;
}

/**
 * Maximum number of changes in one call. Each may change another chunk, so this limits a call to a few milliseconds.
 */
export const pathChangesMax = 64;

export const emptyPathIndex: PathIndex = indexOf([]);

/**
 * Returns the index after at most `pathChangesMax` changes. Of several changes of a path the last one counts. Without a
 * real change a chunk stays as it is.
 */
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

/** Returns the last chunk that begins at or before `path`, or the first one. */
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
  // Most changes write a file that already exists.
  if (chunk !== undefined && !differs) return [chunk];
  return packPaths([...merged, ...paths.slice(i)]);
}
