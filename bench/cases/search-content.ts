import { join } from 'node:path';
import { findLines } from '@stoa/core';
import { atMost, type Bench, type BenchCase, type CaseReport } from '../bench-case.ts';
import { type LoadResult, numberMark, type RequestSource } from '../load/load-job.ts';
import { alternate, type Contestant } from '../measure/alternate.ts';
import { compareRow, resultsOf } from '../measure/compare.ts';
import { type NodesResult, nodesRound } from '../measure/nodes-round.ts';
import { indexLocationInDatabase, indexLocationInFile } from '../seed/index-location.ts';
import { type RealText, readRealTexts } from '../seed/real-texts.ts';
import { type Finds, findKinds, sampleFinds } from '../seed/sample-finds.ts';
import { type Phrases, phraseKinds, samplePhrases } from '../seed/sample-phrases.ts';
import { seedTexts } from '../seed/seed-texts.ts';
import { openDatabases } from '../sides/open-databases.ts';
import { type StoaNodes, startStoaNodes } from '../sides/start-stoa-nodes.ts';
import { limitRow, percentile } from '../sync/rows.ts';

const files = 10_000;
const queriesOfAKind = 12;
const p95MsMax = 100;
const blockedMsMax = 50;
/** Of the texts. */
const indexShareMax = 0.6;
const writeConnections = 8;
const writeCostMax = 1.05;
/** More measurements, because two of them differ by more than the limit of a twentieth. */
const writesPerRound = 4;
const bodyBytes = 4096;
const written = { text: 'PUT 4 KiB of text', bytes: 'PUT 4 KiB of bytes' };
const readingAll = 'reading every text once, in one thread';

interface SearchRound {
  readonly searches: LoadResult;
  readonly others: LoadResult;
}

/**
 * Measures searches for phrases and for words in 100 MB of real texts by a member who does not see all of them. Also
 * measures the wait of other users during the searches, the size of the index, and its cost for writes.
 */
export const searchContent: BenchCase = {
  id: 'search-content',
  measures:
    'searches for phrases and words in 10,000 files of 100 MB: latency, size of the index, its cost for writes',
  async run(bench) {
    const texts = await readRealTexts(Math.ceil(files * Math.min(1, bench.scale)));
    const phrases = samplePhrases(texts, queriesOfAKind);
    const queries: Queries = { texts, phrases, finds: sampleFinds(texts, phrases, queriesOfAKind) };
    const reports = [await measureOn(bench, onSqlite, queries)];
    if (bench.database !== null) {
      const postgres = await openDatabases(bench.workbench, bench.database);
      const { create, serverPid } = postgres;
      const onPostgres: Database = { name: 'PostgreSQL', create, serverPid, findMsMax: 120 };
      reports.push(await measureOn(bench, onPostgres, queries));
    }
    return {
      rows: reports.flatMap(({ rows }) => rows),
      raw: {
        bytes: bytesOf(texts),
        phrases,
        finds: queries.finds,
        databases: reports.map(({ raw }) => raw),
      },
    };
  },
};

/** The database of a server. */
interface Database {
  readonly name: string;
  /** Creates a new database and returns its address; null for the server's own file. */
  readonly create: () => Promise<string | null>;
  /** The process whose time counts in addition to the server's; null if there is no such process here. */
  readonly serverPid: number | null;
  readonly findMsMax: number;
}

const onSqlite: Database = { name: 'SQLite', create: async () => null, serverPid: null, findMsMax: 60 };

interface Queries {
  readonly texts: readonly RealText[];
  readonly phrases: Phrases;
  readonly finds: Finds;
}

