import type { WorkspacePath } from '../workspace-path.ts';
import { type PathCell, readCell } from './path-cell.ts';
import type { SyncFacts } from './sync-facts.ts';
import type { SyncTrees } from './trees.ts';

/**
 * Finds the paths below a folder in all trees. Sorts on first use: most plans need no list, and a base of 100,000 files is
 * slow to sort.
 */
export class TreeIndex {
  readonly #trees: SyncTrees;
  readonly #facts: SyncFacts;
  readonly #cells = new Map<WorkspacePath, PathCell>();
  #sorted: readonly WorkspacePath[] | null = null;

  constructor(trees: SyncTrees, facts: SyncFacts) {
    this.#trees = trees;
    this.#facts = facts;
  }

  /** Returns the cell of a path. Reading one takes time for each folder above it, so it is read once. */
  cell(path: WorkspacePath): PathCell {
    const known = this.#cells.get(path);
    if (known !== undefined) return known;
    const cell = readCell(path, this.#trees, this.#facts);
    this.#cells.set(path, cell);
    return cell;
  }

  /** Yields the cells of all paths below `folder`, in order. */
  *below(folder: WorkspacePath): Generator<PathCell> {
    for (const path of this.pathsBelow(folder)) yield this.cell(path);
  }

  pathsBelow(folder: WorkspacePath): readonly WorkspacePath[] {
    this.#sorted ??= sortedPaths(this.#trees);
    // `0` follows `/` in the character table, so paths below the folder sort between the two.
    return this.#sorted.slice(firstFrom(this.#sorted, `${folder}/`), firstFrom(this.#sorted, `${folder}0`));
  }
}

function sortedPaths({ base, local, remote }: SyncTrees): readonly WorkspacePath[] {
  const all = new Set(base.keys());
  for (const path of local.keys()) all.add(path);
  for (const path of remote.keys()) all.add(path);
  return [...all].sort();
}

function firstFrom(sorted: readonly string[], text: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? '') < text) low = middle + 1;
    else high = middle;
  }
  return low;
}
