import type { ExaminedText, TextQuestion } from '../content-search/examine-text.ts';
import { contentsAtOnce, readContents } from '../content-search/read-contents.ts';
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
  const readable = candidates.filter(({ hasText }) => hasText);
  let examining: Promise<void> = Promise.resolve();
  let bytes = 0;
  let read = 0;
  while (read < readable.length) {
    if (read > 0 && performance.now() > giveUpAt) break;
    const batch = nextBatch(readable, read, read === 0 ? Number.POSITIVE_INFINITY : bytesMax - bytes);
    if (batch.length === 0) break;
    read += batch.length;
    const files = batch.flatMap(({ file }) => file ?? []);
    bytes += files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const contents = await readContents({ reader, blobs: deps.blobs }, workspaceId, files);
    await examining;
    examining = examine(batch, contents);
    // Awaited above or below; prevents an unhandled rejection until then.
    examining.catch(() => {});
  }
  await examining;
  return readable.length - read;

  async function examine(
    batch: readonly Candidate[],
    contents: readonly (Uint8Array | null)[],
  ): Promise<void> {
    const present = batch.flatMap((candidate, at) => {
      const content = contents[at] ?? null;
      if (content === null) candidate.hasText = false;
      return content === null ? [] : [{ candidate, bytes: content }];
    });
    const texts = present.map(({ candidate, bytes: content }) => ({
      bytes: content,
      isMarkdown: isMarkdownFile(candidate),
    }));
    const examined = await deps.contentScanner.examine(workspaceId, { texts, question });
    for (const [at, { candidate }] of present.entries()) {
      const text = examined[at] ?? null;
      if (text === null) candidate.hasText = false;
      else take(candidate, text);
    }
  }
}

/** Returns at least one text, if the budget allows it. */
function nextBatch(readable: readonly Candidate[], from: number, bytesMax: number): readonly Candidate[] {
  const batch: Candidate[] = [];
  let bytes = 0;
  for (const candidate of readable.slice(from, from + contentsAtOnce.count)) {
    const size = candidate.file?.sizeBytes ?? 0;
    if (bytes + size > bytesMax || (batch.length > 0 && bytes + size > contentsAtOnce.bytes)) break;
    batch.push(candidate);
    bytes += size;
  }
  return batch;
}
