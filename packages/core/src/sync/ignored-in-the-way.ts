// Changing the case of a letter seldom means deleting the file for everyone, so such a file is skipped and
// reported.
import { diskKey } from '../names/local-name.ts';
import { foldersAbove, type WorkspacePath } from '../workspace-path.ts';
import type { SkipReason } from './skip-reasons.ts';
import type { SyncFacts } from './sync-facts.ts';
import type { SyncTrees } from './trees.ts';

interface InTheWay {
  readonly reason: SkipReason;
  readonly detail: string;
}

/**
 * Finds ignored local items in the way of incoming files. Sync never moves or deletes ignored items, so a file that needs
 * their path, or a name that the disk treats as the same, stays on the server only.
 */
export class IgnoredInTheWay {
  readonly #ignored: SyncTrees['ignored'];
  readonly #traits: SyncFacts['traits'];
  /** Ignored paths by disk key. Built on first use: most plans need none. */
  #spelled: ReadonlyMap<string, WorkspacePath> | null = null;

  constructor({ ignored }: SyncTrees, { traits }: SyncFacts) {
    this.#ignored = ignored;
    this.#traits = traits;
  }

  /** Returns the item in the way of an incoming file. */
  of(path: WorkspacePath): InTheWay | null {
    if (this.#ignored.size === 0) return null;
    return (
      foldersAbove(path)
        .map((folder) => this.#at(folder, 'folder'))
        .find((each) => each !== null) ?? this.#at(path, 'file')
    );
  }

  #at(name: WorkspacePath, coming: 'file' | 'folder'): InTheWay | null {
    this.#spelled ??= new Map([...this.#ignored.keys()].map((each) => [diskKey(each, this.#traits), each]));
    const existing = this.#spelled.get(diskKey(name, this.#traits));
    if (existing === undefined) return null;
    if (existing !== name) return { reason: 'case_collision', detail: existing };
    const kind = this.#ignored.get(existing);
    return kind === undefined || kind === coming ? null : { reason: 'blocked', detail: `ignored ${kind}` };
  }
}
