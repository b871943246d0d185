import { atMost, type Bench, type BenchCase } from '../bench-case.ts';
import type { HeaderLines, LoadResult } from '../load/load-job.ts';
import { alternate, type Contestant } from '../measure/alternate.ts';
import { compareRow } from '../measure/compare.ts';
import { type MostlyHidden, seedMostlyHidden } from '../seed/seed-mostly-hidden.ts';

const changes = 100_000;
const pageChanges = 1000;
const member = 'a member who sees 1 %';
const owner = 'the owner, who sees all';

/** One read of the feed to its end, in two parts: see `MostlyHidden`. */
interface FeedRound {
  readonly hiddenLater: LoadResult;
  readonly hiddenAtOnce: LoadResult;
}

/**
 * Hidden changes must cost a reader almost nothing. The owner reads the same pages under the same privacy records. The
 * ratio is therefore the cost of hiding, minus the changes that the response to the member omits.
 */
export const feedOnePercent: BenchCase = {
  id: 'feed-one-percent',
  measures: 'a feed of 100,000 changes for a member who may see 1 % of them, in time per page of 1000',
  async run(bench) {
    const feed = await seedMostlyHidden(bench, changes, pageChanges);
    const contestant = (name: string, headers: HeaderLines): Contestant<FeedRound> => ({
      name,
      measure: async () => ({
        hiddenLater: await readPages(bench, feed, headers, feed.hiddenLater),
        hiddenAtOnce: await readPages(bench, feed, headers, feed.hiddenAtOnce),
      }),
    });
    const rounds = await alternate([contestant(owner, feed.owner), contestant(member, feed.member)], {
      rounds: bench.rounds,
      settle: false,
    });
    const row = (figure: string, parts: (round: FeedRound) => readonly LoadResult[]) =>
      compareRow(figure, rounds, [member, owner], (round) => pageTime(parts(round)), atMost(1.5));
    return {
      rows: [
        row('feed page, 1 % visible', (round) => [round.hiddenLater, round.hiddenAtOnce]),
        row('feed page, 1 % visible, rest hidden later', (round) => [round.hiddenLater]),
        row('feed page, 1 % visible, rest made in private', (round) => [round.hiddenAtOnce]),
      ],
      raw: Object.fromEntries(rounds),
    };
  },
};

function pageTime(parts: readonly LoadResult[]): number {
  const sum = (figure: (part: LoadResult) => number) => parts.reduce((all, part) => all + figure(part), 0);
  return sum(({ elapsedMs }) => elapsedMs) / sum(({ requests }) => requests);
}

function readPages(
  bench: Bench,
  { port }: MostlyHidden,
  headers: HeaderLines,
  targets: readonly string[],
): Promise<LoadResult> {
  return bench.generator.run({
    port,
    connections: 1,
    requests: { kind: 'get', targets, headers },
    expect: [200],
    secondsMax: 120,
    requestsMax: targets.length,
    pauseMs: 0,
  });
}
