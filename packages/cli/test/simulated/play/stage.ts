import type { Random } from '../../../../../tests/support/random.ts';
import type { SimulatedServer } from '../simulated-server.ts';
import type { Oracle } from './oracle.ts';

/** Shared state of a simulated run. */
export interface Stage {
  readonly random: Random;
  readonly now: () => number;
  readonly server: SimulatedServer;
  readonly oracle: Oracle;
  /** Returns new bytes on each call. */
  readonly newContent: () => Uint8Array<ArrayBuffer>;
  readonly say: (line: string) => void;
  readonly names: Names;
}

/** Names for random paths: each path is a folder plus a file. */
export interface Names {
  readonly folders: readonly string[];
  readonly files: readonly string[];
}

export const plainNames: Names = {
  folders: ['', 'docs/', 'docs/deep/', 'notes/', 'a/'],
  files: ['one.md', 'two.md', 'three.txt', 'four', 'five.md'],
};
/** Names of which some are equal on a disk that folds case. */
export const likeNames: Names = {
  folders: ['', 'docs/', 'Docs/', 'notes/', 'a/'],
  files: ['one.md', 'One.md', 'three.txt', 'caf\u00e9.md', 'A'],
};
