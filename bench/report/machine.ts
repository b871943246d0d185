import { mkdtemp, open, rm, statfs } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, platform, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';

/** The machine of the measurements. */
export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly memoryBytes: number;
  readonly system: string;
  readonly node: string;
  /** Whether files are only in memory: then durable writes are free, and their figures mean nothing. */
  readonly filesInMemory: boolean;
  /** The median time in milliseconds to append 4 KiB durably to a file. Figures of durable writes depend on it. */
  readonly fsyncMs: number;
  /** The load average of the minute before: on a busy machine every ratio is uncertain. */
  readonly loadBefore: number;
}

const tmpfsType = 0x0102_1994;
const fsyncs = 100;

export async function describeMachine(): Promise<Machine> {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? 'unknown',
    memoryBytes: totalmem(),
    system: `${platform()} ${release()}`,
    node: process.version,
    filesInMemory: (await statfs(tmpdir())).type === tmpfsType,
    fsyncMs: await measureFsyncMs(),
    loadBefore: loadavg()[0] ?? 0,
  };
}

async function measureFsyncMs(): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'stoa-bench-fsync-'));
  try {
    await using file = await open(join(directory, 'file'), 'wx');
    const block = Buffer.alloc(4096, 'x');
    const times: number[] = [];
    for (let count = 0; count < fsyncs; count += 1) {
      await file.write(block);
      const startedAt = performance.now();
      await file.datasync();
      times.push(performance.now() - startedAt);
    }
    return times.sort((a, b) => a - b)[fsyncs / 2] ?? 0;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Returns warnings about the reliability of this run's figures. */
export function doubtsAbout({ filesInMemory, loadBefore, cores }: Machine): readonly string[] {
  return [
    ...(filesInMemory
      ? ['TMPDIR is in memory: durable writes cost nothing there, so judge no PUT by this run']
      : []),
    ...(loadBefore > cores / 4
      ? [`the machine is busy (load ${loadBefore.toFixed(1)} on ${cores} cores): repeat the run when idle`]
      : []),
  ];
}
