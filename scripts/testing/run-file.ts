import { relative, resolve } from 'node:path';
import { run } from 'node:test';
import { fileURLToPath } from 'node:url';
import { describeError, withoutRunner } from './describe-error.ts';

/** The limit at the sizes of `npm test`. */
const usualMinutesMax = 15;
const outputCharactersMax = 20_000;
/** docs/decisions/0011-toolchain.md */
const untrackedPromises = fileURLToPath(new URL('untracked-promises.cjs', import.meta.url));

/** The result of one test file. */
export interface FileResult {
  readonly file: string;
  readonly seconds: number;
  readonly passed: readonly string[];
  readonly failures: readonly Failure[];
  readonly skips: readonly { readonly title: string; readonly reason: string }[];
  /** The output of its tests, and their diagnostics. */
  readonly output: string;
}

export interface Failure {
  readonly title: string;
  /** `tests/conformance/feed-pages.test.ts:12:1` */
  readonly location: string;
  /** Empty when another failure of the file has the reason: a test whose suite could not begin. */
  readonly text: string;
}

interface Reported {
  readonly name: string;
  readonly nesting: number;
  readonly parentId: number | undefined;
}

/** Runs a test file in a process of its own, and ends one that takes longer than `minutesMax`. */
export async function runFile(
  file: string,
  env: NodeJS.ProcessEnv,
  minutesMax = usualMinutesMax,
): Promise<FileResult> {
  const startedAt = performance.now();
  const passed: string[] = [];
  const failures: Failure[] = [];
  const skips: { title: string; reason: string }[] = [];
  /** The full title by id, with the titles of all outer suites, which many titles need as their subject. */
  const titles = new Map<number, string>();
  const titleOf = ({ name, nesting, parentId }: Reported) => {
    // The parent of an outermost test is the file.
    const around = nesting === 0 || parentId === undefined ? undefined : titles.get(parentId);
    return around === undefined ? name : `${around} › ${name}`;
  };
  let output = '';
  let errors = '';
  const stream = run({
    files: [file],
    concurrency: 1,
    timeout: minutesMax * 60_000,
    env,
    execArgv: ['--require', untrackedPromises],
  });
  stream.on('test:stdout', ({ message }) => {
    output = tailOf(output + message);
  });
  stream.on('test:stderr', ({ message }) => {
    errors = tailOf(errors + message);
  });
  stream.on('test:diagnostic', (diagnostic) => {
    // Diagnostics without a file are the runner's counts.
    if (diagnostic.file !== undefined) output = tailOf(`${output}${diagnostic.message}\n`);
  });
  stream.on('test:enqueue', (reported) => void titles.set(reported.testId, titleOf(reported)));
  stream.on('test:pass', (reported) => {
    if (reported.details.type === 'suite') return;
    const title = titleOf(reported);
    const left = reported.skip ?? reported.todo;
    if (left === undefined) passed.push(title);
    else skips.push({ title, reason: String(left === true ? 'no reason given' : left) });
  });
  stream.on('test:fail', (reported) => {
    const { file: location, line, column } = reported;
    const { error } = reported.details;
    const failureType = 'failureType' in error ? error.failureType : null;
    // Each failed subtest is reported separately.
    if (failureType === 'subtestsFailed') return;
    if (reported.nesting === 0 && location === resolve(reported.name)) {
      const title = 'the file did not get to its end';
      // The process printed the reason before it ended, and all its output has arrived.
      failures.push({ title, location: file, text: withoutRunner(errors) || describeError(error) });
      errors = '';
      return;
    }
    failures.push({
      title: titleOf(reported),
      location: `${relative('', location ?? file)}:${line}:${column}`,
      text: failureType === 'cancelledByParent' ? '' : describeError(error),
    });
  });
  stream.resume();
  await new Promise((resolve, reject) => stream.once('end', resolve).once('error', reject));
  if (failures.length > 0) output += withoutRunner(errors);
  return { file, seconds: (performance.now() - startedAt) / 1000, passed, failures, skips, output };
}

function tailOf(text: string): string {
  return text.slice(-outputCharactersMax);
}
