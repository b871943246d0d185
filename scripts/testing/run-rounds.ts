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
  /** Of these files, `inParallelAtOnce` run at a time next to the others of all rounds, while there are others. */
  readonly inParallel: readonly string[];
  readonly inParallelAtOnce: number;
  /** The number of files that run at the same time, including those of `inParallel`. */
  readonly atOnce: number;
  /** Added to the environment of the files. */
  readonly variables: Readonly<Record<string, string>>;
  /** The limit for one file, where its size differs from `npm test`. */
  readonly fileMinutesMax?: number;
}

/** The result of a round. */
export interface RoundResult {
  readonly backEnd: BackEnd;
  readonly passed: number;
  /** One line for each. */
  readonly failures: readonly string[];
  readonly skips: readonly string[];
  /** The diagnostics of its files, by file: seeds and counts. */
  readonly diagnostics: Readonly<Record<string, string>>;
}

/** The number of failures that are repeated at the end with their reasons, and the most lines of each. */
const repeatedMax = 20;
const repeatedLinesMax = 60;

interface Counts {
  readonly backEnd: BackEnd;
  passed: number;
  readonly failures: string[];
  /** The reason of each failure for the end of the run, in the same order. */
  readonly reasons: string[];
  readonly skips: string[];
  readonly diagnostics: Record<string, string>;
}

/**
 * Runs the files of the rounds in order, prints failures and closes with `N passed, N failed, N skipped`. The exit code
 * is 0 only without failures; in CI (`CI=true`) a skip is a failure. A round begins once all files of the earlier
 * rounds have started.
 * @param options.titles whether to print the title of each test, and not only the count of each file.
 */
export async function runRounds(
  rounds: readonly Round[],
  options: { readonly titles: boolean },
): Promise<readonly RoundResult[]> {
  leaveInOrder();
  await prepareRun(rounds.flatMap(filesOf));
  const isOneOfSeveral = rounds.length > 1;
  const running = rounds.map((round) => new RunningRound(round, { ...options, isOneOfSeveral }));
  const queue = running.flatMap((round) => round.files.map((file) => ({ round, file })));
  const queueParallel = running.flatMap((round) => round.inParallel.map((file) => ({ round, file })));
  const runWaiting = async (first: typeof queue, then: typeof queue) => {
    const next = () => first.shift() ?? then.shift();
    for (let waiting = next(); waiting !== undefined; waiting = next()) {
      await waiting.round.runFile(waiting.file);
    }
  };
  const atOnce = Math.max(...rounds.map((round) => round.atOnce));
  const alongsideAtOnce = Math.max(...rounds.map((round) => round.inParallelAtOnce));
  await Promise.all(
    Array.from({ length: atOnce }, (_, runner) =>
      runner < alongsideAtOnce ? runWaiting(queueParallel, queue) : runWaiting(queue, queueParallel),
    ),
  );
  console.log('');
  const results = running.map(({ counts }) => counts);
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failures = results.flatMap((result) => result.failures);
  const skips = results.flatMap((result) => result.skips);
  // Repeats the failures with their reasons, because often only the end of a long run is kept.
  for (const { counts } of running) repeatFailures(counts);
  for (const skip of skips) console.log(`skipped: ${skip}`);
  const isSkipFailure = skips.length > 0 && process.env.CI === 'true';
  if (isSkipFailure) console.log('In CI a skipped test is a failure.');
  if (isSkipFailure || failures.length > 0 || passed === 0) process.exitCode = 1;
  console.log(`${passed} passed, ${failures.length} failed, ${skips.length} skipped`);
  return results;
}

let isLeavingInOrder = false;

/** Exits in order on a signal, which also ends the servers of a round. */
function leaveInOrder(): void {
  if (isLeavingInOrder) return;
  isLeavingInOrder = true;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
}

/** The shared servers of a round's files: those of its back end, and a service. */
interface RoundServers extends AsyncDisposable {
  readonly env: NodeJS.ProcessEnv;
  readonly shared: SharedService;
}

/** A round that starts its shared servers with the first file and ends them after the last one. */
class RunningRound {
  readonly files: readonly string[];
  readonly inParallel: readonly string[];
  readonly counts: Counts;
  readonly #round: Round;
  readonly #prints: { readonly titles: boolean; readonly isOneOfSeveral: boolean };
  readonly #on: string;
  readonly #results: FileResult[] = [];
  #left: number;
  /** Null when it cannot run here. */
  #servers: Promise<RoundServers | null> | null = null;

