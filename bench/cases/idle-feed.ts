import { atLeast, atMost, type Bench, type BenchCase } from '../bench-case.ts';
import { compareRow } from '../measure/compare.ts';
import { besideRows, requestRate, steadyTurn } from '../measure/steady-turn.ts';
import { takeTurns } from '../measure/take-turns.ts';
import type { Side } from '../sides/side.ts';
import { startBareHttp } from '../sides/start-bare-http.ts';

const connections = 32;
/** The length of the response to an idle poll. */
const answerBytes = 40;
const written = 100;
/** As a share of the processor time before the work on small requests. */
const costTarget = atMost(0.45);

/** The poll of a client that is up to date: there are no changes after its cursor. */
export const idleFeed: BenchCase = {
  id: 'idle-feed',
  measures: 'feed poll with the cursor at the head, in requests per second',
  async run(bench) {
    await using stoa = await bench.startStoa();
    await using bare = await startBareHttp(bench.workbench, answerBytes);
    await using beside = (await bench.beside?.start()) ?? null;
    const servers = beside === null ? [stoa] : [stoa, beside];
    for (const server of servers) await writeSome(bench, server);
    const contestants = [...servers, bare].map((side) =>
      steadyTurn(bench, side, connections, 200, () => ({
        kind: 'get',
        targets: [`${side.files.root.replace(/\/files$/, '')}/changes?sinceSeq=${written}`],
        headers: side.files.headers,
      })),
    );
    const turns = await takeTurns(contestants, { rounds: bench.rounds, settle: false });
    const figure = `idle feed poll, ${connections} connections`;
    return {
      rows: [
        compareRow(figure, turns, [stoa.name, bare.name], requestRate, atLeast(0.6)),
        ...(beside === null ? [] : besideRows(figure, turns, [stoa.name, beside], costTarget)),
      ],
      raw: Object.fromEntries(turns),
    };
  },
};

function writeSome(bench: Bench, side: Side): Promise<unknown> {
  return bench.generator.run({
    port: side.port,
    connections: 1,
    requests: { kind: 'put-new', ...side.files, bodyBytes: 64, first: 0 },
    expect: [201],
    secondsMax: 60,
    requestsMax: written,
    pauseMs: 0,
  });
}
