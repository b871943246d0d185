import { atMost, type Bench, type BenchCase } from '../bench-case.ts';
import type { LoadResult } from '../load/load-job.ts';
import { alternate, type Contestant } from '../measure/alternate.ts';
import { compareRow } from '../measure/compare.ts';
import { seedWorkspace } from '../seed/seed-workspace.ts';

const fewFiles = 1000;
const filesPerRound = 2000;
const connections = 32;
const bodyBytes = 4096;
/** Many short measurements, because a small workspace does not stay small for long. */
const roundsFactor = 4;

/** Writes new 4 KiB files across the folders of a small and of a large workspace, on one server. */
export const putIntoMany: BenchCase = {
  id: 'put-into-many',
  measures: 'PUT of new 4 KiB files by the size of the workspace, in time per request',
  async run(bench) {
    const stoa = await bench.seeded.server();
    const large = await bench.seeded.workspace(bench.manyFiles);
    let first = bench.manyFiles;
    const few: Contestant<LoadResult> = {
      name: `into ${fewFiles} files`,
      measure: async () => put(bench, await seedWorkspace(bench.generator, stoa, fewFiles), fewFiles),
    };
    const many: Contestant<LoadResult> = {
      name: `into ${bench.manyFiles} files`,
      async measure() {
        const result = await put(bench, large, first);
        first += result.sent;
        return result;
      },
    };
    const rounds = await alternate([few, many], { rounds: bench.rounds * roundsFactor, settle: true });
    const time = (result: LoadResult) => result.elapsedMs / result.requests;
    return {
      rows: [compareRow(`PUT 4 KiB ${many.name}`, rounds, [many.name, few.name], time, atMost(1.3))],
      raw: Object.fromEntries(rounds),
    };
  },
};

async function put(bench: Bench, workspace: string, first: number): Promise<LoadResult> {
  const { port, headers } = await bench.seeded.server();
  return bench.generator.run({
    port,
    connections,
    requests: { kind: 'put-tree', root: `${workspace}/files`, headers, bodyBytes, first },
    expect: [201],
    secondsMax: 120,
    requestsMax: filesPerRound,
    pauseMs: 0,
  });
}
