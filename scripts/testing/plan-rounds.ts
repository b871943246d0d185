import { glob, readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { type BackEnd, backEnds, chosenBackEnd } from '../../tests/support/back-end.ts';
import { scaleVariable, testScale } from '../../tests/support/random.ts';
import { readDurations } from './durations.ts';
import type { Round } from './run-rounds.ts';

const everywhere = ['packages/*/test/**/*.test.ts', 'tests/**/*.test.ts'];
/** Black-box tests, which know a service only by its address and are the same on every back end. */
const fromOutside = [
  ...['conformance', 'crash', 'matrix', 'model', 'nodes', 'raw-sockets'].map(
    (folder) => `tests/${folder}/**/*.test.ts`,
  ),
  'tests/web/smoke.test.ts',
];
/** Black-box tests that run on one back end: they do not reach the storage, or they compare times. */
const aboveStorage = [
  'tests/matrix/*csrf-matrix.test.ts',
  'tests/matrix/{compare-times,timing-matrix}.test.ts',
  'tests/raw-sockets/**/*.test.ts',
];
/**
 * Black-box tests that write contents too large for the database. An object store has only those, so the other tests
 * are the same as on PostgreSQL with a disk. Add each new test of large contents here.
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
/** Code that starts a server other than the service. */
const ownServers = /\b(?:with\w*ObjectStore|startPostgres|startObjectStore|startCluster)\(/;
/**
 * Three for each of two cores. Most tests spend most of their time waiting for a fault, a database, a browser or the
 * clock. This number keeps two cores busy for nearly all of a complete run.
 */
export const filesAtOnce = 3 * Math.min(2, availableParallelism());
/** Files that start servers of their own wait the most. */
const ownServersAtOnce = 2;
/** Random tests run at their default length on one back end, and shorter on the others. */
const otherBackEndsScale = 0.3;

/** Returns all test files. */
export async function findTestFiles(patterns: readonly string[] = everywhere): Promise<readonly string[]> {
  return (await Array.fromAsync(glob([...patterns]))).sort();
}

/**
 * Plans all files on SQLite with a disk, then on each other back end the black-box tests that reach the storage. Within
 * a round the longest are first. Files that start their own databases and object stores mostly wait for these, and run
 * two at a time next to the rest.
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
      inParallel: files.filter((file) => ownServing.has(file)),
      inParallelAtOnce: ownServersAtOnce,
      atOnce: filesAtOnce,
      variables: {},
    },
    ...backEnds
      .filter((backEnd) => backEnd !== 'sqlite-disk')
      .map((backEnd) => ({
        says: `from outside, on ${backEnd}`,
        backEnd,
        files: backEnd === 'postgres-s3' ? outside.filter((file) => intoObjects.has(file)) : outside,
        inParallel: [],
        inParallelAtOnce: 0,
        atOnce: filesAtOnce,
        variables: { [scaleVariable]: String(testScale() * otherBackEndsScale) },
      })),
  ];
}

/** Plans the files whose path contains one of the words; all files without words. */
export async function planSome(words: readonly string[], backEnd: BackEnd = chosenBackEnd()): Promise<Round> {
  const files = await findTestFiles(backEnd === 'sqlite-disk' ? everywhere : fromOutside);
  return {
    says: `on ${backEnd}`,
    backEnd,
    files: files.filter((file) => words.length === 0 || words.some((word) => file.includes(word))),
    inParallel: [],
    inParallelAtOnce: 0,
    atOnce: filesAtOnce,
    variables: {},
  };
}
