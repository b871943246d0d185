import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Bench, Row } from './bench-case.ts';
import { allCases } from './cases/index.ts';
import { openGenerator } from './load/open-generator.ts';
import { helpText, type Options, parseOptions } from './parse-options.ts';
import { formatTable } from './report/format-table.ts';
import { describeMachine, doubtsAbout } from './report/machine.ts';
import { writeTables } from './report/write-tables.ts';
import { seededStoa } from './seed/seeded-stoa.ts';
import { type Comparison, findCommit, openComparison } from './sides/comparison.ts';
import { startStoa } from './sides/start-stoa.ts';
import { openWorkbench, type Workbench } from './workbench.ts';

/** `npm run bench`: see `--help`. Exits with 0 when every case ran, whatever it measured; 1 when one could not. */
const interrupted = 130;

const parsed = parseOptions(process.argv.slice(2));
switch (parsed.kind) {
  case 'help':
    console.log(helpText());
    break;
  case 'refused':
    console.error(`${parsed.reason}\n\n${helpText()}`);
    process.exitCode = 2;
    break;
  case 'run':
    await runBench(parsed.options);
    break;
}

async function runBench(options: Options): Promise<void> {
  await using workbench = await openWorkbench();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      void endEverything(workbench);
    });
  }
  const machine = await describeMachine();
  for (const warning of doubtsAbout(machine)) say(warning);
  const alongside = await chooseComparison(workbench, options);
  if (alongside === 'unknown') return;
  const bench = createBench(workbench, options, alongside);
  const startedAt = new Date().toISOString();
  const rows = new Map<string, readonly Row[]>();
  const raw: Record<string, unknown> = {};
  for (const one of allCases.filter(({ id }) => options.only.includes(id))) {
    say(`${one.id}: ${one.measures}`);
    try {
      const report = await one.run(bench);
      rows.set(one.id, report.rows);
      raw[one.id] = report.raw;
    } catch (error) {
      // The other cases still run.
      process.exitCode = 1;
      say(`${one.id} failed: ${error instanceof Error ? error.stack : String(error)}`);
    }
  }
  console.log(formatTable([...rows.values()].flat()));
  if (options.write) await writeTables(rows);
  if (options.json === null) return;
  await mkdir(dirname(resolve(options.json)), { recursive: true });
  // Reports are shared: a report must not contain a database password.
  const shown = { ...options, database: options.database?.kind ?? null };
  const report = { startedAt, machine, options: shown, rows: [...rows.values()].flat(), raw };
  await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`);
}

/** @returns `unknown` for a named commit that does not exist, after printing the error. */
async function chooseComparison(
  workbench: Workbench,
  { comparison: alongside, profile }: Options,
): Promise<Comparison | null | 'unknown'> {
  if (alongside === null) return null;
  const commit = await findCommit(workbench, alongside.name);
  if (commit !== null) return openComparison(workbench, commit, profile, say);
  if (alongside.isNamed) {
    say(`--beside names no commit of this checkout: ${alongside.name}`);
    process.exitCode = 2;
    return 'unknown';
  }
  say('no commit to compare: this checkout has no earlier one');
  return null;
}

async function endEverything(workbench: Workbench): Promise<void> {
  try {
    await workbench[Symbol.asyncDispose]();
  } finally {
    process.exit(interrupted);
  }
}

function createBench(workbench: Workbench, options: Options, alongside: Comparison | null): Bench {
  const generator = openGenerator(workbench);
  const start = (variables?: Readonly<Record<string, string>>) =>
    startStoa(workbench, options.profile, variables);
  return {
    workbench,
    generator,
    bystander: openGenerator(workbench),
    rounds: options.rounds,
    seconds: options.seconds,
    manyFiles: options.files,
    database: options.database,
    comparison: alongside,
    profile: options.profile,
    startStoa: start,
    scale: options.scale,
    seeded: seededStoa(generator, () => start(), say),
  };
}

/** Progress goes to stderr, so that stdout has only the report. */
function say(text: string): void {
  console.error(text);
}
