/**
 * Runs test files and closes with the line `N passed, N failed`, followed by what was skipped.
 *
 *   npm test                      everything on SQLite and disk, then the tests from outside on each other back end
 *   npm test -- feed storage      only files whose path contains one of the words, on SQLite and disk
 *   STOA_TEST_BACKEND=postgres-s3 npm test -- feed
 *                                 the tests from outside on that back end: sqlite-disk, postgres-disk or postgres-s3
 *
 * A skipped test is named with its reason. In CI (`CI=true`) a skip is a failure: nothing there may be left out.
 */
import { glob } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { type BackEnd, backEnds, chosenBackEnd } from '../tests/support/back-end.ts';
import { missingFor, startBackEndServers } from '../tests/support/back-end-servers.ts';

const everywhere = ['packages/*/test/**/*.test.ts', 'tests/**/*.test.ts'];
/** Tests that know a service only by its address: the same on every back end. */
const fromOutside = ['conformance', 'crash', 'matrix', 'model', 'nodes', 'raw-sockets'].map(
  (folder) => `tests/${folder}/**/*.test.ts`,
);
const fileMinutesMax = 15;
/** Random tests are as long as their defaults once; beside the others, a back end has fewer of them. */
const fewer = { STOA_MODEL_SEQUENCES: '400', STOA_CRASH_ROUNDS: '6' };

interface Round {
  readonly backEnd: BackEnd;
  readonly files: readonly string[];
}

// Leaving in order takes the servers along that a round has started.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const counts = { passed: 0, failed: 0, skipped: 0 };
const skips: string[] = [];
const rounds = await planRounds(process.argv.slice(2));
for (const round of rounds) await runRound(round);

for (const skip of skips) console.log(`skipped: ${skip}`);
if (skips.length > 0 && process.env.CI === 'true') {
  console.log('In CI a skipped test is a failure.');
  process.exitCode = 1;
}
if (counts.passed + counts.failed === 0) process.exitCode = 1;
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);

async function planRounds(words: readonly string[]): Promise<readonly Round[]> {
  const onOne = words.length > 0 || process.env.STOA_TEST_BACKEND || process.env.STOA_TEST_URL;
  const chosen = onOne ? [chosenBackEnd()] : backEnds;
  const planned = await Promise.all(
    chosen.map(async (backEnd) => ({
      backEnd,
      files: await findFiles(backEnd === 'sqlite-disk' ? everywhere : fromOutside, words),
    })),
  );
  if (planned.some(({ files }) => files.length === 0)) {
    console.error(`no test file matches ${words.join(', ')}`);
    process.exit(2);
  }
  return planned;
}

async function findFiles(patterns: readonly string[], words: readonly string[]): Promise<readonly string[]> {
  return (await Array.fromAsync(glob([...patterns])))
    .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
    .sort();
}

async function runRound({ backEnd, files }: Round): Promise<void> {
  const missing = await missingFor(backEnd);
  if (missing !== null) {
    counts.skipped += 1;
    skips.push(`everything on ${backEnd} (${missing})`);
    return;
  }
  if (rounds.length > 1) console.log(`\n${files.length} files on ${backEnd}`);
  const before = counts.passed;
  await using servers = await startBackEndServers(backEnd);
  const stream = run({
    files: [...files],
    concurrency: Math.min(2, availableParallelism()),
    timeout: fileMinutesMax * 60_000,
    env: {
      ...(backEnd !== rounds[0]?.backEnd && fewer),
      ...process.env,
      ...servers.variables,
      STOA_TEST_BACKEND: backEnd,
    },
  });
  stream.on('test:pass', ({ name, skip, todo, details, file }) => {
    if (details.type === 'suite') return;
    if (skip !== undefined || todo !== undefined) {
      counts.skipped += 1;
      skips.push(`${file ?? ''}: ${name} (${skip || todo || 'no reason given'})`);
    } else {
      counts.passed += 1;
    }
  });
  stream.on('test:fail', ({ details }) => {
    if (details.type !== 'suite') counts.failed += 1;
    process.exitCode = 1;
  });
  for await (const text of stream.compose(spec)) process.stdout.write(text);
  if (rounds.length > 1) console.log(`${counts.passed - before} passed on ${backEnd}`);
}
