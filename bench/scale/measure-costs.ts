import { writeFile } from 'node:fs/promises';
import { Client } from 'pg';
import type { LoadJob, RequestSource } from '../load/load-job.ts';
import { openGenerator } from '../load/open-generator.ts';
import { readCpuSeconds } from '../measure/cpu-seconds.ts';
import { describeMachine } from '../report/machine.ts';
import { openDatabases } from '../sides/open-databases.ts';
import { startStoaNodes } from '../sides/start-stoa-nodes.ts';
import { openWorkbench } from '../workbench.ts';
import type { MeasuredCosts, RequestCost, TableBytes, WriteCost } from './measured-costs.ts';

/**
 * `npx -c 'node bench/scale/measure-costs.ts'` measures the costs for the model in docs/scale.md with the service and a
 * temporary PostgreSQL server, and writes them next to this file. It takes a few minutes.
 */
const file = new URL('./measured-costs.json', import.meta.url);
const workspaces = 100;
const smallFiles = 30_000;
const furtherVersions = 15_000;
const largeFiles = 1_000;
const smallBytes = 4096;
/** Just above the limit for bytes in the database. */
const largeBytes = 65_537;
const requests = 20_000;
const connections = 64;
const secondsMax = 600;
const created = 201;
const updated = 200;

await using workbench = await openWorkbench();
const databases = await openDatabases(workbench, { kind: 'embedded' });
const url = await databases.create();
await using nodes = await startStoaNodes(workbench, { count: 1, databaseUrl: url, profileDirectory: null });
const generator = openGenerator(workbench);
const client = new Client({ connectionString: url });
await client.connect();
const { headers } = nodes;

const many = await makeWorkspaces(workspaces);
const [hot = ''] = await makeWorkspaces(1);

const storage = {
  newSmallFile: await measureGrowth(smallFiles, async () => {
    await run(put(many, smallBytes, 0), created, smallFiles);
  }),
  // Before the versions, because these leave free space behind that new rows would fill.
  newLargeFile: await measureGrowth(largeFiles, async () => {
    await run(put(many, largeBytes, smallFiles), created, largeFiles);
  }),
  newSmallVersion: await measureGrowth(furtherVersions, async () => {
    await run(put(many, smallBytes, 0, ['If-Match: 1']), updated, furtherVersions);
  }),
};
const first = smallFiles + largeFiles;
// A first run without counting, to warm up compilers and prepared statements.
await run(put(many, smallBytes, first), created, requests / 10);
const writesToMany = await measureWrites(put(many, smallBytes, first + requests));
const writesToOne = await measureWrites(put([hot], smallBytes, 0));
const target = (rest: string): RequestSource => ({ kind: 'get', targets: [rest], headers });
const read = await measure(target(`${many[0]}/files/000000000.bin`), 200);
const idlePoll = await measure(target(`${many[0]}/changes?sinceSeq=${Number.MAX_SAFE_INTEGER}`), 200);
const sessionsOfNode = await numberOf(
  `select count(*) as value from pg_stat_activity where datname = current_database() and application_name = 'stoa'`,
);
await client.end();

const machine = await describeMachine();
const costs: MeasuredCosts = {
  measuredAt: new Date().toISOString(),
  machine: `${machine.cores} cores (${machine.processor}), load ${machine.loadBefore.toFixed(1)}, ${machine.system}, Node ${machine.node}, fsync ${machine.fsyncMs.toFixed(2)} ms`,
  database: databases.version,
  storage,
  writesToOne,
  writesToMany,
  read,
  idlePoll,
  sessionsOfNode,
};
await writeFile(file, `${JSON.stringify(costs, null, 2)}\n`);
console.log(JSON.stringify(costs, null, 2));

async function makeWorkspaces(count: number): Promise<readonly string[]> {
  const made: string[] = [];
  while (made.length < count) made.push(await nodes.createWorkspace());
  return made;
}

function put(
  into: readonly string[],
  bodyBytes: number,
  first: number,
  more: readonly string[] = [],
): RequestSource {
  const roots = into.map((workspace) => `${workspace}/files`);
  return { kind: 'put-spread', roots, headers: [...headers, ...more], bodyBytes, first };
}

async function run(source: RequestSource, expect: number, requestsMax: number) {
  const job: LoadJob = {
    port: nodes.ports,
    connections,
    requests: source,
    expect: [expect],
    secondsMax,
    requestsMax,
    pauseMs: 0,
  };
  return await generator.run(job);
}

/** Returns the growth of each table per operation, for tables that grew. */
async function measureGrowth(operations: number, work: () => Promise<void>): Promise<TableBytes> {
  const before = await tableBytes();
  await work();
  const after = await tableBytes();
  const growth = [...after].map(([table, bytes]) => [table, bytes - (before.get(table) ?? 0)] as const);
  return Object.fromEntries(
    growth.filter(([, bytes]) => bytes > 0).map(([table, bytes]) => [table, Math.round(bytes / operations)]),
  );
}

async function tableBytes(): Promise<ReadonlyMap<string, number>> {
  await client.query('vacuum analyze');
  const { rows } = await client.query({
    text: `select relname as name, pg_total_relation_size(oid) as bytes from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  });
  return new Map(rows.map(({ name, bytes }) => [String(name), Number(bytes)]));
}

async function measureWrites(source: RequestSource): Promise<WriteCost> {
  // After a checkpoint each page is logged whole once, which is part of the cost of a write.
  await client.query('checkpoint');
  const read = async () => ({
    commits: await numberOf('select count(*) as value from commit_attempt'),
    wal: await numberOf(`select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as value`),
  });
  const before = await read();
  const cost = await measure(source, created);
  const after = await read();
  return {
    ...cost,
    writesPerCommit: rounded(requests / (after.commits - before.commits)),
    walBytes: Math.round((after.wal - before.wal) / requests),
  };
}

async function measure(source: RequestSource, expect: number): Promise<RequestCost> {
  const [node = 0] = nodes.pids;
  const readCpu = async () => [await cpuSeconds(node), await cpuSeconds(databases.serverPid ?? 0)] as const;
  const [nodeBefore, databaseBefore] = await readCpu();
  const { requestsPerSecond } = await run(source, expect, requests);
  const [nodeAfter, databaseAfter] = await readCpu();
  const perRequest = (seconds: number) => Math.round((seconds * 1e6) / requests);
  return {
    requestsPerSecond: Math.round(requestsPerSecond),
    nodeCpuMicroseconds: perRequest(nodeAfter - nodeBefore),
    databaseCpuMicroseconds: perRequest(databaseAfter - databaseBefore),
  };
}

async function cpuSeconds(pid: number): Promise<number> {
  const seconds = await readCpuSeconds(pid);
  if (seconds === null) throw new Error('this system does not report processor time');
  return seconds;
}

async function numberOf(query: string): Promise<number> {
  const { rows } = await client.query({ text: query });
  return Number(rows[0]?.value);
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
