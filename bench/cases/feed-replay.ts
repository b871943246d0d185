import { atMost, type Bench, type BenchCase } from '../bench-case.ts';
import type { LoadResult } from '../load/load-job.ts';
import { alternate, type Contestant } from '../measure/alternate.ts';
import { compareRow } from '../measure/compare.ts';

const pageChanges = 1000;
const pagesPerRound = 50;
const stepsMax = 100;

/** Repeats the same page at three positions of a long feed, and replays the whole feed in evenly spread pages. */
export const feedReplay: BenchCase = {
  id: 'feed-replay',
  measures: 'a feed page of 1000 changes by its position in the feed, in time per page',
  async run(bench) {
    const { port, headers } = await bench.seeded.server();
    const workspace = await bench.seeded.workspace(bench.manyFiles);
    const page = (sinceSeq: number) => `${workspace}/changes?sinceSeq=${sinceSeq}&limit=${pageChanges}`;
    const contestant = (name: string, targets: readonly string[]): Contestant<LoadResult> => ({
      name,
      measure: () => readPages(bench, port, headers, targets),
    });
    const last = bench.manyFiles - pageChanges;
    const pages = bench.manyFiles / pageChanges;
    const step = Math.ceil(pages / stepsMax) * pageChanges;
    const everywhere = Array.from({ length: Math.ceil(bench.manyFiles / step) }, (_, at) => page(at * step));
    const rounds = await alternate(
      [
        contestant('first page', [page(0)]),
        contestant('last page', [page(last)]),
        contestant('pages of the whole', everywhere),
      ],
      { rounds: bench.rounds, settle: false },
    );
    const pageTime = (result: LoadResult) => result.elapsedMs / result.requests;
    const changes = `of ${bench.manyFiles} changes`;
    return {
      rows: [
        compareRow(`last feed page ${changes}`, rounds, ['last page', 'first page'], pageTime, atMost(1.15)),
        compareRow(
          `mean feed page ${changes}`,
          rounds,
          ['pages of the whole', 'first page'],
          pageTime,
          atMost(1.15),
        ),
      ],
      raw: Object.fromEntries(rounds),
    };
  },
};

function readPages(
  bench: Bench,
  port: number,
  headers: readonly string[],
  targets: readonly string[],
): Promise<LoadResult> {
  return bench.generator.run({
    port,
    connections: 1,
    requests: { kind: 'get', targets, headers },
    expect: [200],
    secondsMax: 120,
    requestsMax: Math.max(pagesPerRound, targets.length),
    pauseMs: 0,
  });
}
