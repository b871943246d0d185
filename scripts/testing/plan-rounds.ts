import { glob, readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { type BackEnd, backEnds, chosenBackEnd } from '../../tests/support/back-end.ts';
import { scaleVariable, testScale } from '../../tests/support/random.ts';
import { readDurations } from './durations.ts';
import type { Round } from './run-rounds.ts';

const everywhere = ['packages/*/test/**/*.test.ts', 'tests/**/*.test.ts'];
/** Tests that know a service only by its address: the same on every back end. */
const fromOutside = [
  ...['conformance', 'crash', 'matrix', 'model', 'nodes', 'raw-sockets'].map(
    (folder) => `tests/${folder}/**/*.test.ts`,
  ),
  'tests/web/smoke.test.ts',
];
/** Of these, what is decided before the storage is asked, and what compares times: on one back end. */
const aboveStorage = [
  'tests/matrix/*csrf-matrix.test.ts',
  'tests/matrix/{compare-times,timing-matrix}.test.ts',
  'tests/raw-sockets/**/*.test.ts',
];
/**
 * Of these, what writes contents too large for the database: a store of objects holds nothing else, so that the others
 * are the same as on PostgreSQL with a disk. A new test of large contents is named here.
 */
const intoObjectStore = [
  'tests/{crash,model,nodes}/**/*.test.ts',
  'tests/web/smoke.test.ts',
  `tests/conformance/{${[
    'comment-pinned-gone',
    'conditional-writes',
    'ended-access',
    'feed-pages',
    'limits',
    'listing-details',
    'mcp-history',
    'mcp-large-messages',
    'mcp-reading',
    'mcp-writing',
    'own-server',
    'reading-files',
    'share-pinned-gone',
    'workspaces',
    'writing-files',
  ].join(',')}}.test.ts`,
];
/** What starts a server other than the service. */
const ownServers = /\b(?:with\w*ObjectStore|startPostgres|startObjectStore|startCluster)\(/;
/**
 * Three for each of two cores: most tests wait most of their time, for a fault, a database, a browser or the clock. So two cores are
 * busy for nearly all of a whole run, and not for more: 2,400 s of processor time take 1,260 s.
 */
export const filesAtOnce = 3 * Math.min(2, availableParallelism());
/** Those that start servers of their own wait the most. */
const ownServersAtOnce = 2;
/** Random tests are as long as their defaults once; on the other back ends they are shorter. */
const otherBackEndsScale = 0.3;

/** Every test file there is. */
export async function findTestFiles(patterns: readonly string[] = everywhere): Promise<readonly string[]> {
  return (await Array.fromAsync(glob([...patterns]))).sort();
}

/**
 * All files on SQLite with a disk, then those from outside that reach the storage on each other back end. Within a round
 * the longest are first. The files that start databases and object stores of their
 * own mostly wait for these: two at a time they run beside the rest.
 */
export async function planAll(): Promise<readonly Round[]> {
  const secondsOf = await readDurations();
  const longestFirst = (files: readonly string[]) =>
    files.toSorted((one, other) => secondsOf(other) - secondsOf(one));
  const files = longestFirst(await findTestFiles());
  const [above, intoObjects] = [
    new Set(await findTestFiles(aboveStorage)),
    new Set(await findTestFiles(intoObjectStore)),
  ];
  const outside = longestFirst((await findTestFiles(fromOutside)).filter((file) => !above.has(file)));
  const ownServing = new Set<string>();
  for (const file of files) if (ownServers.test(await readFile(file, 'utf8'))) ownServing.add(file);
  return [
    {
      says: 'on SQLite and disk',
      backEnd: 'sqlite-disk',
      files: files.filter((file) => !ownServing.has(file)),
      beside: files.filter((file) => ownServing.has(file)),
      besideAtOnce: ownServersAtOnce,
      atOnce: filesAtOnce,
      variables: {},
    },
    ...backEnds
      .filter((backEnd) => backEnd !== 'sqlite-disk')
      .map((backEnd) => ({
        says: `from outside, on ${backEnd}`,
        backEnd,
        files: backEnd === 'postgres-s3' ? outside.filter((file) => intoObjects.has(file)) : outside,
        beside: [],
        besideAtOnce: 0,
        atOnce: filesAtOnce,
        variables: { [scaleVariable]: String(testScale() * otherBackEndsScale) },
      })),
  ];
}

/** The files whose path contains one of the words, all without words. */
export async function planSome(words: readonly string[], backEnd: BackEnd = chosenBackEnd()): Promise<Round> {
  const files = await findTestFiles(backEnd === 'sqlite-disk' ? everywhere : fromOutside);
  return {
    says: `on ${backEnd}`,
    backEnd,
    files: files.filter((file) => words.length === 0 || words.some((word) => file.includes(word))),
    beside: [],
    besideAtOnce: 0,
    atOnce: filesAtOnce,
    variables: {},
  };
}