  constructor(round: Round, prints: { readonly titles: boolean; readonly isOneOfSeveral: boolean }) {
    const { backEnd, files, inParallel: alongside } = round;
    this.#round = round;
    this.#prints = prints;
    this.#on = backEnd === 'sqlite-disk' ? '' : ` (${backEnd})`;
    this.#left = files.length + alongside.length;
    this.files = files;
    this.inParallel = alongside;
    this.counts = { backEnd, passed: 0, failures: [], reasons: [], skips: [], diagnostics: {} };
  }

  async runFile(file: string): Promise<void> {
    this.#servers ??= this.#start();
    const servers = await this.#servers;
    if (servers !== null) {
      const result = await runFile(file, servers.env, this.#round.fileMinutesMax);
      count(result, this.#on, this.counts, this.#prints.titles);
      this.#results.push(result);
    }
    this.#left -= 1;
    if (this.#left === 0 && servers !== null) await this.#end(servers);
  }

  async #start(): Promise<RoundServers | null> {
    const { backEnd, says, variables } = this.#round;
    if (this.#prints.isOneOfSeveral) console.log(`\n${this.#left} files: ${says}`);
    const missing = await missingFor(backEnd);
    if (missing !== null) {
      this.counts.skips.push(`everything on ${backEnd} (${missing})`);
      return null;
    }
    await using stack = new AsyncDisposableStack();
    const servers = stack.use(await startBackEndServers(backEnd));
    const shared = await startSharedService(this.#round, servers, this.counts);
    if (shared === null) return null;
    stack.use(shared);
    const owned = stack.move();
    const env = {
      ...process.env,
      NODE_COMPILE_CACHE: compileCache,
      ...variables,
      ...servers.variables,
      ...shared.variables,
      STOA_TEST_BACKEND: backEnd,
    };
    return { env, shared, [Symbol.asyncDispose]: () => owned.disposeAsync() };
  }

  async #end(servers: RoundServers): Promise<void> {
    const { shared } = servers;
    if (this.#round.backEnd === 'sqlite-disk') await keepDurations(this.#results);
    if (!shared.isRunning()) {
      fail(this.counts, `the shared service ended${this.#on}`, shared.log());
    }
    await servers[Symbol.asyncDispose]();
  }
}

function filesOf({ files, inParallel: alongside }: Round): readonly string[] {
  return [...files, ...alongside];
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

/** Starts one service for all files that only need one (`useTarget`, `useApp`). @returns null when it did not start. */
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
    fail(counts, `no file ran on ${backEnd}, because the service does not start`, String(error));
    return null;
  }
}

function count(result: FileResult, on: string, counts: Counts, titles: boolean): void {
  const { file, passed, failures, skips, output } = result;
  counts.passed += passed.length;
  counts.skips.push(...skips.map(({ title, reason }) => `${file}: ${title} (${reason})`));
  const failed = failures.length === 0 ? '' : `, ${failures.length} failed`;
  const sign = failures.length === 0 ? '✔' : '✖';
  console.log(`${sign} ${file}${on}  ${passed.length} passed${failed}  ${result.seconds.toFixed(1)} s`);
  if (titles) for (const title of passed) console.log(`    ✔ ${title}`);
  if (output !== '') {
    console.log(indented(output.trimEnd()));
    counts.diagnostics[file] = output.trimEnd();
  }
  for (const [at, { title, location, text }] of failures.entries()) {
    fail(counts, `${location}  ${title}${on}`, text, at === 0 ? `${text}\n${output}` : text);
  }
}

function repeatFailures({ failures, reasons }: Counts): void {
  for (const [at, failure] of failures.entries()) {
    console.log(`failed: ${failure}`);
    const lines = (reasons[at] ?? '').split('\n').filter((line) => line !== '');
    const more = lines.length - repeatedLinesMax;
    if (at >= repeatedMax || lines.length === 0) continue;
    console.log(indented(lines.slice(0, repeatedLinesMax).join('\n')));
    if (more > 0) console.log(`    … ${more} more lines above`);
  }
}

function fail(counts: Counts, what: string, text: string, again = text): void {
  counts.failures.push(what);
  counts.reasons.push(again);
  console.log(`  ✖ ${what}`);
  if (text !== '') console.log(indented(text));
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '    ');
}
