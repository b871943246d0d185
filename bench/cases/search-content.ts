import { findLines } from '@stoa/core';
import { atMost, type Bench, type BenchCase, type Row } from '../bench-case.ts';
import { type LoadResult, numberMark, type RequestSource } from '../load/load-job.ts';
import { compareRow, resultsOf } from '../measure/compare.ts';
import { type SteadyResult, steadyTurn } from '../measure/steady-turn.ts';
import { type Contestant, takeTurns } from '../measure/take-turns.ts';
import { type RealText, readRealTexts } from '../seed/real-texts.ts';
import { type PhraseKind, phraseKinds, samplePhrases } from '../seed/sample-phrases.ts';
import { seedTexts } from '../seed/seed-texts.ts';
import { limitRow, percentile } from '../sync/rows.ts';

const files = 10_000;
const phrasesOfAKind = 12;
const p95MsMax = 100;
const blockedMsMax = 50;
const writeConnections = 8;
const bodyBytes = 4096;
const written = { text: 'PUT 4 KiB of text', bytes: 'PUT 4 KiB that is no text' };
const readingAll = 'reading every text once, in one thread';

interface SearchTurn {
  readonly searches: LoadResult;
  readonly others: LoadResult;
}

/**
 * Phrases found in 100 MB of real texts by a member who does not see all of them, whether anybody else waits for it, and what
 * the index costs those who write.
 */
export const searchContent: BenchCase = {
  id: 'search-content',
  measures:
    'search in the contents of 10,000 files, 100 MB, in latency, beside reading them; and its cost to writes',
  async run(bench) {
    const dataDirectory = await bench.workbench.directory('contents');
    await using stoa = await bench.startStoa({ STOA_DATA_DIR: dataDirectory });
    const texts = await readRealTexts(Math.ceil(files * Math.min(1, bench.scale)));
    const phrases = samplePhrases(texts, phrasesOfAKind);
    const seeded = await seedTexts({ port: stoa.port, dataDirectory }, texts);
    const target = (phrase: string) => `${seeded.root}/search-content?q=${encodeURIComponent(phrase)}`;
    const job = {
      port: stoa.port,
      connections: 1,
      expect: [200],
      secondsMax: bench.seconds,
      requestsMax: Number.MAX_SAFE_INTEGER,
    };
    const searchTurn = (kind: PhraseKind) => async (): Promise<SearchTurn> => {
      const { headers } = seeded;
      const [searches, others] = await Promise.all([
        bench.generator.run({
          ...job,
          requests: { kind: 'get', targets: phrases[kind].map(target), headers },
          pauseMs: 0,
        }),
        bench.bystander.run({
          ...job,
          requests: { kind: 'get', targets: ['/api/health'], headers },
          pauseMs: 3,
        }),
      ]);
      return { searches, others };
    };
    const turns = await takeTurns(
      phraseKinds.map((kind) => ({ name: kind, turn: searchTurn(kind) })),
      { rounds: bench.rounds, settle: false },
    );
    const control = phraseKinds.map((kind) => readAll(seeded.visible, phrases[kind]));
    const results = (kind: PhraseKind) => resultsOf(turns, kind);
    const figure = (kind: PhraseKind) => `lines with ${kind} phrases in ${texts.length} files, p95`;
    const megabytes = texts.reduce((sum, { bytes }) => sum + bytes.length, 0) / 1e6;
    const writes = await compareWrites(bench, texts);
    return {
      rows: [
        ...phraseKinds.map((kind) =>
          limitRow(
            figure(kind),
            `${p95MsMax} ms`,
            results(kind).map(({ searches }) => searches.latencyMs.p95),
            p95MsMax,
          ),
        ),
        ...phraseKinds.map((kind, at) => ({
          ...limitRow(
            figure(kind),
            readingAll,
            results(kind).map(({ searches }) => searches.latencyMs.p95),
            percentile(control[at] ?? [], 0.95),
          ),
          target: null,
        })),
        limitRow(
          'longest wait of others meanwhile',
          `${blockedMsMax} ms`,
          phraseKinds.flatMap((kind) => results(kind).map(({ others }) => others.latencyMs.max)),
          blockedMsMax,
        ),
        writes.row,
      ],
      raw: { megabytes, phrases, control, turns: Object.fromEntries(turns), writes: writes.raw },
    };
  },
};

/** The same question without an index, in milliseconds for each phrase. */
function readAll(texts: readonly RealText[], phrases: readonly string[]): readonly number[] {
  return phrases.map((text) => {
    const startedAt = performance.now();
    for (const { bytes } of texts) {
      findLines(bytes.toString('utf8'), { text, matchCase: false, context: 0 }, { skip: 0, take: 50 });
    }
    return performance.now() - startedAt;
  });
}

/** The same writes on two servers: of text, which the index takes in meanwhile, and of bytes, which it only notes. */
async function compareWrites(bench: Bench, texts: readonly RealText[]): Promise<{ row: Row; raw: unknown }> {
  await using indexing = await bench.startStoa();
  await using noting = await bench.startStoa();
  const text = texts.find(({ bytes }) => bytes.length >= bodyBytes && isAscii(bytes.subarray(0, bodyBytes)));
  if (text === undefined) throw new Error('no text is plain ASCII');
  const body = `${numberMark} ${text.bytes.toString('latin1', 0, bodyBytes - numberMark.length - 1)}`;
  const ofText = (first: number): RequestSource => {
    const { root, headers } = indexing.files;
    const numbered = `${root}/${numberMark}.txt`;
    return { kind: 'numbered', method: 'PUT', target: numbered, headers, body, first };
  };
  const ofBytes = (first: number): RequestSource => {
    return { kind: 'put-new', ...noting.files, bodyBytes, first };
  };
  const contestants: readonly Contestant<SteadyResult>[] = [
    { name: written.text, turn: steadyTurn(bench, indexing, writeConnections, 201, ofText).turn },
    { name: written.bytes, turn: steadyTurn(bench, noting, writeConnections, 201, ofBytes).turn },
  ];
  const turns = await takeTurns(contestants, { rounds: bench.rounds, settle: true });
  const cost = ({ cpuMicrosecondsPerRequest }: SteadyResult) => cpuMicrosecondsPerRequest ?? Number.NaN;
  const names = [written.text, written.bytes] as const;
  return {
    row: compareRow(`${written.text}, processor time`, turns, names, cost, atMost(1.05)),
    raw: Object.fromEntries(turns),
  };
}

function isAscii(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte < 0x80);
}
