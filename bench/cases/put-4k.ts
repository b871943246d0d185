import { atLeast, atMost, type Bench, type BenchCase, type CaseReport, type Target } from '../bench-case.ts';
import { alternate } from '../measure/alternate.ts';
import { compareOptional } from '../measure/compare.ts';
import { comparisonRows, requestRate, steadyRound } from '../measure/steady-round.ts';
import type { ComparisonSide } from '../sides/comparison.ts';
import { type Controls, type Side, startControls } from '../sides/side.ts';
import { startApache, startApacheSubversion } from '../sides/start-apache.ts';
import { startFilePerWrite } from '../sides/start-file-per-write.ts';
import { startNginx } from '../sides/start-nginx.ts';

const bodyBytes = 4096;
const mostConnections = 64;
/** As a share of the processor time before the work on small requests. */
const costTarget = atMost(0.5);

const numbersOfConnections = [32, 64];
/** In the order of the controls; null for none. nginx makes no PUT durable: its row shows the gain from that. */
const targets: readonly (Target | null)[] = [null, atLeast(1), atLeast(5), atLeast(2)];

/**
 * New files of 4 KiB each: durable, versioned and in the feed, against servers that promise less. Subversion promises the most of
 * them: durable and versioned.
 */
export const put4k: BenchCase = {
  id: 'put-4k',
  measures: 'PUT of new 4 KiB files, in requests per second',
  async run(bench) {
    await using stoa = await bench.startStoa();
    await using controls = await startControls([
      () => startNginx(bench.workbench, mostConnections),
      () => startApache(bench.workbench, mostConnections),
      () => startApacheSubversion(bench.workbench, mostConnections),
      async () => ({ kind: 'side', side: await startFilePerWrite(bench.workbench, mostConnections) }),
    ]);
    await using alongside = (await bench.comparison?.start()) ?? null;
    const reports: CaseReport[] = [];
    for (const connections of numbersOfConnections) {
      reports.push(await compareAt(bench, connections, { stoa, controls, comparison: alongside }));
    }
    return { rows: reports.flatMap(({ rows }) => rows), raw: reports.map(({ raw }) => raw) };
  },
};

interface Sides {
  readonly stoa: Side;
  readonly controls: Controls;
  readonly comparison: ComparisonSide | null;
}

/** Each number of connections has its own range of file numbers: no path is written twice. */
const rangePerConnection = 1_000_000;

async function compareAt(
  bench: Bench,
  connections: number,
  { stoa, controls, comparison: alongside }: Sides,
): Promise<CaseReport> {
  const sides = [stoa, ...controls.running, ...(alongside === null ? [] : [alongside])];
  const contestants = sides.map((side) =>
    steadyRound(bench, side, connections, 201, (sent) => ({
      kind: 'put-new',
      ...side.files,
      bodyBytes,
      first: connections * rangePerConnection + sent,
    })),
  );
  const rounds = await alternate(contestants, { rounds: bench.rounds, settle: true });
  const figure = `PUT 4 KiB, ${connections} connections`;
  return {
    rows: [
      ...controls.all.map((control, at) =>
        compareOptional(figure, rounds, [stoa.name, control], requestRate, targets[at] ?? null),
      ),
      ...(alongside === null ? [] : comparisonRows(figure, rounds, [stoa.name, alongside], costTarget)),
    ],
    raw: { connections, turns: Object.fromEntries(rounds) },
  };
}
