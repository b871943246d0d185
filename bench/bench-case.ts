import type { Generator } from './load/open-generator.ts';
import type { Ratio } from './measure/ratio.ts';
import type { SeededStoa } from './seed/seeded-stoa.ts';
import type { Comparison } from './sides/comparison.ts';
import type { DatabaseChoice } from './sides/open-databases.ts';
import type { StoaSide } from './sides/start-stoa.ts';
import type { Workbench } from './workbench.ts';

/** The input of a case. */
export interface Bench {
  readonly workbench: Workbench;
  readonly generator: Generator;
  /** A second generator, for requests that must continue during the load. */
  readonly bystander: Generator;
  readonly rounds: number;
  /** The duration of steady load in one measurement. */
  readonly seconds: number;
  /** Files in a large workspace, and changes in its feed. */
  readonly manyFiles: number;
  /** The PostgreSQL server that takes part; null for none. */
  readonly database: DatabaseChoice | null;
  /** The folder for the servers' CPU profiles; null for none. */
  readonly profile: string | null;
  /** The size of the folders and files of the sync cases, as a share of the usual size. */
  readonly scale: number;
  /** Starts a new server with an empty data directory and special settings. */
  readonly startStoa: (variables?: Readonly<Record<string, string>>) => Promise<StoaSide>;
  /** Another commit's server, for the cases of small requests; null for none. */
  readonly comparison: Comparison | null;
  /** The server with the large workspaces, seeded at the first use. */
  readonly seeded: SeededStoa;
}

/** One measurement, in one file. */
export interface BenchCase {
  readonly id: string;
  readonly measures: string;
  readonly run: (bench: Bench) => Promise<CaseReport>;
}

export interface CaseReport {
  readonly rows: readonly Row[];
  /** All measured values, for the JSON file. */
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
  /** Null for a figure without a target, shown next to another one. */
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
