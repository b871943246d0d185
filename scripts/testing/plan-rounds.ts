import { glob, readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { type BackEnd, backEnds, chosenBackEnd } from '../../tests/support/back-end.ts';
import { hasChromium } from '../../tests/support/chromium.ts';
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
/** Tests of ring 2 on SQLite: the app in a browser, and installations. */
const inBrowsers = ['tests/{browser,install,web}/**/*.test.ts'];
/** Tests of ring 3 on SQLite: long ones, and those of several programs. */
const long = [
  'tests/{backup,bench,cluster,crash,day,find,interop,nodes,power,readme,sync,upgrade}/**/*.test.ts',
  'tests/matrix/{compare-times,fairness-matrix,timing-matrix}.test.ts',
];
/** Black-box tests that run on one back end: they do not reach the storage, or they compare times. */
const aboveStorage = [
  'tests/matrix/*csrf-matrix.test.ts',
  'tests/matrix/{compare-times,timing-matrix}.test.ts',
  'tests/raw-sockets/**/*.test.ts',
];
/** Black-box tests whose run on another back end belongs to ring 3. */
const longElsewhere = ['tests/crash/**/*.test.ts', 'tests/matrix/fairness-matrix.test.ts'];
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
/** Code that needs a server other than the service, or a program or disk that npm does not bring. */
const needsMore =
  /\b(?:with\w*ObjectStore|startPostgres|startObjectStore|startCluster|findProgram|smallDisk)\(|\('(?:git|mount)'|(?:pgbouncer|postgres-15|run-git-[\w-]+|small-disk)\.ts/;
const smoke = 'tests/web/smoke.test.ts';
/**
 * Three for each of two cores. Most tests spend most of their time waiting for a fault, a database, a browser or the
 * clock. This number keeps two cores busy for nearly all of a complete run.
 */
export const filesAtOnce = 3 * Math.min(2, availableParallelism());
/** Files that start servers of their own wait the most. */
const ownServersAtOnce = 2;
/** Random tests run at their default length in ring 3, and shorter elsewhere. */
const shortScale = 0.2;

/** The rings of tests (tests/README.md). Each file runs once on each back end, in one of them. */
export const rings = [1, 2, 3] as const;
export type Ring = (typeof rings)[number];

/** Returns all test files. */
export async function findTestFiles(patterns: readonly string[] = everywhere): Promise<readonly string[]> {
  return (await Array.fromAsync(glob([...patterns]))).sort();
}

/**
 * Plans a ring. Within a round the longest are first. Files that start their own databases and object stores mostly
 * wait for these, and run two at a time next to the rest.
 */
export async function planRing(ring: Ring): Promise<readonly Round[]> {
  const secondsOf = await readDurations();
  const longestFirst = (files: readonly string[]) =>
    files.toSorted((one, other) => secondsOf(other) - secondsOf(one));
  const matching = async (patterns: readonly string[]) => new Set(await findTestFiles(patterns));
  const [above, intoObjects, elsewhere] = [
    await matching(aboveStorage),
    await matching(intoObjectStore),
    await matching(longElsewhere),
  ];
  const files = longestFirst((await filesOfRings())[ring]);
  const outside =
    ring === 1
      ? []
      : longestFirst(await findTestFiles(fromOutside)).filter(
          (file) => !above.has(file) && elsewhere.has(file) === (ring === 3),
        );
  const alongside: string[] = [];
  for (const file of files) if (needsMore.test(await readFile(file, 'utf8'))) alongside.push(file);
  const scale = { [scaleVariable]: String(testScale() * shortScale) };
  const rounds: Round[] = [
    {
      says: 'on SQLite and disk',
      backEnd: 'sqlite-disk',
      files: files.filter((file) => !alongside.includes(file)),
      inParallel: alongside,
      inParallelAtOnce: ownServersAtOnce,
      atOnce: filesAtOnce,
      variables: ring === 3 ? {} : scale,
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
        variables: scale,
      })),
  ];
  return rounds.filter(({ files, inParallel }) => files.length + inParallel.length > 0);
}

/** Returns the files that each ring runs on SQLite. A browser is opened in ring 1 only where there is one already. */
async function filesOfRings(): Promise<Readonly<Record<Ring, readonly string[]>>> {
  const [browsers, third] = [new Set(await findTestFiles(inBrowsers)), new Set(await findTestFiles(long))];
  const found: Record<Ring, string[]> = { 1: [], 2: [], 3: [] };
  for (const file of await findTestFiles()) {
    const hasRoom = file === smoke && hasChromium();
    const ring = third.has(file)
      ? 3
      : !hasRoom && (browsers.has(file) || needsMore.test(await readFile(file, 'utf8')))
        ? 2
        : 1;
    found[ring].push(file);
  }
  return found;
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
