import type { MeasuredCosts, TableBytes } from './measured-costs.ts';

/** The assumed properties of an installation. None of them is measured. */
export interface Installation {
  readonly workspaces: number;
  readonly files: number;
  readonly versionsPerFile: number;
  /** The share of files above 64 KiB, whose bytes are in the object store. */
  readonly largeShare: number;
  readonly meanLargeBytes: number;
  /** Clients that are connected at the busiest time, and the interval of their polls. */
  readonly clients: number;
  readonly pollSeconds: number;
  /** At the busiest time, over all workspaces. */
  readonly writesPerSecond: number;
  readonly readsPerSecond: number;
}

/** The assumed load limits of one node and one database server before another one is added. */
export interface Budget {
  /** The share of the one processor that a node's main thread can use. */
  readonly nodeShare: number;
  readonly databaseCores: number;
  readonly databaseBytes: number;
  readonly walBytesPerSecond: number;
  readonly databaseConnections: number;
  readonly poolOfNode: number;
}

export interface Scale {
  readonly databaseBytes: number;
  readonly ofThatSmallContents: number;
  readonly objectBytes: number;
  readonly objects: number;
  readonly pollsPerSecond: number;
  readonly nodes: number;
  readonly databaseCores: number;
  /** The share of those cores that polls take. */
  readonly pollShare: number;
  readonly walBytesPerSecond: number;
  readonly connections: number;
  /** The number of database servers that the work needs, and the resource that limits it. */
  readonly shards: number;
  readonly shardsBecauseOf: 'storage' | 'processors' | 'log' | 'connections';
}

/** Extrapolates the measured costs linearly, without any effect of the size itself. */
export function computeScale(costs: MeasuredCosts, wanted: Installation, budget: Budget): Scale {
  const { storage, writesToMany, read, idlePoll } = costs;
  const { files, versionsPerFile, largeShare, clients, pollSeconds } = wanted;
  const furtherVersions = versionsPerFile - 1;
  const small = files * (1 - largeShare);
  const large = files * largeShare;
  const smallContents =
    small *
    (tableBytes(storage.newSmallFile, 'blob') +
      furtherVersions * tableBytes(storage.newSmallVersion, 'blob'));
  // A further version of a large file adds the rows of a new file, except the row of the file itself.
  const rowsOfLargeVersion = kept(storage.newLargeFile) - tableBytes(storage.newLargeFile, 'file');
  const databaseBytes =
    small * (kept(storage.newSmallFile) + furtherVersions * kept(storage.newSmallVersion)) +
    large * (kept(storage.newLargeFile) + furtherVersions * rowsOfLargeVersion);

  const pollsPerSecond = clients / pollSeconds;
  const cores = (microseconds: (cost: Cpu) => number) => {
    const polls = (pollsPerSecond * microseconds(idlePoll)) / 1e6;
    const reads = (wanted.readsPerSecond * microseconds(read)) / 1e6;
    const writes = (wanted.writesPerSecond * microseconds(writesToMany)) / 1e6;
    return { all: polls + reads + writes, polls };
  };
  const ofNodes = cores(({ nodeCpuMicroseconds }) => nodeCpuMicroseconds);
  const ofDatabase = cores(({ databaseCpuMicroseconds }) => databaseCpuMicroseconds);
  const nodes = Math.max(2, Math.ceil(ofNodes.all / budget.nodeShare));
  const walBytesPerSecond = wanted.writesPerSecond * writesToMany.walBytes;
  const connections = nodes * (budget.poolOfNode + 1);
  const asks = [
    ['storage', databaseBytes / budget.databaseBytes],
    ['processors', ofDatabase.all / budget.databaseCores],
    ['log', walBytesPerSecond / budget.walBytesPerSecond],
    ['connections', connections / budget.databaseConnections],
  ] as const;
  const [shardsBecauseOf, most] = asks.reduce((one, other) => (other[1] > one[1] ? other : one));
  return {
    databaseBytes,
    ofThatSmallContents: smallContents,
    objectBytes: large * versionsPerFile * wanted.meanLargeBytes,
    objects: large * versionsPerFile,
    pollsPerSecond,
    nodes,
    databaseCores: ofDatabase.all,
    pollShare: ofDatabase.all === 0 ? 0 : ofDatabase.polls / ofDatabase.all,
    walBytesPerSecond,
    connections,
    shards: Math.max(1, Math.ceil(most)),
    shardsBecauseOf,
  };
}

type Cpu = MeasuredCosts['read'];

function tableBytes(bytes: TableBytes, table: string): number {
  return bytes[table] ?? 0;
}

/** Sums the bytes without the records of commits, which expire after an hour. */
function kept(bytes: TableBytes): number {
  return Object.entries(bytes).reduce(
    (sum, [table, size]) => (table === 'commit_attempt' ? sum : sum + size),
    0,
  );
}
