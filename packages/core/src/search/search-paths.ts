import { isVisible, type Viewer, visibilityOf } from '../visibility.ts';
import {
  compareByCodePoint,
  fileNameOf,
  placeholderName,
  sharedFolderEnd,
  type WorkspacePath,
} from '../workspace-path.ts';
import { MatchScorer } from './match-score.ts';
import { matchEnd, type SearchQuery } from './search-query.ts';
import type { SearchedPath } from './searched-path.ts';

/** A file or folder that a search found (interface: files, Search). A higher score is better. */
export interface SearchResult {
  readonly path: WorkspacePath;
  /** The last segment. */
  readonly name: string;
  readonly isDir: boolean;
  /** At least 1. */
  readonly score: number;
}

export interface SearchOutcome {
  /** Best first, at most as many as requested. */
  readonly results: readonly SearchResult[];
  /** All matches, including those that are not among the results. */
  readonly totalMatches: number;
  readonly truncated: boolean;
}

/**
 * The user who searches, and the owners of the privacy records of all members by path. The nearest record at or above a
 * path decides.
 */
export interface SearchPrivacy {
  readonly viewer: Viewer;
  readonly ownerByPath: ReadonlyMap<WorkspacePath, string>;
}

/** Work between two steps, in positions looked at: a few milliseconds. */
export const workPerStep = 1_500_000;
/** Looking at a path that cannot match. */
export const workPerPath = 10;

/**
 * Fuzzy search over file and folder paths (interface: files, Search). A path matches if it contains the query's
 * characters in order, ignoring case and white space. Each folder above a visible file is included once. `.keep` files
 * are never results, but their folders are.
 *
 * Runs in steps, so that its caller can do other work between them. The last step returns the outcome.
 *
 * @param files sorted by path.
 * @param limit maximum number of results.
 */
export function* searchPaths(
  files: readonly SearchedPath[],
  query: SearchQuery,
  privacy: SearchPrivacy,
  limit: number,
): Generator<undefined, SearchOutcome, undefined> {
  const scan = new PathScan(query, privacy, limit);
  for (const file of files) {
    scan.look(file);
    if (scan.work < workPerStep) continue;
    scan.work = 0;
    yield;
  }
  const { totalMatches } = scan;
  const { results } = scan.best;
  return { results, totalMatches, truncated: totalMatches > results.length };
}

/** One pass over sorted files. It finds each folder at the first visible file below it. */
class PathScan {
  work = 0;
  totalMatches = 0;
  readonly best: BestResults;
  readonly #query: SearchQuery;
  readonly #viewer: Viewer;
  readonly #isSeen: (file: SearchedPath) => boolean;
  readonly #scorer: MatchScorer;
  /** Of the last visible file below a folder that matches. */
  #folder = '';

  constructor(query: SearchQuery, { viewer, ownerByPath }: SearchPrivacy, limit: number) {
    this.#query = query;
    this.#viewer = viewer;
    this.#isSeen = visibilityOf(viewer, ownerByPath);
    this.#scorer = new MatchScorer(query);
    this.best = new BestResults(limit);
  }

  look(file: SearchedPath): void {
    this.work += workPerPath;
    // First, so that the time is independent of the names of hidden files.
    if (!this.#isSeen(file) || (file.mask & this.#query.mask) !== this.#query.mask) return;
    const { path, folder, folded, nameStart } = file;
    this.work += folded.length;
    const end = matchEnd(this.#query, folded);
    if (end === -1) return;
    if (end < nameStart) this.#lookAbove(file, end);
    const isPlaceholder =
      path.length === folder.length + placeholderName.length && path.endsWith(placeholderName);
    if (!isPlaceholder) this.#find(file, false);
  }

  /** Finds the folders that end at or behind `end`. All files below them match, so the first one has all new folders. */
  #lookAbove(file: SearchedPath, end: number): void {
    const { path, folder: above, folded, shown } = file;
    if (above === this.#folder) return;
    const known = sharedFolderEnd(this.#folder, path);
    this.#folder = above;
    let nameStart = 0;
    let slash = -1;
    for (let at = folded.indexOf('/'); at !== -1; at = folded.indexOf('/', nameStart)) {
      slash = path.indexOf('/', slash + 1);
      // A path cut at a slash is a valid path.
      const folder = path.slice(0, slash) as WorkspacePath;
      if (at >= end && slash > known && isVisible(folder, this.#viewer)) {
        // The masks of a file include those of its folders.
        const text = { folded: folded.slice(0, at), shown: shown.slice(0, at), nameStart };
        this.#find({ ...file, ...text, path: folder }, true);
      }
      nameStart = at + 1;
    }
  }

  #find(found: SearchedPath, isDir: boolean): void {
    this.totalMatches += 1;
    this.best.offer(found.path, isDir, this.#scorer.score(found, this.best.scoreMin(found.path)));
    this.work += this.#scorer.work;
    this.#scorer.work = 0;
  }
}

/** Keeps the best of any number of results. */
export class BestResults {
  /** Best first: by score, then the shorter path, then by code point. */
  readonly results: SearchResult[] = [];
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Results with a lower score are not kept, if the paths come in order. */
  scoreMin(path: WorkspacePath): number {
    if (this.results.length < this.#limit) return 1;
    const worst = this.results.at(-1);
    if (worst === undefined) return Number.POSITIVE_INFINITY;
    return path.length < worst.path.length ? worst.score : worst.score + 1;
  }

  offer(path: WorkspacePath, isDir: boolean, score: number): void {
    if (score < this.scoreMin(path)) return;
    let [start, end] = [0, this.results.length];
    while (start < end) {
      const middle = (start + end) >>> 1;
      const other = this.results[middle];
      if (other !== undefined && isBefore(other, path, score)) start = middle + 1;
      else end = middle;
    }
    this.results.splice(start, 0, { path, name: fileNameOf(path), isDir, score });
    if (this.results.length > this.#limit) this.results.pop();
  }
}

function isBefore(other: SearchResult, path: string, score: number): boolean {
  if (other.score !== score) return other.score > score;
  if (other.path.length !== path.length) return other.path.length < path.length;
  return compareByCodePoint(other.path, path) < 0;
}
