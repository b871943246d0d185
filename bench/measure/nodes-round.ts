import type { Bench } from '../bench-case.ts';
import type { LoadResult, RequestSource } from '../load/load-job.ts';
import type { StoaNodes } from '../sides/start-stoa-nodes.ts';
import type { Contestant } from './alternate.ts';
import { readCpuSeconds } from './cpu-seconds.ts';

/** The result of steady load on all nodes, with the cost of each request for nodes and database. */
export interface NodesResult extends LoadResult {
  /** Processor time of all nodes per response, in microseconds; null where the system does not report it. */
  readonly nodesCpuMicroseconds: number | null;
  /** Processor time of the database server per response; null if it runs on another machine or is not a server. */
  readonly databaseCpuMicroseconds: number | null;
}

export interface NodesRound {
  readonly name: string;
  readonly nodes: StoaNodes;
  readonly databasePid: number | null;
  readonly connections: number;
  readonly expect: number;
  readonly requests: (sent: number) => RequestSource;
}

export function nodesRound(bench: Bench, round: NodesRound): Contestant<NodesResult> {
  const { name, nodes, databasePid, connections, expect, requests } = round;
  const readNodes = () => cpuSecondsOf(nodes.pids);
  const readDatabase = () => cpuSecondsOf(databasePid === null ? [] : [databasePid]);
  let sent = 0;
  return {
    name,
    async measure() {
      const [nodesBefore, databaseBefore] = [await readNodes(), await readDatabase()];
      const result = await bench.generator.run({
        port: nodes.ports,
        connections,
        requests: requests(sent),
        expect: [expect],
        secondsMax: bench.seconds,
        requestsMax: Number.MAX_SAFE_INTEGER,
        pauseMs: 0,
      });
      const [nodesAfter, databaseAfter] = [await readNodes(), await readDatabase()];
      sent += result.sent;
      const perRequest = (before: number | null, after: number | null) =>
        before === null || after === null ? null : ((after - before) * 1e6) / result.requests;
      return {
        ...result,
        nodesCpuMicroseconds: perRequest(nodesBefore, nodesAfter),
        databaseCpuMicroseconds: perRequest(databaseBefore, databaseAfter),
      };
    },
  };
}

async function cpuSecondsOf(pids: readonly number[]): Promise<number | null> {
  const seconds = await Promise.all(pids.map(readCpuSeconds));
  if (seconds.length === 0) return null;
  return seconds.reduce<number | null>((sum, one) => (sum === null || one === null ? null : sum + one), 0);
}
