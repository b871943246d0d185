import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Contestant<Result> {
  readonly name: string;
  readonly turn: () => Promise<Result>;
}

/** Per contestant, its results in the order of the rounds. */
export type Turns<Result> = ReadonlyMap<string, readonly Result[]>;

/**
 * Lets the contestants take turns, A B C A B C …, so that a machine that slows down or speeds up does so for all.
 * A round before the first, for caches and compilers to warm up, is not counted.
 * @param settle whether what is still to be written to disk is written before each turn, so that no contestant pays
 *   for the bytes that the one before left in memory.
 */
export async function takeTurns<Result>(
  contestants: readonly Contestant<Result>[],
  { rounds, settle }: { readonly rounds: number; readonly settle: boolean },
): Promise<Turns<Result>> {
  const results = new Map(contestants.map(({ name }) => [name, [] as Result[]]));
  for (let round = -1; round < rounds; round += 1) {
    for (const { name, turn } of contestants) {
      if (settle) await run('sync');
      const result = await turn();
      if (round >= 0) results.get(name)?.push(result);
    }
  }
  return results;
}
