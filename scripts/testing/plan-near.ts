import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { readDurations } from './durations.ts';
import { distancesFrom, type ImportGraph, readImportGraph } from './import-graph.ts';
import { findTestFiles } from './plan-rounds.ts';
import { type Resources, readResources } from './resources.ts';

/** What the two processes of a run get through in about a minute, a start of the service among it. */
const budgetSeconds = 100;
/** What changes below everything shows best in. */
const ground = ['file', 'feed'];
/** A file that more resources rest on than this is below everything. */
const resourcesMax = 3;
const blackBox = /^tests\/(conformance|matrix)\//;
/** By its first folder. */
const appSource = /^packages\/web\/src\/([^/]+)\//;
const handlers = /^packages\/server\/src\/(http\/routes|mcp\/tools)\//;

/** What a change reaches, nearest first. */
export interface NearPlan {
  /** The revision that the work tree is compared with. */
  readonly since: string;
  readonly changed: readonly string[];
  readonly resources: readonly string[];
  /** Fit into the budget. */
  readonly chosen: readonly string[];
  /** Do not. */
  readonly left: readonly string[];
  /** Changed files that no test file is known to reach. */
  readonly unreached: readonly string[];
}

/**
 * Chooses the test files that a change reaches: those that import what changed, and the black-box files about the same
 * resources.
 * @param since a revision; by default where the branch left main.
 */
export async function planNear(since = branchingPoint()): Promise<NearPlan> {
  const changed = changedSince(since);
  const [testFiles, graph, secondsOf] = await Promise.all([
    findTestFiles(),
    readImportGraph(),
    readDurations(),
  ]);
  const resources = await readResources(testFiles.filter((file) => blackBox.test(file)));

  const ranks = new Map<string, number>();
  const words = new Set<string>();
  const unreached: string[] = [];
  for (const file of changed) {
    let reachedBy = 0;
    const rank = (test: string, value: number) => {
      reachedBy += 1;
      ranks.set(test, Math.min(value, ranks.get(test) ?? value));
    };
    for (const [reached, distance] of distancesFrom(graph, [file])) {
      if (reached.endsWith('.test.ts')) rank(reached, distance);
    }
    const about = resourcesOf(file, graph, resources);
    for (const word of about) words.add(word);
    const sameResource = testFiles.filter(
      (test) => ranks.has(test) && resources.of(test).some((word) => about.includes(word)),
    );
    for (const test of [...sameResource, ...about.flatMap(resources.testFiles)]) rank(test, 2);
    const beside = [...matricesOf(file, testFiles), ...browserTestsOf(file, testFiles)];
    for (const test of [...beside, ...(await readersOf(file, testFiles))]) rank(test, 3);
    if (reachedBy === 0) unreached.push(file);
  }

  const inOrder = [...ranks]
    .toSorted(([one, a], [other, b]) => a - b || secondsOf(one) - secondsOf(other))
    .map(([file]) => file);
  const chosen: string[] = [];
  let seconds = 0;
  for (const file of inOrder) {
    // What was changed itself runs in any case, and is most of what one waits for.
    const isOwn = ranks.get(file) === 0;
    if (!isOwn && seconds + secondsOf(file) > budgetSeconds) continue;
    seconds += secondsOf(file);
    chosen.push(file);
  }
  return {
    since,
    changed,
    resources: [...words].sort(),
    chosen,
    left: inOrder.filter((file) => !chosen.includes(file)),
    unreached,
  };
}

function branchingPoint(): string {
  for (const main of ['main', 'origin/main']) {
    try {
      return git('merge-base', 'HEAD', main).trim();
    } catch {
      // A clone of another branch may have none of them.
    }
  }
  return 'HEAD';
}

/** Committed since then, changed in the work tree, or new there; without what is gone. */
function changedSince(since: string): readonly string[] {
  const texts = [
    git('diff', '--name-only', '--diff-filter=d', since, '--'),
    git('ls-files', '--others', '--exclude-standard'),
  ];
  return [...new Set(texts.flatMap((text) => text.split('\n')))].filter((name) => name !== '').sort();
}

function git(...words: readonly string[]): string {
  return execFileSync('git', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Browser tests start the app as a whole, and are named for the folders of its sources. */
export function browserTestsOf(file: string, testFiles: readonly string[]): readonly string[] {
  const folder = appSource.exec(file)?.[1] ?? '';
  return testFiles.filter(
    (test) => test.startsWith('tests/web/') && basename(test).split(/[.-]/).includes(folder),
  );
}

/** Test files that read a file which is no module, as those of the documents do: they name it. */
async function readersOf(file: string, testFiles: readonly string[]): Promise<readonly string[]> {
  if (/\.tsx?$/.test(file)) return [];
  const name = basename(file);
  const readers: string[] = [];
  for (const test of testFiles) {
    if (test === file.replace(/\.snapshot$/, '') || (await readFile(test, 'utf8')).includes(name))
      readers.push(test);
  }
  return readers;
}

/** By the words of its path; without such words, those of the routes and tools that rest on it. */
function resourcesOf(file: string, graph: ImportGraph, resources: Resources): readonly string[] {
  if (!/^packages\/(core|contract|server)\/src\//.test(file)) return [];
  const own = resources.of(file);
  if (own.length > 0) return own;
  const above = [...distancesFrom(graph, [file]).keys()].filter((each) => handlers.test(each));
  const words = [...new Set(above.flatMap(resources.of))];
  return words.length > 0 && words.length <= resourcesMax ? words : ground;
}

/** Each route and each tool has rows in the matrices. */
function matricesOf(file: string, testFiles: readonly string[]): readonly string[] {
  const isTool = /^packages\/(server\/src\/mcp|contract\/src)\/tools\//.test(file);
  const isRoute = /^packages\/(server\/src\/http|contract\/src)\/routes\//.test(file);
  return testFiles.filter((test) => {
    const isOfTools = test.startsWith('tests/matrix/tool-');
    return (isTool && isOfTools) || (isRoute && test.startsWith('tests/matrix/') && !isOfTools);
  });
}
