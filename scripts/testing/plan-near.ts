import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { readDurations } from './durations.ts';
import { distancesFrom, type ImportGraph, readImportGraph } from './import-graph.ts';
import { findTestFiles } from './plan-rounds.ts';
import { type Resources, readResources } from './resources.ts';

/** The work of two processes in about a minute, with a start of the service. */
const budgetSeconds = 100;
/** The resources whose tests best show changes to code below all resources. */
const ground = ['file', 'feed'];
/** A file that more resources depend on than this counts as below all resources. */
const resourcesMax = 3;
const blackBox = /^tests\/(conformance|matrix)\//;
/** A source of the app, with its first folder. */
const appSource = /^packages\/web\/src\/([^/]+)\//;
const handlers = /^packages\/server\/src\/(http\/routes|mcp\/tools)\//;

/** The tests that a change affects, nearest first. */
export interface NearPlan {
  /** The revision that the work tree is compared with. */
  readonly since: string;
  readonly changed: readonly string[];
  readonly resources: readonly string[];
  /** Test files that fit into the budget. */
  readonly chosen: readonly string[];
  /** Test files that do not fit. */
  readonly left: readonly string[];
  /** Changed files without a known test file. */
  readonly unreached: readonly string[];
}

/**
 * Chooses the test files that a change affects: tests that import changed files, and black-box tests of the same
 * resources.
 * @param since a revision; by default the one where the branch left main.
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
    const alongside = [...matricesOf(file, testFiles), ...browserTestsOf(file, testFiles)];
    for (const test of [...alongside, ...(await readersOf(file, testFiles))]) rank(test, 3);
    if (reachedBy === 0) unreached.push(file);
  }

  const inOrder = [...ranks]
    .toSorted(([one, a], [other, b]) => a - b || secondsOf(one) - secondsOf(other))
    .map(([file]) => file);
  const chosen: string[] = [];
  let seconds = 0;
  for (const file of inOrder) {
    // Changed test files always run, even above the budget.
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
      // A clone of another branch may not have these revisions.
    }
  }
  return 'HEAD';
}

/** Returns files committed since then, changed in the work tree, or new there, without deleted files. */
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

/** Finds browser tests by name: they start the whole app, and are named after the folders of its sources. */
export function browserTestsOf(file: string, testFiles: readonly string[]): readonly string[] {
  const folder = appSource.exec(file)?.[1] ?? '';
  return testFiles.filter(
    (test) => test.startsWith('tests/web/') && basename(test).split(/[.-]/).includes(folder),
  );
}

/** Finds test files that name a file other than a module, such as a document. */
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

/** Returns resources by the words of the path; without such words, those of the routes and tools that depend on it. */
function resourcesOf(file: string, graph: ImportGraph, resources: Resources): readonly string[] {
  if (!/^packages\/(core|contract|server)\/src\//.test(file)) return [];
  const own = resources.of(file);
  if (own.length > 0) return own;
  const above = [...distancesFrom(graph, [file]).keys()].filter((each) => handlers.test(each));
  const words = [...new Set(above.flatMap(resources.of))];
  return words.length > 0 && words.length <= resourcesMax ? words : ground;
}

/** Finds the matrix tests, which have rows for each route and each tool. */
function matricesOf(file: string, testFiles: readonly string[]): readonly string[] {
  const isTool = /^packages\/(server\/src\/mcp|contract\/src)\/tools\//.test(file);
  const isRoute = /^packages\/(server\/src\/http|contract\/src)\/routes\//.test(file);
  return testFiles.filter((test) => {
    const isOfTools = test.startsWith('tests/matrix/tool-');
    return (isTool && isOfTools) || (isRoute && test.startsWith('tests/matrix/') && !isOfTools);
  });
}
