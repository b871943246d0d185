import { statfs } from 'node:fs/promises';
import { availableParallelism, cpus, platform, release, tmpdir, totalmem } from 'node:os';

/** What the figures were measured on. */
export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly memoryBytes: number;
  readonly system: string;
  readonly node: string;
  /** Whether files are written to memory only: durable writes then cost nothing, and their figures mean nothing. */
  readonly filesInMemory: boolean;
}

const tmpfsType = 0x0102_1994;

export async function describeMachine(): Promise<Machine> {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? 'unknown',
    memoryBytes: totalmem(),
    system: `${platform()} ${release()}`,
    node: process.version,
    filesInMemory: (await statfs(tmpdir())).type === tmpfsType,
  };
}
