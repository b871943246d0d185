import { isMarkdown, type WorkspacePath } from '@stoa/core';
import { contentsAtOnce, readContents } from '../content-search/read-contents.ts';
import type { CurrentContent } from '../ports/files.ts';
import type { Reader } from '../ports/reader.ts';
import type { ServiceDeps } from '../service-deps.ts';
import type { ExaminedText, TextQuestion } from './examine-text.ts';

export interface ExamineBudget {
  readonly milliseconds: number;
  readonly bytes: number;
}

/** A file, or a folder, which has no text. */
interface Examinable {
  readonly path: WorkspacePath;
  readonly file: CurrentContent | null;
  hasText: boolean;
  examined: ExaminedText | null;
}

/**
 * Reads the texts of files and sets the facts about them, within a budget.
 * @returns the number of files that the budget did not allow. The first batch is always read.
 */
export async function examineFiles(
  {
    deps,
    reader,
    workspaceId,
  }: {
    readonly deps: Pick<ServiceDeps, 'blobs' | 'contentScanner'>;
    readonly reader: Pick<Reader, 'blobs'>;
    readonly workspaceId: string;
  },
  candidates: readonly Examinable[],
  question: TextQuestion,
  { milliseconds, bytes: bytesMax }: ExamineBudget,
): Promise<number> {
  const giveUpAt = performance.now() + milliseconds;
  const files = candidates.filter(isReadable);
  let bytes = 0;
  for (let at = 0; at < files.length; ) {
    if (at > 0 && performance.now() > giveUpAt) return files.length - at;
    const batch: (Examinable & { readonly file: CurrentContent })[] = [];
    let batchBytes = 0;
    for (; at < files.length && batch.length < contentsAtOnce.count; at += 1) {
      const next = files[at];
      if (next === undefined) break;
      const { sizeBytes } = next.file;
      if (bytes > 0 && bytes + sizeBytes > bytesMax) break;
      if (batch.length > 0 && batchBytes + sizeBytes > contentsAtOnce.bytes) break;
      batch.push(next);
      batchBytes += sizeBytes;
      bytes += sizeBytes;
    }
    if (batch.length === 0) return files.length - at;
    const contents = await readContents(
      { reader, blobs: deps.blobs },
      workspaceId,
      batch.map(({ file }) => file),
    );
    const present = batch.flatMap((each, i) => {
      const content = contents[i] ?? null;
      if (content === null) each.hasText = false;
      return content === null ? [] : [{ each, bytes: content }];
    });
    const texts = present.map(({ each: { path, file }, bytes: content }) => ({
      bytes: content,
      isMarkdown: isMarkdown(path, file.contentType),
    }));
    const examined = await deps.contentScanner.examine(workspaceId, { texts, question });
    for (const [i, { each }] of present.entries()) {
      each.examined = examined[i] ?? null;
      each.hasText = each.examined !== null;
    }
  }
  return 0;
}

function isReadable(candidate: Examinable): candidate is Examinable & { readonly file: CurrentContent } {
  return candidate.file !== null && candidate.hasText;
}
