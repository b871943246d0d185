import type { Bench, Row, Target } from '../bench-case.ts';
import type { LoadResult, RequestSource } from '../load/load-job.ts';
import type { ComparisonSide } from '../sides/comparison.ts';
import type { Side } from '../sides/side.ts';
import type { Contestant, Rounds } from './alternate.ts';
import { compareRow, resultsOf } from './compare.ts';
import { readCpuSeconds } from './cpu-seconds.ts';

/** The result of steady load, with the cost of each request for the server. */
export interface SteadyResult extends LoadResult {
  /** Processor time of the server and its children per response; null where the system does not report it. */
  readonly cpuMicrosecondsPerRequest: number | null;
}

/** A contestant that serves as many requests as it can for the bench's number of seconds. */
export function steadyRound(
  bench: Bench,
  side: Side,
  connections: number,
  expect: number,
  requests: (sent: number) => RequestSource,
): Contestant<SteadyResult> {
  let sent = 0;
  return {
    name: side.name,
    pid: side.pid,
    async measure() {
      const before = await readCpuSeconds(side.pid);
      const result = await bench.generator.run({
        port: side.port,
        connections,
        requests: requests(sent),
        expect: [expect],
        secondsMax: bench.seconds,
        requestsMax: Number.MAX_SAFE_INTEGER,
        pauseMs: 0,
      });
      const after = await readCpuSeconds(side.pid);
      sent += result.sent;
      const cpuSeconds = before === null || after === null ? null : after - before;
      return {
        ...result,
        cpuMicrosecondsPerRequest: cpuSeconds === null ? null : (cpuSeconds * 1e6) / result.requests,
      };
    },
  };
}

export function requestRate({ requestsPerSecond }: SteadyResult): number {
  return requestsPerSecond;
}

/**
 * Compares the figure with another commit, whose server makes the same guarantees. Only the commit before the work on
 * small requests has a target, for the processor time.
 */
export function comparisonRows(
  figure: string,
  rounds: Rounds<SteadyResult>,
  [of, alongside]: readonly [string, ComparisonSide],
  costTarget: Target,
): readonly Row[] {
  const to = alongside.name;
  const rate = compareRow(figure, rounds, [of, to], requestRate, null);
  const counted = [of, to].every((side) =>
    resultsOf(rounds, side).every(({ cpuMicrosecondsPerRequest }) => cpuMicrosecondsPerRequest !== null),
  );
  if (!counted) return [rate];
  const cpu = ({ cpuMicrosecondsPerRequest }: SteadyResult) => cpuMicrosecondsPerRequest ?? Number.NaN;
  return [
    rate,
    compareRow(`${figure}, processor time`, rounds, [of, to], cpu, alongside.isBaseline ? costTarget : null),
  ];
}
