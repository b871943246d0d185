import { atLeast, atMost, type Bench, type BenchCase } from '../bench-case.ts';
import { alternate } from '../measure/alternate.ts';
import { compareOptional, compareRow } from '../measure/compare.ts';
import { comparisonRows, requestRate, steadyRound } from '../measure/steady-round.ts';
import { type Side, startControls } from '../sides/side.ts';
import { startApache, startApacheSubversion } from '../sides/start-apache.ts';
import { startBareHttp } from '../sides/start-bare-http.ts';

const bodyBytes = 4096;
const connections = 32;
const figure = `GET 4 KiB, ${connections} connections`;
/** As a share of the processor time before the work on small requests. */
const costTarget = atMost(0.5);
/** In the order of the controls; null for none. */
const targets = [atLeast(0.8), null];

/** Reads one 4 KiB file with an API key, which the server looks up for every request. */
export const get4k: BenchCase = {
  id: 'get-4k',
  measures: 'GET of a 4 KiB file, in requests per second',
  async run(bench) {
    await using stoa = await bench.startStoa();
    await using bare = await startBareHttp(bench.workbench, bodyBytes);
    await using controls = await startControls([
      () => startApache(bench.workbench, 1),
      () => startApacheSubversion(bench.workbench, 1),
    ]);
    await using alongside = (await bench.comparison?.start()) ?? null;
    const fileSides = [stoa, ...controls.running, ...(alongside === null ? [] : [alongside])];
    for (const side of fileSides) await putOne(bench, side);
    const contestants = [...fileSides, bare].map((side) =>
      steadyRound(bench, side, connections, 200, () => ({
        kind: 'get',
        targets: [`${side.files.root}/c00/000000000.bin`],
        headers: side.files.headers,
      })),
    );
    const rounds = await alternate(contestants, { rounds: bench.rounds, settle: false });
    return {
      rows: [
        compareRow(figure, rounds, [stoa.name, bare.name], requestRate, atLeast(0.45)),
        ...controls.all.map((control, at) =>
          compareOptional(figure, rounds, [stoa.name, control], requestRate, targets[at] ?? null),
        ),
        ...(alongside === null ? [] : comparisonRows(figure, rounds, [stoa.name, alongside], costTarget)),
      ],
      raw: Object.fromEntries(rounds),
    };
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
