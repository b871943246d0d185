import { atMost, type BenchCase } from '../bench-case.ts';
import { resultsOf } from '../measure/compare.ts';
import { shareOf } from '../measure/ratio.ts';
import { takeTurns } from '../measure/take-turns.ts';

const files = 100_000;
const msMax = 300;
const listsPerTurn = 5;
/** A streamed answer starts long before it ends. */
const firstByteShareMax = 0.2;

/** The whole listing of a large workspace, to its last byte. */
export const list: BenchCase = {
  id: 'list',
  measures: 'list of 100,000 files, in time to the last byte',
  async run(bench) {
    const { port, headers } = await bench.seeded.server();
    const workspace = await bench.seeded.workspace(files);
    const turn = () =>
      bench.generator.run({
        port,
        connections: 1,
        requests: { kind: 'get', targets: [`${workspace}/list`], headers },
        expect: [200],
        secondsMax: 120,
        requestsMax: listsPerTurn,
        pauseMs: 0,
      });
    const turns = await takeTurns([{ name: 'Stoa', turn }], { rounds: bench.rounds, settle: false });
    const results = resultsOf(turns, 'Stoa');
    const row = (figure: string, against: string, values: readonly number[], limit: number) => ({
      figure,
      against,
      result: { kind: 'ratio' as const, ratio: shareOf(values, limit) },
      target: atMost(1),
    });
    return {
      rows: [
        row(
          'list of 100,000 files, last byte',
          '300 ms',
          results.map(({ latencyMs }) => latencyMs.p50),
          msMax,
        ),
        row(
          'list of 100,000 files, first byte',
          'a fifth of 300 ms',
          results.map(({ firstByteMs }) => firstByteMs),
          msMax * firstByteShareMax,
        ),
      ],
      raw: results,
    };
  },
};
