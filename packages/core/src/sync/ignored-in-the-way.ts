// docs/decisions/0098-an-ignored-spelling-is-not-missing.md
import { diskKey } from '../names/local-name.ts';
import { foldersAbove, type WorkspacePath } from '../workspace-path.ts';
import type { LeftOutReason } from './left-out-reasons.ts';
import type { SyncFacts } from './sync-facts.ts';
import type { SyncTrees } from './trees.ts';

interface InTheWay {
  readonly reason: LeftOutReason;
  readonly detail: string;
}

/**
 * What stands here and is ignored: nothing makes room by taking it away or renaming it, so that what would come to its place,
 * or into it under another spelling, stays on the server alone.
 */
export class IgnoredInTheWay {
  readonly #ignored: SyncTrees['ignored'];
  readonly #traits: SyncFacts['traits'];
  /** As the disk finds each. Made on the first question: most plans ask none. */
  #spelled: ReadonlyMap<string, WorkspacePath> | null = null;

  constructor({ ignored }: SyncTrees, { traits }: SyncFacts) {
    this.#ignored = ignored;
    this.#traits = traits;
  }

  /** Of a file that would come. */
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
    const standing = this.#spelled.get(diskKey(name, this.#traits));
    if (standing === undefined) return null;
    if (standing !== name) return { reason: 'case_collision', detail: standing };
    const kind = this.#ignored.get(standing);
    return kind === undefined || kind === coming ? null : { reason: 'blocked', detail: `ignored ${kind}` };
  }
}
