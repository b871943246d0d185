import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { readCpuSeconds } from './cpu-seconds.ts';

const run = promisify(execFile);
/** Below this share of a core a server does no background work. */
const idleShareMax = 0.05;
const idleLookMs = 500;
const idleWithinMs = 120_000;

export interface Contestant<Result> {
  readonly name: string;
  /** The server's process, if its background work should end before another contestant is measured. */
  readonly pid?: number | null;
  readonly measure: () => Promise<Result>;
}

/** The results of each contestant in the order of the rounds. */
export type Rounds<Result> = ReadonlyMap<string, readonly Result[]>;

/**
 * Runs the contestants in rotation, A B C A B C …, so that a change in the machine's speed affects all of them.
 * A first round, which warms caches and compilers, does not count.
 * @param settle whether to write all dirty pages to disk before each measurement, and to wait until the servers are idle,
 *   so that no contestant pays for the bytes and the background work of the previous one.
 */
export async function alternate<Result>(
  contestants: readonly Contestant<Result>[],
  { rounds, settle }: { readonly rounds: number; readonly settle: boolean },
): Promise<Rounds<Result>> {
  const results = new Map(contestants.map(({ name }) => [name, [] as Result[]]));
  for (let round = -1; round < rounds; round += 1) {
    for (const { name, measure } of contestants) {
      if (settle) {
        await untilIdle(contestants.flatMap(({ pid }) => pid ?? []));
        await run('sync');
      }
      const result = await measure();
      if (round >= 0) results.get(name)?.push(result);
    }
  }
  return results;
}

async function untilIdle(pids: readonly number[]): Promise<void> {
  const used = async () => {
    const seconds = await Promise.all(pids.map(readCpuSeconds));
    return seconds.reduce<number>((sum, each) => sum + (each ?? 0), 0);
  };
  const giveUpAt = performance.now() + idleWithinMs;
  for (let before = await used(); performance.now() < giveUpAt; ) {
    await pause(idleLookMs);
    const after = await used();
    if ((after - before) * 1000 < idleShareMax * idleLookMs) return;
    before = after;
  }
}
