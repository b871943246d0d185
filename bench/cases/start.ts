import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { buildServer } from '../../scripts/building/build-server.ts';
import { freePort } from '../../tests/support/free-port.ts';
import { atMost, type BenchCase, type Row } from '../bench-case.ts';
import { alternate } from '../measure/alternate.ts';
import { compareRow, resultsOf } from '../measure/compare.ts';
import { readCpuSeconds } from '../measure/cpu-seconds.ts';
import { readMemory } from '../measure/memory.ts';
import { runMeasured } from '../measure/run-measured.ts';
import { bareHttpProgram } from '../sides/start-bare-http.ts';
import { startProgram } from '../sides/start-program.ts';
import { limitRow, unmeasuredRow } from '../sync/rows.ts';
import { unpackCli } from '../sync/sync-desk.ts';
import type { Workbench } from '../workbench.ts';

/** The program that `npm start` runs. */
const stoaProgram = fileURLToPath(new URL('../../packages/server/bin/stoa-server.cjs', import.meta.url));
const restMs = 1500;
const megabyte = 1024 * 1024;
const names = { stoa: 'Stoa', bare: 'bare node:http', version: 'stoa --version', node: 'start of Node' };

interface Start {
  readonly seconds: number;
  /** Null on systems that have no /proc, like the memory. */
  readonly cpuSeconds: number | null;
  readonly restBytes: number | null;
}

/** Measures the start of the server until it responds and is idle, and the start of the CLI for `--version`. */
export const start: BenchCase = {
  id: 'start',
  measures: 'start of the server and its memory at rest; start of the command line',
  async run({ workbench, rounds }) {
    await buildServer();
    const data = await workbench.directory('stoa');
    const stoa = await unpackCli(workbench);
    const servers = await alternate(
      [
        { name: names.stoa, measure: () => startOf(workbench, [stoaProgram], data) },
        { name: names.bare, measure: () => startOf(workbench, [bareHttpProgram], data) },
      ],
      { rounds, settle: true },
    );
    const node = (...words: string[]) => runMeasured(workbench, { command: process.execPath, words });
    const programs = await alternate(
      [
        { name: names.version, measure: () => node(stoa, '--version') },
        { name: names.node, measure: () => node('-e', '0') },
      ],
      { rounds, settle: false },
    );
    const of = (name: string, value: (one: Start) => number | null) =>
      resultsOf(servers, name)
        .map(value)
        .filter((each) => each !== null);
    const rows: Row[] = [
      compareRow(
        'start of the server, until its first response',
        servers,
        [names.stoa, names.bare],
        (one) => one.seconds,
        null,
      ),
      shareRow(
        'start of the server, processor time',
        '1 s',
        of(names.stoa, (one) => one.cpuSeconds),
        1,
      ),
      shareRow(
        'memory at rest',
        '256 MiB',
        of(names.stoa, (one) => one.restBytes),
        256 * megabyte,
      ),
      compareRow(
        'stoa --version, processor time',
        programs,
        [names.version, names.node],
        (one) => one.cpuSeconds,
        null,
      ),
    ];
    return { rows, raw: { servers: Object.fromEntries(servers), programs: Object.fromEntries(programs) } };
  },
};

function shareRow(figure: string, limit: string, values: readonly number[], allowed: number): Row {
  return values.length === 0
    ? unmeasuredRow(figure, limit, 'this system has no /proc', atMost(1))
    : limitRow(figure, limit, values, allowed);
}

/** Starts a server, lets it become idle, and ends it: it writes the data for its next start at the end. */
async function startOf(workbench: Workbench, words: readonly string[], data: string): Promise<Start> {
  const port = await freePort();
  const startedAt = performance.now();
  const { child, pid } = await startProgram(
    workbench,
    process.execPath,
    // The arguments of the control: its port, and the size of its responses in bytes.
    [...words, String(port), '2'],
    port,
    { STOA_PORT: String(port), STOA_DATA_DIR: data, STOA_LOG_LEVEL: 'warn' },
  );
  const seconds = (performance.now() - startedAt) / 1000;
  await wait(restMs);
  const [cpuSeconds, memory] = [await readCpuSeconds(pid), await readMemory(pid)];
  await workbench.end(child);
  return { seconds, cpuSeconds, restBytes: memory?.nowBytes ?? null };
}
