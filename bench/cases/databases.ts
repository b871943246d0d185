import type { Bench, BenchCase, CaseReport } from '../bench-case.ts';
import type { RequestSource } from '../load/load-job.ts';
import { alternate } from '../measure/alternate.ts';
import { compareRow } from '../measure/compare.ts';
import { type NodesResult, nodesRound } from '../measure/nodes-round.ts';
import { openDatabases } from '../sides/open-databases.ts';
import { type StoaNodes, startStoaNodes } from '../sides/start-stoa-nodes.ts';

const bodyBytes = 4096;
/** Files in the hot workspace before the measurements, among them the file that is read. */
const filesBefore = 100;
const manyWorkspaces = 64;
const sqlite = 'SQLite, 1 node';
const one = 'PostgreSQL, 1 node';
const three = 'PostgreSQL, 3 nodes';

/** A server of one kind, with its workspaces. */
interface Contender {
  readonly name: string;
  readonly nodes: StoaNodes;
  readonly hot: string;
  readonly many: readonly string[];
}

interface Figure {
  readonly figure: string;
  readonly connections: number;
  readonly expect: number;
  readonly settle: boolean;
  readonly requests: (contender: Contender, sent: number) => RequestSource;
}

const figures: readonly Figure[] = [
  {
    figure: 'PUT 4 KiB, 64 connections, one workspace',
    connections: 64,
    expect: 201,
    settle: true,
    requests: ({ hot, nodes }, sent) => put([hot], nodes, filesBefore + sent),
  },
  {
    figure: `PUT 4 KiB, 64 connections, ${manyWorkspaces} workspaces`,
    connections: 64,
    expect: 201,
    settle: true,
    requests: ({ many, nodes }, sent) => put(many, nodes, sent),
  },
  {
    figure: 'GET 4 KiB, 32 connections',
    connections: 32,
    expect: 200,
    settle: false,
    requests: ({ hot, nodes }) => get(nodes, `${hot}/files/${fileName(0)}`),
  },
  {
    figure: 'idle feed poll, 32 connections',
    connections: 32,
    expect: 200,
    settle: false,
    requests: ({ many: [workspace = ''], nodes }) =>
      get(nodes, `${workspace}/changes?sinceSeq=${Number.MAX_SAFE_INTEGER}`),
  },
];

/** Alternates between the same server on both databases, and on PostgreSQL with several nodes. */
export const databases: BenchCase = {
  id: 'databases',
  measures: 'writes, reads and polls on PostgreSQL, 1 and 3 nodes, against SQLite (with --database)',
  async run(bench) {
    if (bench.database === null) throw new Error('--database must name a PostgreSQL server');
    const postgres = await openDatabases(bench.workbench, bench.database);
    await using onSqlite = await start(bench, sqlite, 1, null);
    await using onOne = await start(bench, one, 1, await postgres.create());
    await using onThree = await start(bench, three, 3, await postgres.create());
    const contenders = [onSqlite, onOne, onThree];
    const reports: CaseReport[] = [];
    for (const figure of figures)
      reports.push(await compareFigure(bench, figure, contenders, postgres.serverPid));
    return {
      rows: reports.flatMap(({ rows }) => rows),
      raw: { server: postgres.version, figures: reports.map(({ raw }) => raw) },
    };
  },
};

async function compareFigure(
  bench: Bench,
  { figure, connections, expect, settle, requests }: Figure,
  contenders: readonly Contender[],
  serverPid: number | null,
): Promise<CaseReport> {
  const contestants = contenders.map((contender) =>
    nodesRound(bench, {
      name: contender.name,
      nodes: contender.nodes,
      databasePid: contender.name === sqlite ? null : serverPid,
      connections,
      expect,
      requests: (sent) => requests(contender, sent),
    }),
  );
  const rounds = await alternate(contestants, { rounds: bench.rounds, settle });
  const row = (of: string, to: string) =>
    compareRow<NodesResult>(
      `${figure}: ${of}`,
      rounds,
      [of, to],
      ({ requestsPerSecond }) => requestsPerSecond,
      null,
    );
  return {
    rows: [row(one, sqlite), row(three, sqlite), row(three, one)],
    raw: { figure, connections, turns: Object.fromEntries(rounds) },
  };
}

async function start(
  bench: Bench,
  name: string,
  count: number,
  databaseUrl: string | null,
): Promise<Contender & AsyncDisposable> {
  const { workbench, generator, profile: profileDirectory } = bench;
  const nodes = await startStoaNodes(workbench, { count, databaseUrl, profileDirectory });
  const hot = await nodes.createWorkspace();
  const many: string[] = [];
  for (let made = 0; made < manyWorkspaces; made += 1) many.push(await nodes.createWorkspace());
  await generator.run({
    port: nodes.ports,
    connections: 1,
    requests: put([hot], nodes, 0),
    expect: [201],
    secondsMax: 60,
    requestsMax: filesBefore,
    pauseMs: 0,
  });
  return { name, nodes, hot, many, [Symbol.asyncDispose]: () => nodes[Symbol.asyncDispose]() };
}

function put(workspaces: readonly string[], { headers }: StoaNodes, first: number): RequestSource {
  const roots = workspaces.map((workspace) => `${workspace}/files`);
  return { kind: 'put-spread', roots, headers, bodyBytes, first };
}

function get({ headers }: StoaNodes, target: string): RequestSource {
  return { kind: 'get', targets: [target], headers };
}

function fileName(number: number): string {
  return `${String(number).padStart(9, '0')}.bin`;
}
