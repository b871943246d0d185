import { atMost, type BenchCase } from '../bench-case.ts';
import type { LoadJob, LoadResult } from '../load/load-job.ts';
import { alternate } from '../measure/alternate.ts';
import { resultsOf } from '../measure/compare.ts';
import { shareOf } from '../measure/ratio.ts';

const paths = 100_000;
const p95MsMax = 20;
const blockedMsMax = 50;
/** Queries of users: letter by letter as a search box sends them, and words without a match. */
const queries = [
  'r',
  're',
  'rep',
  'repo',
  'report',
  'final report',
  'readme',
  'budget',
  'bdgt',
  'budgetsheet csv',
  'inv',
  'clients/roadmap',
  'handbook onboarding agenda',
  'quarterly review',
  'meetmin',
  'a',
  'e',
  'proj 000123',
  'README 4242',
  'transcript 99999',
  'zzzz',
  'incident retro',
  'release plans checklist',
  'fin final',
  'action_items',
  'arch',
  '.json',
  'people/interviews',
  'xylophone',
  'checklist.md',
];

interface SearchRound {
  readonly searches: LoadResult;
  /** Small requests of another user, sent every few milliseconds. */
  readonly others: LoadResult;
}

/** Measures searches in a large workspace, and the wait of other users during them. */
export const search: BenchCase = {
  id: 'search',
  measures: 'fuzzy search over 100,000 paths, in latency, and the latency of other requests during it',
  async run(bench) {
    const { port, headers } = await bench.seeded.server();
    const workspace = await bench.seeded.workspace(paths);
    const targets = queries.map((query) => `${workspace}/search?q=${encodeURIComponent(query)}`);
    const steady: Omit<LoadJob, 'requests' | 'pauseMs'> = {
      port,
      connections: 1,
      expect: [200],
      secondsMax: bench.seconds,
      requestsMax: Number.MAX_SAFE_INTEGER,
    };
    const round = async (): Promise<SearchRound> => {
      const [searches, others] = await Promise.all([
        bench.generator.run({ ...steady, requests: { kind: 'get', targets, headers }, pauseMs: 0 }),
        bench.bystander.run({
          ...steady,
          requests: { kind: 'get', targets: ['/api/health'], headers },
          pauseMs: 3,
        }),
      ]);
      return { searches, others };
    };
    const rounds = await alternate([{ name: 'Stoa', measure: round }], {
      rounds: bench.rounds,
      settle: false,
    });
    const results = resultsOf(rounds, 'Stoa');
    const row = (figure: string, against: string, values: readonly number[], limit: number) => ({
      figure,
      against,
      result: { kind: 'ratio' as const, ratio: shareOf(values, limit) },
      target: atMost(1),
    });
    return {
      rows: [
        row(
          'search over 100,000 paths, p95',
          '20 ms',
          results.map(({ searches }) => searches.latencyMs.p95),
          p95MsMax,
        ),
        row(
          'longest wait of others during it',
          '50 ms',
          results.map(({ others }) => others.latencyMs.max),
          blockedMsMax,
        ),
      ],
      raw: results,
    };
  },
};