async function measureOn(
  bench: Bench,
  database: Database,
  { texts, phrases, finds }: Queries,
): Promise<CaseReport> {
  const dataDirectory = await bench.workbench.directory('contents');
  const databaseUrl = await database.create();
  await using stoa = await bench.startStoa({
    STOA_DATA_DIR: dataDirectory,
    ...(databaseUrl !== null && { STOA_DATABASE_URL: databaseUrl }),
  });
  const position =
    databaseUrl === null
      ? indexLocationInFile(join(dataDirectory, 'content-index.db'))
      : await indexLocationInDatabase(databaseUrl);
  const seeded = await seedTexts(stoa.port, texts, position);
  const { name, findMsMax } = database;
  const job = {
    port: stoa.port,
    connections: 1,
    expect: [200],
    secondsMax: bench.seconds,
    requestsMax: Number.MAX_SAFE_INTEGER,
  };
  const searchRound = (targets: readonly string[]) => async (): Promise<SearchRound> => {
    const { headers } = seeded;
    const [searches, others] = await Promise.all([
      bench.generator.run({ ...job, requests: { kind: 'get', targets, headers }, pauseMs: 0 }),
      bench.bystander.run({
        ...job,
        requests: { kind: 'get', targets: ['/api/health'], headers },
        pauseMs: 3,
      }),
    ]);
    return { searches, others };
  };
  const target = (route: string, query: string) => `${seeded.root}/${route}?q=${encodeURIComponent(query)}`;
  const searches = [
    ...phraseKinds.map((kind) => ({
      figure: `${name}: lines with ${kind} phrases in ${texts.length} files, p95`,
      targets: phrases[kind].map((phrase) => target('search-content', phrase)),
      msMax: p95MsMax,
    })),
    ...findKinds.map((kind) => ({
      figure: `${name}: files found by ${kind} in ${texts.length}, p95`,
      targets: finds[kind].map((query) => target('find', query)),
      msMax: findMsMax,
    })),
  ];
  const rounds = await alternate(
    searches.map(({ figure, targets }) => ({ name: figure, measure: searchRound(targets) })),
    { rounds: bench.rounds, settle: false },
  );
  const p95 = (figure: string) => resultsOf(rounds, figure).map((round) => round.searches.latencyMs.p95);
  const control = phraseKinds.map((kind) => readAll(seeded.visible, phrases[kind]));
  const writes = await compareWrites(bench, database, texts);
  return {
    rows: [
      ...searches.map(({ figure, msMax }) => limitRow(figure, `${msMax} ms`, p95(figure), msMax)),
      ...control.map((milliseconds, at) => {
        const figure = searches[at]?.figure ?? '';
        return {
          ...limitRow(figure, readingAll, p95(figure), percentile(milliseconds, 0.95)),
          target: null,
        };
      }),
      limitRow(
        `${name}: longest wait of others during it`,
        `${blockedMsMax} ms`,
        searches.flatMap(({ figure }) => resultsOf(rounds, figure).map(({ others }) => others.latencyMs.max)),
        blockedMsMax,
      ),
      limitRow(
        `${name}: index of contents`,
        `${indexShareMax} × the texts`,
        [seeded.indexBytes],
        indexShareMax * bytesOf(texts),
      ),
      ...writes.rows,
    ],
    raw: {
      database: name,
      control,
      indexBytes: seeded.indexBytes,
      turns: Object.fromEntries(rounds),
      writes: writes.raw,
    },
  };
}

function bytesOf(texts: readonly RealText[]): number {
  return texts.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

/** The same search without an index, in milliseconds for each phrase. */
function readAll(texts: readonly RealText[], phrases: readonly string[]): readonly number[] {
  return phrases.map((text) => {
    const startedAt = performance.now();
    for (const { bytes } of texts) {
      findLines(bytes.toString('utf8'), { text, matchCase: false, context: 0 }, { skip: 0, take: 50 });
    }
    return performance.now() - startedAt;
  });
}

/** Writes text, which the index processes at the same time, and the same amount of bytes, which it only records. */
async function compareWrites(
  bench: Bench,
  { name, create, serverPid }: Database,
  texts: readonly RealText[],
): Promise<CaseReport> {
  const start = async () =>
    startStoaNodes(bench.workbench, {
      count: 1,
      databaseUrl: await create(),
      profileDirectory: bench.profile,
    });
  await using indexing = await start();
  await using noting = await start();
  const text = texts.find(({ bytes }) => bytes.length >= bodyBytes && isAscii(bytes.subarray(0, bodyBytes)));
  if (text === undefined) throw new Error('no text is plain ASCII');
  const body = `${numberMark} ${text.bytes.toString('latin1', 0, bodyBytes - numberMark.length - 1)}`;
  const textTarget = `${await indexing.createWorkspace()}/files/${numberMark}.txt`;
  const bytesRoot = `${await noting.createWorkspace()}/files`;
  const round = (of: string, nodes: StoaNodes, requests: (first: number) => RequestSource) =>
    nodesRound(bench, {
      name: of,
      nodes,
      databasePid: serverPid,
      connections: writeConnections,
      expect: 201,
      requests,
    });
  const contestants: readonly Contestant<NodesResult>[] = [
    round(written.text, indexing, (first) => ({
      kind: 'numbered',
      method: 'PUT',
      target: textTarget,
      headers: indexing.headers,
      body,
      first,
    })),
    round(written.bytes, noting, (first) => ({
      kind: 'put-new',
      root: bytesRoot,
      headers: noting.headers,
      bodyBytes,
      first,
    })),
  ];
  const rounds = bench.rounds * writesPerRound;
  const measured = await alternate(contestants, { rounds, settle: true });
  const names = [written.text, written.bytes] as const;
  const cost = ({ nodesCpuMicroseconds, databaseCpuMicroseconds }: NodesResult) =>
    (nodesCpuMicroseconds ?? Number.NaN) + (databaseCpuMicroseconds ?? 0);
  const figure = (what: string) => `${name}: ${written.text}, ${what}`;
  return {
    rows: [
      compareRow(figure('processor time'), measured, names, cost, atMost(writeCostMax)),
      compareRow(
        figure('median latency'),
        measured,
        names,
        ({ latencyMs }) => latencyMs.p50,
        atMost(writeCostMax),
      ),
    ],
    raw: Object.fromEntries(measured),
  };
}

function isAscii(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte < 0x80);
}
