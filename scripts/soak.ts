/**
 * Performs the soak runs: tests whose sizes `npm test` keeps small, at full size, on each back end that they concern.
 *
 *   npm run soak -- --list                list the soak runs, their sizes and their approximate durations.
 *   npm run soak                          perform all of them one after the other: most of a day.
 *   npm run soak -- --only kills,model    perform some of them.
 *   npm run soak -- --share 0.1           perform a tenth of each size. Seeds are new each time, so that parts add up.
 *   npm run soak -- --on postgres-s3      use only some back ends: sqlite-disk, postgres-disk, postgres-s3.
 *   npm run soak -- --report FILE         record each part in this file (default soak-report.jsonl).
 *   npm run soak -- --summary             print the totals of the report as the table of docs/reliability.md.
 *
 * A failure prints its seed, as in `npm test`; `tests/README.md` says how to replay it. The exit code is 1 when a part
 * failed or skipped a test, and 2 for invalid arguments.
 */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { type BackEnd, backEnds } from '../tests/support/back-end.ts';
import { addToReport, readReport, summaryOf } from './soak/report.ts';
import { type SoakRun, soakRuns } from './soak/soak-runs.ts';
import { planSome } from './testing/plan-rounds.ts';
import { runRounds } from './testing/run-rounds.ts';

/** The limit for a file at full size, which ends one that hangs. */
const fileMinutesMax = 8 * 60;

const values = readOptions();

if (values.list) {
  for (const { name, says, minutes, sizes } of soakRuns) {
    const size = Object.entries(sizes).map(([variable, whole]) => `${variable}=${whole}`);
    console.log(`${name.padEnd(20)} ${String(minutes).padStart(4)} min  ${says}  ${size.join(' ')}`);
  }
} else if (values.summary) {
  console.log(summaryOf(await readReport(values.report)));
} else {
  const share = Number(values.share);
  if (!(share > 0 && share <= 1)) fail(`--share must be above 0 and at most 1, not ${values.share}`);
  const some = chosen(values.only).map((soakRun) => ({
    campaign: soakRun,
    places: on(values.on, soakRun.backEnds),
  }));
  if (some.every(({ places: locations }) => locations.length === 0))
    fail(`none of them runs on ${values.on}`);
  for (const { campaign: soakRun, places: locations } of some) {
    if (locations.length > 0) await runSoak(soakRun, locations, share);
  }
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        list: { type: 'boolean' },
        only: { type: 'string' },
        on: { type: 'string' },
        share: { type: 'string', default: '1' },
        report: { type: 'string', default: 'soak-report.jsonl' },
        summary: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    return fail(
      `${error instanceof Error ? error.message : error}\nThe head of scripts/soak.ts lists the options.`,
    );
  }
}

function chosen(only: string | undefined): readonly SoakRun[] {
  if (only === undefined) return soakRuns;
  return only.split(',').map((name) => {
    const found = soakRuns.find((soakRun) => soakRun.name === name);
    return (
      found ?? fail(`there is no soak run ${name}, only ${soakRuns.map((each) => each.name).join(', ')}`)
    );
  });
}

/** Returns the requested back ends of a soak run; all if `names` is absent. */
function on(names: string | undefined, all: readonly BackEnd[]): readonly BackEnd[] {
  if (names === undefined) return all;
  const wanted = names.split(',');
  for (const name of wanted) {
    if (!backEnds.some((each) => each === name)) {
      fail(`there is no back end ${name}, only ${backEnds.join(', ')}`);
    }
  }
  return all.filter((each) => wanted.includes(each));
}

async function runSoak(
  { name, says, words, backEnds: all, sizes }: SoakRun,
  locations: readonly BackEnd[],
  share: number,
): Promise<void> {
  console.log(`\n== ${name}: ${says}`);
  const shares = Object.fromEntries(
    Object.entries(sizes).map(([variable, whole]) => [
      variable,
      String(Math.max(1, Math.round(whole * share))),
    ]),
  );
  const startedAt = new Date();
  const rounds = await Promise.all(
    locations.map(async (backEnd) => ({
      ...(await planSome(words, backEnd)),
      // One file at a time, with both cores like a production service.
      atOnce: 1,
      variables: shares,
      fileMinutesMax,
    })),
  );
  const results = await runRounds(rounds, { titles: false });
  const seconds = Math.round((Date.now() - startedAt.getTime()) / 1000);
  if (results.some(({ skips }) => skips.length > 0)) process.exitCode = 1;
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const chunk = {
    soak: name,
    commit,
    startedAt: startedAt.toISOString(),
    seconds,
    share: (share * locations.length) / all.length,
    sizes: shares,
    results,
  };
  await addToReport(values.report, chunk);
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}
