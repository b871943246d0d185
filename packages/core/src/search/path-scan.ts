import { isVisible, isVisibleTo, nearestOwner, type Viewer } from '../visibility.ts';
import { fileNameOf, type WorkspacePath } from '../workspace-path.ts';
import { alignLatest } from './align-latest.ts';
import {
  type Alignment,
  copyAlignment,
  createAlignment,
  extendAlignment,
  pairsMax,
  type Span,
} from './alignment.ts';
import { BestResults, type SearchResult } from './best-results.ts';
import { createFolderLevel, type FolderLevel } from './folder-level.ts';
import type { PathChunk } from './path-chunk.ts';
import type { SearchQuery } from './search-query.ts';
import { codePointBits, slash } from './search-symbols.ts';

/**
 * The user who searches, and the owners of the privacy records of all members by path. The nearest record at or above a
 * path decides.
 */
export interface SearchPrivacy {
  readonly viewer: Viewer;
  readonly ownerByPath: ReadonlyMap<WorkspacePath, string>;
}

/**
 * One pass over the sorted paths of an index. The index has no folders: the scan finds each one at the first visible
 * path below it. This suffices, because a path matches whatever a folder above it matches, so the scan never skips a
 * folder's first path.
 */
export class PathScan {
  private readonly query: SearchQuery;
  private readonly privacy: SearchPrivacy;
  private readonly best: BestResults;
  /** The folders above the current path, outermost first; the first one is the workspace itself. */
  private readonly levels: FolderLevel[];
  private depth = 0;
  private readonly scratch: Alignment;
  /** The last matching visible path: the scan has already found the folders above it. */
  private lastShown = '';
  private matches = 0;
  private spent = 0;

  constructor(query: SearchQuery, privacy: SearchPrivacy, limit: number) {
    this.query = query;
    this.privacy = privacy;
    this.best = new BestResults(limit);
    this.levels = [{ ...createFolderLevel(query), pathLength: -1, isAligned: true, isShown: true }];
    this.scratch = createAlignment(query);
  }

  /** Symbols read and pairs weighed so far: a measure of time without a clock. */
  get work(): number {
    return this.spent;
  }

  get totalMatches(): number {
    return this.matches;
  }

  results(): readonly SearchResult[] {
    return this.best.sorted();
  }

  /** Scans `chunk` from path number `first` until `workMax` is spent. @returns the number of the next path */
  scan(chunk: PathChunk, first: number, workMax: number): number {
    const { masks, sharedFolders, ends, nameStarts } = chunk;
    const { mask } = this.query;
    let i = first;
    for (; i < masks.length && this.spent < workMax; i += 1) {
      this.spent += 1;
      this.depth = sharedFolders[i] ?? 0;
      // Also for a path that is skipped: the next one may share its folders.
      const start = i === 0 ? 0 : (ends[i - 1] ?? 0);
      if (start !== nameStarts[i]) this.enterFolders(chunk, i, start);
      if (((masks[i] ?? 0) & mask) === mask) this.visit(chunk, i);
    }
    return i;
  }

  private enterFolders(chunk: PathChunk, i: number, start: number): void {
    const { symbols, paths, nameStarts } = chunk;
    const { codes } = this.query;
    const path = paths[i] ?? ('' as WorkspacePath);
    const nameStart = nameStarts[i] ?? 0;
    this.spent += nameStart - start;
    for (let at = start; at < nameStart; at += 1) {
      const above = this.level(this.depth);
      this.depth += 1;
      const folder = this.level(this.depth);
      folder.start = at;
      folder.at = above.at + above.end - above.start;
      let reached = above.reached;
      for (; at < nameStart; at += 1) {
        const code = (symbols[at] ?? 0) & codePointBits;
        if (code === slash) break;
        if (code === codes[reached]) reached += 1;
      }
      folder.reachedName = reached;
      folder.reached = codes[reached] === slash ? reached + 1 : reached;
      folder.end = at + 1;
      folder.pathLength = path.indexOf('/', above.pathLength + 1);
      folder.ownerId = this.ownerOf(path, folder.pathLength, above.ownerId);
      folder.isAligned = false;
      folder.isShown = false;
    }
  }

  private visit(chunk: PathChunk, i: number): void {
    const { symbols } = chunk;
    const { codes, masksFrom } = this.query;
    const path = chunk.paths[i] ?? ('' as WorkspacePath);
    const nameStart = chunk.nameStarts[i] ?? 0;
    const end = chunk.ends[i] ?? 0;
    const nameMask = chunk.nameMasks[i] ?? 0;
    const folder = this.level(this.depth);
    if (folder.reached < codes.length) {
      const mask = masksFrom[folder.reached] ?? 0;
      if ((nameMask & mask) !== mask) return;
      if (!this.completes(folder.reached, symbols, nameStart, end)) return;
    }
    if (!this.isVisible(path, folder)) return;
    if (!folder.isShown) this.showFolders(symbols, path);
    this.lastShown = path;
    if (chunk.placeholders[i] === 1) return;
    this.matches += 1;
    if (this.scoreMax(symbols, nameStart, end, nameMask) < this.best.scoreMin) return;
    const score = this.score(this.depth, symbols, nameStart, end);
    if (!this.best.mayKeep(score, path)) return;
    this.best.offer({ path, name: fileNameOf(path), isDir: false, score });
  }

