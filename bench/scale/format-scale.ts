import { type Budget, computeScale, type Installation, type Scale } from './compute-scale.ts';
import type { MeasuredCosts, RequestCost, TableBytes, WriteCost } from './measured-costs.ts';

/** The assumptions about a thousand workspaces. Change them for another case. */
const installation: Installation = {
  workspaces: 1_000,
  files: 1_000_000,
  versionsPerFile: 3,
  largeShare: 0.2,
  meanLargeBytes: 1_000_000,
  clients: 1_000,
  pollSeconds: 2,
  writesPerSecond: 20,
  readsPerSecond: 100,
};
const budget: Budget = {
  nodeShare: 0.6,
  databaseCores: 32,
  databaseBytes: 4e12,
  walBytesPerSecond: 100e6,
  databaseConnections: 1_000,
  poolOfNode: 20,
};
const times = [1, 10, 100, 1_000];

/** Formats the measured costs as a Markdown table. */
export function formatMeasured(costs: MeasuredCosts): string {
  const { storage, writesToOne, writesToMany, read, idlePoll } = costs;
  const written = (name: string, bytes: TableBytes) =>
    row(name, [
      ...['file', 'file_version', 'change', 'blob'].map((table) => String(bytes[table] ?? 0)),
      String(bytes.commit_attempt ?? 0),
    ]);
  const asked = (name: string, cost: RequestCost | WriteCost) =>
    row(name, [
      String(cost.nodeCpuMicroseconds),
      String(cost.databaseCpuMicroseconds),
      'walBytes' in cost ? String(cost.walBytes) : '',
      'walBytes' in cost ? String(cost.writesPerCommit) : '',
      cost.requestsPerSecond.toLocaleString('en-US'),
    ]);
  return [
    `${costs.measuredAt.slice(0, 10)}: ${costs.machine}; ${costs.database.split(' on ')[0]}.`,
    '',
    row('Bytes on disk for each', ['`file`', '`file_version`', '`change`', '`blob`', 'marks, for an hour']),
    rule(6),
    written('new file of 4 KiB', storage.newSmallFile),
    written('further version of it', storage.newSmallVersion),
    written('new file beyond 64 KiB, without its bytes', storage.newLargeFile),
    '',
    row('Each', ['node, µs', 'database, µs', 'log, bytes', 'writes per commit', 'a second, on two cores']),
    rule(6),
    asked('PUT of 4 KiB, one workspace', writesToOne),
    asked('PUT of 4 KiB, 100 workspaces', writesToMany),
    asked('GET of 4 KiB', read),
    asked('idle feed poll', idlePoll),
  ].join('\n');
}

/** Formats the computed values for untested sizes as a Markdown table. */
export function formatComputed(costs: MeasuredCosts): string {
  const installations = times.map((factor) => ({
    ...installation,
    workspaces: installation.workspaces * factor,
    files: installation.files * factor,
    clients: installation.clients * factor,
    writesPerSecond: installation.writesPerSecond * factor,
    readsPerSecond: installation.readsPerSecond * factor,
  }));
  const scales = installations.map((wanted) => computeScale(costs, wanted, budget));
  const given = (name: string, cell: (wanted: Installation) => string) => row(name, installations.map(cell));
  const found = (name: string, cell: (scale: Scale) => string) => row(name, scales.map(cell));
  return [
    given('Workspaces', ({ workspaces }) => short(workspaces)),
    rule(times.length + 1),
    given('Files', ({ files }) => short(files)),
    given('Clients that poll every 2 s', ({ clients }) => short(clients)),
    given('Writes a second', ({ writesPerSecond }) => short(writesPerSecond)),
    given('Reads a second', ({ readsPerSecond }) => short(readsPerSecond)),
    found('Database', ({ databaseBytes }) => bytes(databaseBytes)),
    found('of that, contents up to 64 KiB', ({ ofThatSmallContents }) => bytes(ofThatSmallContents)),
    found('Object store', ({ objectBytes }) => bytes(objectBytes)),
    found('Objects', ({ objects }) => short(objects)),
    found('Polls a second', ({ pollsPerSecond }) => short(pollsPerSecond)),
    found('Nodes', ({ nodes }) => short(nodes)),
    found('Database cores in use', ({ databaseCores }) => databaseCores.toFixed(1)),
    found('of that, polls', ({ pollShare }) => `${Math.round(pollShare * 100)} %`),
    found('Write-ahead log', ({ walBytesPerSecond }) => `${bytes(walBytesPerSecond)}/s`),
    found('Connections, pool of 20', ({ connections }) => short(connections)),
    found('Databases needed', ({ shards, shardsBecauseOf }) =>
      shards === 1 ? '1' : `${shards} (${shardsBecauseOf})`,
    ),
  ].join('\n');
}

function row(name: string, cells: readonly string[]): string {
  return `| ${[name, ...cells].join(' | ')} |`;
}

function rule(columns: number): string {
  return row(
    '---',
    Array.from({ length: columns - 1 }, () => '---'),
  );
}

function short(value: number): string {
  return value >= 1e9 ? `${value / 1e9} billion` : value.toLocaleString('en-US');
}

function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, value)) / 3));
  const scaled = value / 1000 ** power;
  return `${scaled >= 100 ? scaled.toFixed(0) : scaled.toFixed(1)} ${units[power]}`;
}
