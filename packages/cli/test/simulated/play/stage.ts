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
}

export const folders = ['', 'docs/', 'docs/deep/', 'notes/', 'a/'];
export const names = ['one.md', 'two.md', 'three.txt', 'four', 'five.md'];
