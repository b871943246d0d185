import {
  atLeast,
  type Bench,
  type BenchCase,
  type CaseReport,
  type Row,
  type Target,
} from '../bench-case.ts';
import { compareRow, missingRow } from '../measure/compare.ts';
import { type SteadyResult, steadyTurn } from '../measure/steady-turn.ts';
import { takeTurns } from '../measure/take-turns.ts';
import type { OptionalSide, Side } from '../sides/side.ts';
import { startApache } from '../sides/start-apache.ts';
import { startFilePerWrite } from '../sides/start-file-per-write.ts';
import { startNginx } from '../sides/start-nginx.ts';

const bodyBytes = 4096;
const mostConnections = 64;

interface Targets {
  readonly connections: number;
  readonly nginx: Target;
  readonly apache: Target;
  readonly filePerWrite: Target;
}

const targets: readonly Targets[] = [
  { connections: 32, nginx: atLeast(1.2), apache: atLeast(1.7), filePerWrite: atLeast(12) },
  { connections: 64, nginx: atLeast(1.7), apache: atLeast(1.7), filePerWrite: atLeast(12) },
];

/** New files of 4 KiB each: durable, versioned and in the feed, against servers that promise less. */
export const put4k: BenchCase = {
  id: 'put-4k',
  measures: 'PUT of new 4 KiB files, in requests per second',
  async run(bench) {
    await using stoa = await bench.startStoa();
    await using filePerWrite = await startFilePerWrite(bench.workbench, mostConnections);
    const nginx = await startNginx(bench.workbench, mostConnections);
    const apache = await startApache(bench.workbench, mostConnections);
    try {
      const reports: CaseReport[] = [];
      for (const target of targets) {
        reports.push(await compareAt(bench, target, { stoa, filePerWrite, nginx, apache }));
      }
      return { rows: reports.flatMap(({ rows }) => rows), raw: reports.map(({ raw }) => raw) };
    } finally {
      for (const control of [nginx, apache])
        if (control.kind === 'side') await control.side[Symbol.asyncDispose]();
    }
  },
};

interface Sides {
  readonly stoa: Side;
  readonly filePerWrite: Side;
  readonly nginx: OptionalSide;
  readonly apache: OptionalSide;
}

/** Numbers of files at different numbers of connections lie in ranges of their own: no path is written twice. */
const rangePerConnection = 1_000_000;

async function compareAt(bench: Bench, target: Targets, sides: Sides): Promise<CaseReport> {
  const { connections } = target;
  const optional = [sides.nginx, sides.apache];
  const present = optional.flatMap((control) => (control.kind === 'side' ? [control.side] : []));
  const contestants = [sides.stoa, sides.filePerWrite, ...present].map((side) =>
    steadyTurn(bench, side, connections, 201, (sent) => ({
      kind: 'put-new',
      ...side.files,
      bodyBytes,
      first: connections * rangePerConnection + sent,
    })),
  );
  const turns = await takeTurns(contestants, { rounds: bench.rounds, settle: true });
  const figure = `PUT 4 KiB, ${connections} connections`;
  const row = (control: OptionalSide, wanted: Target): Row =>
    control.kind === 'missing'
      ? missingRow(figure, control.missing, wanted)
      : compareRow<SteadyResult>(figure, turns, [sides.stoa.name, control.side.name], requestRate, wanted);
  return {
    rows: [
      row(sides.nginx, target.nginx),
      row(sides.apache, target.apache),
      row({ kind: 'side', side: sides.filePerWrite }, target.filePerWrite),
    ],
    raw: { connections, turns: Object.fromEntries(turns) },
  };
}

function requestRate(result: SteadyResult): number {
  return result.requestsPerSecond;
}