  /** Finds the folders above a visible path that an earlier path has not found. */
  private showFolders(symbols: Uint32Array, path: WorkspacePath): void {
    for (let depth = this.depth; depth > 0; depth -= 1) {
      const folder = this.level(depth);
      const { pathLength, start } = folder;
      if (folder.isShown) return;
      folder.isShown = true;
      // Folders further out match even less, and an earlier path found all of its folders.
      if (folder.reachedName < this.query.codes.length) continue;
      if (isBelow(this.lastShown, path, pathLength)) continue;
      const folderPath = path.slice(0, pathLength) as WorkspacePath;
      if (!isVisible(folderPath, this.privacy.viewer)) continue;
      this.matches += 1;
      const end = folder.end - 1;
      if (this.scoreMax(symbols, start, end, this.query.mask) < this.best.scoreMin) continue;
      const score = this.score(depth - 1, symbols, start, end);
      if (score < this.best.scoreMin) continue;
      this.best.offer({ path: folderPath, name: fileNameOf(folderPath), isDir: true, score });
    }
  }

  /** Returns the owner of the nearest record at or above the first `length` characters of `path`. */
  private ownerOf(path: WorkspacePath, length: number, inherited: string | null): string | null {
    const { ownerByPath } = this.privacy;
    if (ownerByPath.size === 0) return null;
    return nearestOwner(ownerByPath, path.slice(0, length) as WorkspacePath, inherited);
  }

  private isVisible(path: WorkspacePath, folder: FolderLevel): boolean {
    const { ownerByPath, viewer } = this.privacy;
    if (ownerByPath.size === 0) return isVisible(path, viewer);
    return isVisibleTo(path, nearestOwner(ownerByPath, path, folder.ownerId), viewer);
  }

  /** Whether the symbols from `start` up to `end` contain the query from its character `reached` on. */
  private completes(reached: number, symbols: Uint32Array, start: number, end: number): boolean {
    const { codes } = this.query;
    let next = reached;
    for (let at = start; at < end && next < codes.length; at += 1) {
      if (((symbols[at] ?? 0) & codePointBits) === codes[next]) next += 1;
    }
    this.spent += end - start;
    return next === codes.length;
  }

  /**
   * Returns an upper bound of the score of a path with this name. It excludes most of many matches without an
   * alignment.
   */
  private scoreMax(symbols: Uint32Array, nameStart: number, end: number, nameMask: number): number {
    const { codes, mask, scoreMax } = this.query;
    if ((nameMask & mask) !== mask || !this.completes(0, symbols, nameStart, end)) return scoreMax.elsewhere;
    const first = (symbols[nameStart] ?? 0) & codePointBits;
    return first === codes[0] ? scoreMax.fromNameStart : scoreMax.withinName;
  }

  /** Returns the score of a matching path. Reuses the alignments of the folders down to `depth`. */
  private score(depth: number, symbols: Uint32Array, start: number, end: number): number {
    const { query, scratch } = this;
    const folder = this.level(depth);
    this.align(depth, symbols);
    const name: Span = { symbols, start, end, at: folder.at + folder.end - folder.start, isName: true };
    const { pairs } = folder.alignment;
    if (pairs <= pairsMax) {
      copyAlignment(folder.alignment, scratch);
      extendAlignment(query, scratch, name);
      this.spent += scratch.pairs - pairs + query.codes.length;
      if (scratch.pairs <= pairsMax) return Math.max(1, scratch.best);
    }
    this.spent += name.at + end - start;
    const folders = this.levels.slice(1, depth + 1).map((level) => ({ ...level, symbols, isName: false }));
    return Math.max(1, alignLatest(query, [...folders, name]));
  }

  /** Updates the alignments of the folders down to `depth`. */
  private align(depth: number, symbols: Uint32Array): void {
    let aligned = depth;
    while (!this.level(aligned).isAligned) aligned -= 1;
    for (let above = this.level(aligned); aligned < depth; above = this.level(aligned)) {
      aligned += 1;
      const folder = this.level(aligned);
      const { start, end, at, alignment } = folder;
      copyAlignment(above.alignment, alignment);
      if (alignment.pairs <= pairsMax) {
        extendAlignment(this.query, alignment, { symbols, start, end, at, isName: false });
      }
      folder.isAligned = true;
      this.spent += alignment.pairs - above.alignment.pairs + this.query.codes.length;
    }
  }

  private level(depth: number): FolderLevel {
    const level = this.levels[depth];
    if (level !== undefined) return level;
    const made = createFolderLevel(this.query);
    this.levels[depth] = made;
    return made;
  }
}

/** Whether `other` is below the folder at the first `length` characters of `path`. */
function isBelow(other: string, path: string, length: number): boolean {
  return other.charCodeAt(length) === slash && other.startsWith(path.slice(0, length));
}
