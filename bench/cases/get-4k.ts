import { atLeast, type Bench, type BenchCase, type Row } from '../bench-case.ts';
import { compareRow, missingRow } from '../measure/compare.ts';
import { type SteadyResult, steadyTurn } from '../measure/steady-turn.ts';
import { takeTurns } from '../measure/take-turns.ts';
import type { Side } from '../sides/side.ts';
import { startApache } from '../sides/start-apache.ts';
import { startBareHttp } from '../sides/start-bare-http.ts';

const bodyBytes = 4096;
const connections = 32;
const figure = `GET 4 KiB, ${connections} connections`;

/** One 4 KiB file read with an API key, looked up anew for every request. */
export const get4k: BenchCase = {
  id: 'get-4k',
  measures: 'GET of a 4 KiB file, in requests per second',
  async run(bench) {
    await using stoa = await bench.startStoa();
    await using bare = await startBareHttp(bench.workbench, bodyBytes);
    const apache = await startApache(bench.workbench, 1);
    try {
      const fileSides = apache.kind === 'side' ? [stoa, apache.side] : [stoa];
      for (const side of fileSides) await putOne(bench, side);
      const contestants = [...fileSides, bare].map((side) =>
        steadyTurn(bench, side, connections, 200, () => ({
          kind: 'get',
          targets: [`${side.files.root}/c00/000000000.bin`],
          headers: side.files.headers,
        })),
      );
      const turns = await takeTurns(contestants, { rounds: bench.rounds, settle: false });
      const rate = (result: SteadyResult) => result.requestsPerSecond;
      const overApache: Row =
        apache.kind === 'missing'
          ? missingRow(figure, apache.missing, atLeast(1))
          : compareRow(figure, turns, [stoa.name, apache.side.name], rate, atLeast(1));
      return {
        rows: [compareRow(figure, turns, [stoa.name, bare.name], rate, atLeast(0.6)), overApache],
        raw: Object.fromEntries(turns),
      };
    } finally {
      if (apache.kind === 'side') await apache.side[Symbol.asyncDispose]();
    }
  },
};

async function putOne(bench: Bench, side: Side): Promise<void> {
  await bench.generator.run({
    port: side.port,
    connections: 1,
    requests: { kind: 'put-new', ...side.files, bodyBytes, first: 0 },
    expect: [201],
    secondsMax: 30,
    requestsMax: 1,
    pauseMs: 0,
  });
}
