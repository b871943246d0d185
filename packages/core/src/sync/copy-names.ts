import { conflictedCopyPaths } from '../files/conflicted-copy-path.ts';
import { diskKey, localNameProblem } from '../names/local-name.ts';
import type { WorkspacePath } from '../workspace-path.ts';
import type { SyncFacts } from './sync-facts.ts';
import type { SyncTrees } from './trees.ts';

/** Chooses conflicted-copy names that are free on both sides, each at most once. */
export class CopyNames {
  readonly #trees: SyncTrees;
  readonly #facts: SyncFacts;
  readonly #taken = new Set<WorkspacePath>();
  /** Taken names by disk key, for a disk that treats several names as one. */
  #keys: Set<string> | null = null;

  constructor(trees: SyncTrees, facts: SyncFacts) {
    this.#trees = trees;
    this.#facts = facts;
  }

  /** Null if the disk can store no such name. */
  take(path: WorkspacePath): WorkspacePath | null {
    const { now, writer } = this.#facts.copyLabel;
    for (const name of conflictedCopyPaths(path, now, writer)) {
      if (this.#isTaken(name)) continue;
      if (localNameProblem(name, this.#facts.traits) !== null || this.#facts.isIgnored(name)) return null;
      this.#taken.add(name);
      this.#keys?.add(diskKey(name, this.#facts.traits));
      return name;
    }
    return null;
  }

  #isTaken(name: WorkspacePath): boolean {
    const { base, baseFolders, local, localFolders, ignored, remote } = this.#trees;
    const trees = [base, baseFolders, local, localFolders, ignored, remote, this.#taken];
    const { traits } = this.#facts;
    if (!traits.foldsCase) return trees.some((tree) => tree.has(name));
    this.#keys ??= new Set(trees.flatMap((tree) => [...tree.keys()].map((each) => diskKey(each, traits))));
    return this.#keys.has(diskKey(name, traits));
  }
}
