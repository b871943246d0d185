import { mkdtemp, open, rm, statfs } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, platform, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';

/** What the figures were measured on. */
export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly memoryBytes: number;
  readonly system: string;
  readonly node: string;
  /** Whether files are written to memory only: durable writes then cost nothing, and their figures mean nothing. */
  readonly filesInMemory: boolean;
  /** What making 4 KiB durable costs at the end of a file, the median in milliseconds: durable figures hang on it. */
  readonly fsyncMs: number;
  /** Runnable processes in the minute before: with others at work, every ratio is unsure. */
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

/** What makes this run's figures doubtful, in sentences. */
export function doubtsAbout({ filesInMemory, loadBefore, cores }: Machine): readonly string[] {
  return [
    ...(filesInMemory
      ? ['TMPDIR is in memory: durable writes cost nothing there, so judge no PUT by this run']
      : []),
    ...(loadBefore > cores / 4
      ? [
          `others keep the machine busy (load ${loadBefore.toFixed(1)} on ${cores} cores): repeat this run when it is quiet`,
        ]
      : []),
  ];
}
