import { compareByCodePoint, type WorkspacePath } from '../workspace-path.ts';

/** A file or folder that a search found (interface: files, Search). A higher score is better. */
export interface SearchResult {
  readonly path: WorkspacePath;
  /** The last segment. */
  readonly name: string;
  readonly isDir: boolean;
  /** At least 1. */
  readonly score: number;
}

/** Best first: by score, then the shorter path, then by code point. Paths are unique, so the order is total. */
function compareResults(
  a: Pick<SearchResult, 'score' | 'path'>,
  b: Pick<SearchResult, 'score' | 'path'>,
): number {
  return b.score - a.score || a.path.length - b.path.length || compareByCodePoint(a.path, b.path);
}

/** Keeps the best `limit` of any number of results, in memory for `limit`: a heap with the worst result at the top. */
export class BestResults {
  private readonly limit: number;
  private readonly heap: SearchResult[] = [];
  private lowest: number;

  constructor(limit: number) {
    this.limit = limit;
    this.lowest = limit === 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  }

  /** Results with a lower score are not kept. */
  get scoreMin(): number {
    return this.lowest;
  }

  /** If false, the caller need not create the result, because it would not be kept. */
  mayKeep(score: number, path: string): boolean {
    if (score !== this.lowest) return score > this.lowest;
    return path.length <= (this.heap[0]?.path.length ?? 0);
  }

  offer(result: SearchResult): void {
    if (this.heap.length < this.limit) {
      this.heap.push(result);
      this.rise(this.heap.length - 1);
    } else {
      const worst = this.heap[0];
      if (worst === undefined || compareResults(result, worst) >= 0) return;
      this.heap[0] = result;
      this.sink();
    }
    if (this.heap.length === this.limit) this.lowest = this.heap[0]?.score ?? this.lowest;
  }

  sorted(): readonly SearchResult[] {
    return this.heap.toSorted(compareResults);
  }

  private rise(from: number): void {
    for (let child = from; child > 0; ) {
      const parent = (child - 1) >> 1;
      if (!this.isWorse(child, parent)) return;
      this.swap(child, parent);
      child = parent;
    }
  }

  private sink(): void {
    for (let parent = 0; ; ) {
      let worst = parent;
      for (const child of [2 * parent + 1, 2 * parent + 2]) {
        if (child < this.heap.length && this.isWorse(child, worst)) worst = child;
      }
      if (worst === parent) return;
      this.swap(worst, parent);
      parent = worst;
    }
  }

  private isWorse(i: number, j: number): boolean {
    const [a, b] = [this.heap[i], this.heap[j]];
    return a !== undefined && b !== undefined && compareResults(a, b) > 0;
  }

  private swap(i: number, j: number): void {
    const [a, b] = [this.heap[i], this.heap[j]];
    if (a === undefined || b === undefined) return;
    this.heap[i] = b;
    this.heap[j] = a;
  }
}
