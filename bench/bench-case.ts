import type { Generator } from './load/open-generator.ts';
import type { Ratio } from './measure/ratio.ts';
import type { SeededStoa } from './seed/seeded-stoa.ts';
import type { Beside } from './sides/beside.ts';
import type { DatabaseChoice } from './sides/open-databases.ts';
import type { StoaSide } from './sides/start-stoa.ts';
import type { Workbench } from './workbench.ts';

/** What a case is given. */
export interface Bench {
  readonly workbench: Workbench;
  readonly generator: Generator;
  /** A second generator, for what must go on beside the load. */
  readonly bystander: Generator;
  readonly rounds: number;
  /** How long a turn of steady load lasts. */
  readonly seconds: number;
  /** Files in a large workspace, and changes in its feed. */
  readonly manyFiles: number;
  /** The PostgreSQL server that takes part; null for none. */
  readonly database: DatabaseChoice | null;
  /** Where the servers' CPU profiles go; null for none. */
  readonly profile: string | null;
  /** How large the folders and files of the sync cases are, as a share of the usual. */
  readonly scale: number;
  /** A new server with an empty data directory, and settings that are not as usual. */
  readonly startStoa: (variables?: Readonly<Record<string, string>>) => Promise<StoaSide>;
  /** Another commit's server, for the cases of small requests; null for none. */
  readonly beside: Beside | null;
  /** The server that holds the large workspaces, seeded when first asked for. */
  readonly seeded: SeededStoa;
}

/** One thing that is measured, in one file. */
export interface BenchCase {
  readonly id: string;
  readonly measures: string;
  readonly run: (bench: Bench) => Promise<CaseReport>;
}

export interface CaseReport {
  readonly rows: readonly Row[];
  /** Everything that was measured, for the JSON file. */
  readonly raw: unknown;
}

/** One line of the table. */
export interface Row {
  readonly figure: string;
  /** The control, or the limit that the figure is a share of. */
  readonly against: string;
  readonly result:
    | { readonly kind: 'ratio'; readonly ratio: Ratio }
    | { readonly kind: 'not_measured'; readonly reason: string };
  /** Null for what is told beside the figure that has one. */
  readonly target: Target | null;
}

export interface Target {
  readonly bound: 'at_least' | 'at_most';
  readonly ratio: number;
}

export function atLeast(ratio: number): Target {
  return { bound: 'at_least', ratio };
}

export function atMost(ratio: number): Target {
  return { bound: 'at_most', ratio };
}
