import { atMost, type BenchCase } from '../bench-case.ts';
import { alternate } from '../measure/alternate.ts';
import { compareRow, resultsOf } from '../measure/compare.ts';
import { shareOf } from '../measure/ratio.ts';

const files = 100_000;
const msMax = 300;
const listsPerRound = 5;
/** A streamed response starts long before it ends. */
const firstByteShareMax = 0.2;

/** With details each row needs two more look-ups and three times the bytes. */
const detailsMax = 4;

/** The whole listing of a large workspace, to its last byte, without and with details. */
export const list: BenchCase = {
  id: 'list',
  measures: 'list of 100,000 files, without and with details, in time to the last byte',
  async run(bench) {
    const { port, headers } = await bench.seeded.server();
    const workspace = await bench.seeded.workspace(files);
    const asking = (target: string) => () =>
      bench.generator.run({
        port,
        connections: 1,
        requests: { kind: 'get', targets: [`${workspace}/${target}`], headers },
        expect: [200],
        secondsMax: 120,
        requestsMax: listsPerRound,
        pauseMs: 0,
      });
    const rounds = await alternate(
      [
        { name: 'list', measure: asking('list') },
        { name: 'details', measure: asking('list?details=1') },
      ],
      { rounds: bench.rounds, settle: false },
    );
    const results = resultsOf(rounds, 'list');
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
        compareRow(
          'list of 100,000 files with details, last byte',
          rounds,
          ['details', 'list'],
          ({ latencyMs }) => latencyMs.p50,
          atMost(detailsMax),
        ),
      ],
      raw: Object.fromEntries(rounds),
    };
  },
};
