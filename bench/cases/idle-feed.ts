import { atLeast, atMost, type Bench, type BenchCase } from '../bench-case.ts';
import { alternate } from '../measure/alternate.ts';
import { compareRow } from '../measure/compare.ts';
import { comparisonRows, requestRate, steadyRound } from '../measure/steady-round.ts';
import type { Side } from '../sides/side.ts';
import { startBareHttp } from '../sides/start-bare-http.ts';

const connections = 32;
/** The length of the response to an idle poll. */
const responseBytes = 40;
const written = 100;
/** As a share of the processor time before the work on small requests. */
const costTarget = atMost(0.45);

/** The poll of a client that is up to date: there are no changes after its cursor. */
export const idleFeed: BenchCase = {
  id: 'idle-feed',
  measures: 'feed poll with the cursor at the head, in requests per second',
  async run(bench) {
    await using stoa = await bench.startStoa();
    await using bare = await startBareHttp(bench.workbench, responseBytes);
    await using alongside = (await bench.comparison?.start()) ?? null;
    const servers = alongside === null ? [stoa] : [stoa, alongside];
    for (const server of servers) await writeSome(bench, server);
    const contestants = [...servers, bare].map((side) =>
      steadyRound(bench, side, connections, 200, () => ({
        kind: 'get',
        targets: [`${side.files.root.replace(/\/files$/, '')}/changes?sinceSeq=${written}`],
        headers: side.files.headers,
      })),
    );
    const rounds = await alternate(contestants, { rounds: bench.rounds, settle: false });
    const figure = `idle feed poll, ${connections} connections`;
    return {
      rows: [
        compareRow(figure, rounds, [stoa.name, bare.name], requestRate, atLeast(0.6)),
        ...(alongside === null ? [] : comparisonRows(figure, rounds, [stoa.name, alongside], costTarget)),
      ],
      raw: Object.fromEntries(rounds),
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
