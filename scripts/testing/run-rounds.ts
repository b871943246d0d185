import { readFile } from 'node:fs/promises';
import type { BackEnd } from '../../tests/support/back-end.ts';
import {
  type BackEndServers,
  missingFor,
  startBackEndServers,
} from '../../tests/support/back-end-servers.ts';
import { makeServiceHome } from '../../tests/support/service-home.ts';
import { startService } from '../../tests/support/service-process.ts';
import { sharedServiceSettings, sharedServiceVariable } from '../../tests/support/target.ts';
import { keepDurations } from './durations.ts';
import { compileCache, prepareRun } from './prepare-run.ts';
import { type FileResult, runFile } from './run-file.ts';

/** Test files that run on one back end, in this order. */
export interface Round {
  readonly says: string;
  readonly backEnd: BackEnd;
  readonly files: readonly string[];
  /** Of these one runs at a time, beside the others, for as long as there are others. */
  readonly beside: readonly string[];
  /** How many run at the same time, the one of `beside` among them. */
  readonly atOnce: number;
  /** Added to the environment of the files. */
  readonly variables: Readonly<Record<string, string>>;
  /** For how long one file may run, where it is not the gate's size. */
  readonly fileMinutesMax?: number;
}

/** What a round came to. */
export interface RoundResult {
  readonly backEnd: BackEnd;
  readonly passed: number;
  /** One line for each. */
  readonly failures: readonly string[];
  readonly skips: readonly string[];
  /** What its files said of themselves, by file: seeds and counts. */
  readonly told: Readonly<Record<string, string>>;
}

interface Counts {
  readonly backEnd: BackEnd;
  passed: number;
  readonly failures: string[];
  readonly skips: string[];
  readonly told: Record<string, string>;
}

/**
 * Runs the rounds one after the other, prints what failed and closes with `N passed, N failed, N skipped`. The exit
 * code says whether all is well; in CI (`CI=true`) a skip is a failure.
 * @param options.titles whether the title of each test is printed, not only the count of each file.
 */
export async function runRounds(
  rounds: readonly Round[],
  options: { readonly titles: boolean },
): Promise<readonly RoundResult[]> {
  leaveInOrder();
  await prepareRun(rounds.flatMap(filesOf));
  const results: RoundResult[] = [];
  for (const round of rounds) {
    if (rounds.length > 1) console.log(`\n${filesOf(round).length} files: ${round.says}`);
    const counts: Counts = { backEnd: round.backEnd, passed: 0, failures: [], skips: [], told: {} };
    await runRound(round, counts, options);
    results.push(counts);
  }
  console.log('');
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failures = results.flatMap((result) => result.failures);
  const skips = results.flatMap((result) => result.skips);
  for (const failure of failures) console.log(`failed: ${failure}`);
  for (const skip of skips) console.log(`skipped: ${skip}`);
  const isSkipFailure = skips.length > 0 && process.env.CI === 'true';
  if (isSkipFailure) console.log('In CI a skipped test is a failure.');
  if (isSkipFailure || failures.length > 0 || passed === 0) process.exitCode = 1;
  console.log(`${passed} passed, ${failures.length} failed, ${skips.length} skipped`);
  return results;
}

let isLeavingInOrder = false;

/** Leaving in order takes the servers along that a round has started. */
function leaveInOrder(): void {
  if (isLeavingInOrder) return;
  isLeavingInOrder = true;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
}

async function runRound(
  round: Round,
  counts: Counts,
  { titles }: { readonly titles: boolean },
): Promise<void> {
  const { backEnd, files, beside, atOnce, variables } = round;
  const on = backEnd === 'sqlite-disk' ? '' : ` (${backEnd})`;
  const missing = await missingFor(backEnd);
  if (missing !== null) {
    counts.skips.push(`everything on ${backEnd} (${missing})`);
    return;
  }
  await using servers = await startBackEndServers(backEnd);
  await using shared = await startSharedService(round, servers, counts);
  if (shared === null) return;
  const env = {
    ...process.env,
    NODE_COMPILE_CACHE: compileCache,
    ...variables,
    ...servers.variables,
    ...shared.variables,
    STOA_TEST_BACKEND: backEnd,
  };
  const [waiting, waitingBeside] = [[...files], [...beside]];
  const results: FileResult[] = [];
  const runWaiting = async (first: string[], then: string[]) => {
    const next = () => first.shift() ?? then.shift();
    for (let file = next(); file !== undefined; file = next()) {
      const result = await runFile(file, env, round.fileMinutesMax);
      count(result, on, counts, titles);
      results.push(result);
    }
  };
  await Promise.all([
    runWaiting(waitingBeside, waiting),
    ...Array.from({ length: atOnce - 1 }, () => runWaiting(waiting, waitingBeside)),
  ]);
  if (backEnd === 'sqlite-disk') await keepDurations(results);
  if (!shared.isRunning()) fail(counts, `the service that the files share ended${on}`, shared.log());
}

function filesOf({ files, beside }: Round): readonly string[] {
  return [...files, ...beside];
}

interface SharedService extends AsyncDisposable {
  readonly variables: Readonly<Record<string, string>>;
  readonly isRunning: () => boolean;
  readonly log: () => string;
}

const noService: SharedService = {
  variables: {},
  isRunning: () => true,
  log: () => '',
  async [Symbol.asyncDispose]() {},
};

/** One service for all files that only speak to one (`useTarget`, `useApp`). @returns null when it did not start. */
async function startSharedService(
  round: Round,
  servers: BackEndServers,
  counts: Counts,
): Promise<SharedService | null> {
  if (process.env.STOA_TEST_URL) return noService;
  const { backEnd } = round;
  const sources = await Promise.all(filesOf(round).map((file) => readFile(file, 'utf8')));
  if (!sources.some((source) => /\b(?:useTarget|useApp)\(/.test(source))) return noService;
  const home = await makeServiceHome(backEnd, servers.variables);
  try {
    const service = await startService(
      { ...sharedServiceSettings, NODE_COMPILE_CACHE: compileCache },
      { home },
    );
    return {
      variables: { [sharedServiceVariable]: service.url },
      isRunning: service.isRunning,
      log: service.log,
      async [Symbol.asyncDispose]() {
        await service[Symbol.asyncDispose]();
        await home[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await home[Symbol.asyncDispose]();
    fail(counts, `no file ran on ${backEnd}, for the service does not start`, String(error));
    return null;
  }
}

function count(result: FileResult, on: string, counts: Counts, titles: boolean): void {
  const { file, passed, failures, skips, output } = result;
  counts.passed += passed.length;
  counts.skips.push(...skips.map(({ title, reason }) => `${file}: ${title} (${reason})`));
  const failed = failures.length === 0 ? '' : `, ${failures.length} failed`;
  const sign = failures.length === 0 ? '✔' : '✖';
  console.log(`${sign} ${file}  ${passed.length} passed${failed}  ${result.seconds.toFixed(1)} s`);
  if (titles) for (const title of passed) console.log(`    ✔ ${title}`);
  if (output !== '') {
    console.log(indented(output.trimEnd()));
    counts.told[file] = output.trimEnd();
  }
  for (const { title, place, text } of failures) fail(counts, `${place}  ${title}${on}`, text);
}

function fail(counts: Counts, what: string, text: string): void {
  counts.failures.push(what);
  console.log(`  ✖ ${what}`);
  if (text !== '') console.log(indented(text));
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '    ');
}
