import type { ExaminedText, TextQuestion } from '../content-search/examine-text.ts';
import { contentsAtOnce, createBatchReader, nextBatch } from '../content-search/read-contents.ts';
import type { Reader } from '../ports/reader.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { type Candidate, isMarkdownFile } from './candidate.ts';

export interface ExamineBudget {
  readonly milliseconds: number;
  readonly bytes: number;
}

export interface ExaminedFrom {
  readonly deps: Pick<ServiceDeps, 'blobs' | 'contentScanner'>;
  readonly reader: Pick<Reader, 'blobs'>;
  readonly workspaceId: string;
}

/**
 * Reads the texts of candidates within a budget, and passes the facts about each to `take`. A candidate whose bytes are
 * missing or no text loses its `hasText`. The next texts are read while the last ones are examined.
 * @returns the number of texts that the budget did not allow. The first batch is always read.
 */
export async function examineFiles(
  { deps, reader, workspaceId }: ExaminedFrom,
  candidates: readonly Candidate[],
  question: TextQuestion,
  { milliseconds, bytes: bytesMax }: ExamineBudget,
  take: (candidate: Candidate, text: ExaminedText) => void,
): Promise<number> {
  const giveUpAt = performance.now() + milliseconds;
  const wanted = candidates.flatMap((candidate) =>
    candidate.hasText && candidate.file !== null ? [{ ...candidate.file, candidate }] : [],
  );
  const reading = createBatchReader<(typeof wanted)[number]>({ reader, blobs: deps.blobs }, workspaceId);
  let bytesLeft = Number.POSITIVE_INFINITY;
  let at = 0;
  for (let next = wanted[at]; next !== undefined; next = wanted[at]) {
    if (next.sizeBytes > bytesLeft || (at > 0 && performance.now() > giveUpAt)) break;
    const batch = nextBatch(wanted, at, Math.min(contentsAtOnce.bytes, bytesLeft));
    at += batch.length;
    bytesLeft = Math.min(bytesMax, bytesLeft) - batch.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    await reading.read(batch, async (read, missing) => {
      for (const { candidate } of missing) candidate.hasText = false;
      const texts = read.map(({ wanted: { candidate }, bytes }) => ({
        bytes,
        isMarkdown: isMarkdownFile(candidate),
      }));
      const examined = await deps.contentScanner.examine(workspaceId, { texts, question });
      for (const [
        number,
        {
          wanted: { candidate },
        },
      ] of read.entries()) {
        const text = examined[number] ?? null;
        if (text === null) candidate.hasText = false;
        else take(candidate, text);
      }
    });
  }
  await reading.end();
  return wanted.length - at;
}
