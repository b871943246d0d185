import { atLeast, atMost, type Bench, type BenchCase, type Row } from '../bench-case.ts';
import type { LoadJob, LoadResult, RequestSource } from '../load/load-job.ts';
import { alternate, type Contestant } from '../measure/alternate.ts';
import { compareRow, missingRow, resultsOf } from '../measure/compare.ts';
import { readMemory, resetPeak } from '../measure/memory.ts';
import { shareOf } from '../measure/ratio.ts';
import type { Side } from '../sides/side.ts';
import { startFilePerWrite } from '../sides/start-file-per-write.ts';
import { startNginx } from '../sides/start-nginx.ts';

const bodyBytes = 100_000_000;
const growthBytesMax = 64 * 1024 * 1024;
const getsPerRound = 5;

interface LargeResult extends LoadResult {
  /** The largest growth of the server's memory during the measurement; null where the system does not report it. */
  readonly growthBytes: number | null;
}

/** Files at the default size limit, one at a time: streamed both ways, in constant memory. */
export const largeFiles: BenchCase = {
  id: 'large-files',
  measures: 'PUT and GET of 100 MB, in bytes per second, and how far memory rises',
  async run(bench) {
    await using stoa = await bench.startStoa();
    await using filePerWrite = await startFilePerWrite(bench.workbench, 1);
    const nginx = await startNginx(bench.workbench, 1);
    try {
      const controls = nginx.kind === 'side' ? [nginx.side] : [];
      const puts = await alternate(
        [stoa, ...controls, filePerWrite].map((side) => putRound(bench, side)),
        { rounds: bench.rounds, settle: true },
      );
      const gets = await alternate(
        [stoa, ...controls].map((side) => getRound(bench, side)),
        { rounds: bench.rounds, settle: false },
      );
      const rate = (result: LargeResult) => result.requestsPerSecond;
      const over = (figure: string, rounds: typeof puts): Row =>
        nginx.kind === 'missing'
          ? missingRow(figure, nginx.missing, atLeast(0.8))
          : compareRow(figure, rounds, [stoa.name, nginx.side.name], rate, atLeast(0.8));
      return {
        rows: [
          over('PUT 100 MB', puts),
          compareRow('PUT 100 MB', puts, [stoa.name, filePerWrite.name], rate, atLeast(0.8)),
          over('GET 100 MB', gets),
          growthRow('memory during PUT 100 MB', resultsOf(puts, stoa.name)),
          growthRow('memory during GET 100 MB', resultsOf(gets, stoa.name)),
        ],
        raw: { puts: Object.fromEntries(puts), gets: Object.fromEntries(gets) },
      };
    } finally {
      if (nginx.kind === 'side') await nginx.side[Symbol.asyncDispose]();
    }
  },
};

function putRound(bench: Bench, side: Side): Contestant<LargeResult> {
  let number = 0;
  return {
    name: side.name,
    measure() {
      number += 1;
      const target = `${side.files.root}/c00/large-${number}.bin`;
      return watched(
        bench,
        side,
        { kind: 'put-large', target, headers: side.files.headers, bodyBytes },
        1,
        201,
      );
    },
  };
}

function getRound(bench: Bench, side: Side): Contestant<LargeResult> {
  const targets = [`${side.files.root}/c00/large-1.bin`];
  return {
    name: side.name,
    measure: () =>
      watched(bench, side, { kind: 'get', targets, headers: side.files.headers }, getsPerRound, 200),
  };
}

async function watched(
  bench: Bench,
  side: Side,
  requests: RequestSource,
  requestsMax: number,
  status: number,
): Promise<LargeResult> {
  const job: LoadJob = {
    port: side.port,
    connections: 1,
    requests,
    expect: [status],
    secondsMax: 300,
    requestsMax,
    pauseMs: 0,
  };
  const before = await readMemory(side.pid);
  if (before === null) return { ...(await bench.generator.run(job)), growthBytes: null };
  await resetPeak(side.pid);
  const result = await bench.generator.run(job);
  const after = await readMemory(side.pid);
  return { ...result, growthBytes: after === null ? null : after.peakBytes - before.nowBytes };
}

function growthRow(figure: string, results: readonly LargeResult[]): Row {
  const against = '64 MiB';
  const growths = results.flatMap(({ growthBytes }) => (growthBytes === null ? [] : [growthBytes]));
  const target = atMost(1);
  if (growths.length < results.length) {
    return { figure, against, result: { kind: 'not_measured', reason: 'this system has no /proc' }, target };
  }
  return { figure, against, result: { kind: 'ratio', ratio: shareOf(growths, growthBytesMax) }, target };
}
