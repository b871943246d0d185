import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Bench, Row } from './bench-case.ts';
import { allCases } from './cases/index.ts';
import { openGenerator } from './load/open-generator.ts';
import { helpText, type Options, parseOptions } from './parse-options.ts';
import { formatTable } from './report/format-table.ts';
import { describeMachine, doubtsAbout } from './report/machine.ts';
import { seededStoa } from './seed/seeded-stoa.ts';
import { startStoa } from './sides/start-stoa.ts';
import { openWorkbench, type Workbench } from './workbench.ts';

/** `npm run bench`: see `--help`. Exits with 0 when every case ran, whatever it measured; 1 when one could not. */
const manyFiles = { standard: 100_000, full: 1_000_000 };
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
  const bench = createBench(workbench, options);
  const startedAt = new Date().toISOString();
  const rows: Row[] = [];
  const raw: Record<string, unknown> = {};
  for (const one of allCases.filter(({ id }) => options.only.includes(id))) {
    say(`${one.id}: ${one.measures}`);
    try {
      const report = await one.run(bench);
      rows.push(...report.rows);
      raw[one.id] = report.raw;
    } catch (error) {
      // The other cases still have something to say.
      process.exitCode = 1;
      say(`${one.id} failed: ${error instanceof Error ? error.stack : String(error)}`);
    }
  }
  console.log(formatTable(rows));
  if (options.json === null) return;
  await mkdir(dirname(resolve(options.json)), { recursive: true });
  // A report is shown around: it must not hold a database's password.
  const shown = { ...options, database: options.database?.kind ?? null };
  const report = { startedAt, machine, options: shown, rows, raw };
  await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`);
}

async function endEverything(workbench: Workbench): Promise<void> {
  try {
    await workbench[Symbol.asyncDispose]();
  } finally {
    process.exit(interrupted);
  }
}

function createBench(workbench: Workbench, options: Options): Bench {
  const generator = openGenerator(workbench);
  const start = (variables?: Readonly<Record<string, string>>) =>
    startStoa(workbench, options.profile, variables);
  return {
    workbench,
    generator,
    bystander: openGenerator(workbench),
    rounds: options.rounds,
    seconds: options.seconds,
    manyFiles: options.full ? manyFiles.full : manyFiles.standard,
    database: options.database,
    profile: options.profile,
    startStoa: start,
    scale: options.scale,
    seeded: seededStoa(generator, () => start(), say),
  };
}

/** Progress goes beside the report, not into it. */
function say(text: string): void {
  console.error(text);
}
