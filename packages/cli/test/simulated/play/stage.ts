import type { Random } from '../../../../../tests/support/random.ts';
import type { SimulatedServer } from '../simulated-server.ts';
import type { Oracle } from './oracle.ts';

/** What all who act in a play share. */
export interface Stage {
  readonly random: Random;
  readonly now: () => number;
  readonly server: SimulatedServer;
  readonly oracle: Oracle;
  /** Never the same twice. */
  readonly newContent: () => Uint8Array<ArrayBuffer>;
  readonly say: (line: string) => void;
  readonly names: Names;
}

/** What is written, deleted and renamed: a path is one of each. */
export interface Names {
  readonly folders: readonly string[];
  readonly files: readonly string[];
}

export const plainNames: Names = {
  folders: ['', 'docs/', 'docs/deep/', 'notes/', 'a/'],
  files: ['one.md', 'two.md', 'three.txt', 'four', 'five.md'],
};
/** Some are one name on a disk that folds case. */
export const likeNames: Names = {
  folders: ['', 'docs/', 'Docs/', 'notes/', 'a/'],
  files: ['one.md', 'One.md', 'three.txt', 'caf\u00e9.md', 'A'],
};
