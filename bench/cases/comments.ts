import { atMost, type Bench, type BenchCase, type Row } from '../bench-case.ts';
import type { LoadJob, LoadResult, RequestSource } from '../load/load-job.ts';
import { alternate, type Contestant, type Rounds } from '../measure/alternate.ts';
import { compareRow, resultsOf } from '../measure/compare.ts';
import { shareOf } from '../measure/ratio.ts';
import { type CommentedFile, seedComments } from '../seed/seed-comments.ts';

const threads = 1000;
const smallPage = { size: 50, limit: '' };
const largePage = { size: 200, limit: '&limit=200' };
/** A thread with its anchor, texts and a reply takes some twenty times the bytes of a file in the list. */
const target = atMost(20);
/** The longest time that a user waits for an opened page without losing attention. */
const afterEditLimit = { ms: 1000, name: '1 s' };
const blockedLimit = { ms: 50, name: '50 ms' };
/** The duration of one load during the listing after an edit: short, so that it ends soon after the listing. */
const disturbSeconds = 0.5;

type Page = typeof smallPage;
type GetSource = Extract<RequestSource, { kind: 'get' }>;

interface CommentsRound {
  readonly lists: readonly LoadResult[];
  /** Small requests of another user, sent every few milliseconds. */
  readonly others: readonly LoadResult[];
}

const listOf = ({ size }: Page) => `list of ${size} files`;
const pageOf = ({ size }: Page) => `${size} of ${threads} comment threads`;
const afterEdit = `${pageOf(largePage)}, after an edit`;

/**
 * Lists all threads of one file, page by page, and measures whether other users wait for it. The control is the list of
 * as many files: rows of one workspace, filtered by the caller's access and returned as JSON, without a search in any
 * file. A page without threads would only compare the cost of a request, which `idle-feed` measures.
 */
export const comments: BenchCase = {
  id: 'comments',
  measures:
    'listing 1,000 comment threads on one file, per page, and the latency of other requests during it',
  async run(bench) {
    const stoa = await bench.seeded.server();
    await using file = await seedComments(stoa, threads);
    const contestants: Contestant<CommentsRound>[] = [];
    for (const page of [smallPage, largePage]) {
      const targets = [`${await bench.seeded.workspace(page.size)}/list`];
      const list: GetSource = { kind: 'get', targets, headers: stoa.headers };
      contestants.push(
        { name: listOf(page), measure: () => readOften(bench, stoa.port, list) },
        { name: pageOf(page), measure: () => readOften(bench, stoa.port, pagesOf(file, page)) },
      );
    }
    contestants.push({ name: afterEdit, measure: () => editAndRead(bench, stoa.port, file) });
    const rounds = await alternate(contestants, { rounds: bench.rounds, settle: false });
    const overList = (page: Page) =>
      compareRow(pageOf(page), rounds, [pageOf(page), listOf(page)], pageTime, target);
    const slow = resultsOf(rounds, afterEdit).map(pageTime);
    const waitRow = (figure: string, names: readonly string[]) =>
      limitRow(`longest wait of others, ${figure}`, longestWaits(rounds, names), blockedLimit);
    return {
      rows: [
        overList(smallPage),
        overList(largePage),
        limitRow(afterEdit, slow, afterEditLimit),
        waitRow('comments', [pageOf(smallPage), pageOf(largePage)]),
        waitRow('comments after an edit', [afterEdit]),
        // On a busy machine other requests wait for the machine. Their wait during the control is not due to comments.
        waitRow('the control', [listOf(smallPage), listOf(largePage)]),
      ],
      raw: Object.fromEntries(rounds),
    };
  },
};

function pagesOf({ target, headers }: CommentedFile, { size, limit }: Page): GetSource {
  const pages = Array.from({ length: threads / size }, (_, page) => page * size);
  return { kind: 'get', targets: pages.map((offset) => `${target}${limit}&offset=${offset}`), headers };
}

async function readOften(bench: Bench, port: number, requests: GetSource): Promise<CommentsRound> {
  const until = { secondsMax: bench.seconds, requestsMax: Number.MAX_SAFE_INTEGER };
  const [lists, others] = await Promise.all([
    read(bench, port, requests, until),
    disturb(bench, port, bench.seconds),
  ]);
  return { lists: [lists], others: [others] };
}

/** Reads all threads after each edit, so that the server must find their anchors again. */
async function editAndRead(bench: Bench, port: number, file: CommentedFile): Promise<CommentsRound> {
  const requests = pagesOf(file, largePage);
  const endsAt = performance.now() + bench.seconds * 1000;
  const lists: LoadResult[] = [];
  const others: LoadResult[] = [];
  let isOver = false;
  const concurrently = async () => {
    while (!isOver) others.push(await disturb(bench, port, disturbSeconds));
  };
  const listing = async () => {
    try {
      do {
        await file.edit();
        lists.push(
          await read(bench, port, requests, { secondsMax: 120, requestsMax: requests.targets.length }),
        );
      } while (performance.now() < endsAt);
    } finally {
      isOver = true;
    }
  };
  await Promise.all([listing(), concurrently()]);
  return { lists, others };
}

function read(
  bench: Bench,
  port: number,
  requests: GetSource,
  until: Pick<LoadJob, 'secondsMax' | 'requestsMax'>,
): Promise<LoadResult> {
  return bench.generator.run({ port, connections: 1, requests, expect: [200], ...until, pauseMs: 0 });
}

function disturb(bench: Bench, port: number, secondsMax: number): Promise<LoadResult> {
  return bench.bystander.run({
    port,
    connections: 1,
    requests: { kind: 'get', targets: ['/api/health'], headers: [] },
    expect: [200],
    secondsMax,
    requestsMax: Number.MAX_SAFE_INTEGER,
    pauseMs: 3,
  });
}

function pageTime({ lists }: CommentsRound): number {
  const sum = (figure: (list: LoadResult) => number) => lists.reduce((all, list) => all + figure(list), 0);
  return sum(({ elapsedMs }) => elapsedMs) / sum(({ requests }) => requests);
}

/** Returns the longest wait of each round during any of these contestants, in milliseconds. */
function longestWaits(measured: Rounds<CommentsRound>, names: readonly string[]): readonly number[] {
  const rounds: number[] = [];
  for (const name of names) {
    for (const [round, { others }] of resultsOf(measured, name).entries()) {
      rounds[round] = Math.max(rounds[round] ?? 0, ...others.map(({ latencyMs }) => latencyMs.max));
    }
  }
  return rounds;
}

function limitRow(
  figure: string,
  values: readonly number[],
  limit: { readonly ms: number; readonly name: string },
): Row {
  const ratio = shareOf(values, limit.ms);
  return { figure, against: limit.name, result: { kind: 'ratio', ratio }, target: atMost(1) };
}
