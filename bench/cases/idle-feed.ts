import { atLeast, type BenchCase } from '../bench-case.ts';
import { compareRow } from '../measure/compare.ts';
import { steadyTurn } from '../measure/steady-turn.ts';
import { takeTurns } from '../measure/take-turns.ts';
import { startBareHttp } from '../sides/start-bare-http.ts';

const connections = 32;
/** As long as the answer of an idle poll. */
const answerBytes = 40;

/** The poll of a client that is up to date: nothing new after its cursor. */
export const idleFeed: BenchCase = {
  id: 'idle-feed',
  measures: 'feed poll with the cursor at the head, in requests per second',
  async run(bench) {
    await using stoa = await bench.startStoa();
    await using bare = await startBareHttp(bench.workbench, answerBytes);
    const written = 100;
    await bench.generator.run({
      port: stoa.port,
      connections: 1,
      requests: { kind: 'put-new', ...stoa.files, bodyBytes: 64, first: 0 },
      expect: [201],
      secondsMax: 60,
      requestsMax: written,
      pauseMs: 0,
    });
    const target = `${stoa.files.root.replace(/\/files$/, '')}/changes?sinceSeq=${written}`;
    const contestants = [stoa, bare].map((side) =>
      steadyTurn(bench, side, connections, 200, () => ({
        kind: 'get',
        targets: [target],
        headers: side.files.headers,
      })),
    );
    const turns = await takeTurns(contestants, { rounds: bench.rounds, settle: false });
    const figure = `idle feed poll, ${connections} connections`;
    return {
      rows: [
        compareRow(figure, turns, [stoa.name, bare.name], (result) => result.requestsPerSecond, atLeast(0.6)),
      ],
      raw: Object.fromEntries(turns),
    };
  },
};
