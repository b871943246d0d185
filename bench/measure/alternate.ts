import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Contestant<Result> {
  readonly name: string;
  readonly measure: () => Promise<Result>;
}

/** The results of each contestant in the order of the rounds. */
export type Rounds<Result> = ReadonlyMap<string, readonly Result[]>;

/**
 * Runs the contestants in rotation, A B C A B C …, so that a change in the machine's speed affects all of them.
 * A first round, which warms caches and compilers, does not count.
 * @param settle whether to write all dirty pages to disk before each measurement, so that no contestant pays for the
 *   bytes of the previous one.
 */
export async function alternate<Result>(
  contestants: readonly Contestant<Result>[],
  { rounds, settle }: { readonly rounds: number; readonly settle: boolean },
): Promise<Rounds<Result>> {
  const results = new Map(contestants.map(({ name }) => [name, [] as Result[]]));
  for (let round = -1; round < rounds; round += 1) {
    for (const { name, measure } of contestants) {
      if (settle) await run('sync');
      const result = await measure();
      if (round >= 0) results.get(name)?.push(result);
    }
  }
  return results;
}
