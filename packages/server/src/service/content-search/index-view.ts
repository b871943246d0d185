import { setImmediate as nextTick } from 'node:timers/promises';
import { type ContentHash, chunksOf, foldCase, WorkspaceError, type WorkspacePath } from '@stoa/core';
import { beforeEverything, type Candidates } from '../ports/content-index.ts';
import type { FileRow } from '../ports/files.ts';
import type { Reader } from '../ports/reader.ts';
import type { ServiceDeps } from '../service-deps.ts';

/** The index's knowledge about the files of one snapshot. */
export interface IndexView {
  /** Whether a file's content has to be read: the others cannot contain the text. */
  mayHold(file: Pick<FileRow, 'path' | 'contentHash'>): boolean;
  isKnownNotText(hash: ContentHash): boolean;
}

export interface ReadCandidates extends Candidates {
  readonly notText: ReadonlySet<ContentHash>;
}

const withoutIndex: IndexView = { mayHold: () => true, isKnownNotText: () => false };
/** The index is of little use when it is behind by more changes than this. */
const unfollowedMax = 20_000;
const pageRows = 1000;

/** @returns null when the index cannot help, and every content has to be read. */
export async function readCandidates(
  { contentIndex, knownNotText }: Pick<ServiceDeps, 'contentIndex' | 'knownNotText'>,
  workspaceId: string,
  wanted: string,
): Promise<ReadCandidates | null> {
  if (!contentIndex.isAvailable) return null;
  const text = foldCase(wanted);
  const chunks = chunksOf(text);
  try {
    const candidates =
      chunks === null
        ? { location: beforeEverything, mayHold: null }
        : await contentIndex.candidates(workspaceId, { text, ngrams: chunks });
    return { ...candidates, notText: await knownNotText.read(workspaceId) };
  } catch (error) {
    // A search without the index finds the same. Those that add to the index report its faults.
    if (error instanceof WorkspaceError && error.code === 'shutting_down') throw error;
    return null;
  }
}

/**
 * Combines candidates from the index with a snapshot that was taken later. Any path that changed since may contain the
 * text.
 */
export async function indexViewOf(
  reader: Reader,
  workspaceId: string,
  candidates: ReadCandidates | null,
): Promise<IndexView> {
  if (candidates === null) return withoutIndex;
  const { location, mayHold, notText } = candidates;
  const isKnownNotText = (hash: ContentHash) => notText.has(hash);
  if (mayHold === null || location.seq === 0) return { mayHold: () => true, isKnownNotText };
  const changed = new Set<WorkspacePath>();
  // Starts with the change at the position itself: if that is missing or different, the database was restored.
  let sinceSeq = location.seq - 1;
  for (let isFirst = true; ; isFirst = false) {
    const page = await reader.files.contentsChangedSince({ workspaceId, sinceSeq, limit: pageRows });
    const [first] = page;
    if (isFirst && (first?.seq !== location.seq || String(first.changedAt) !== location.mark))
      return withoutIndex;
    for (const { path } of isFirst ? page.slice(1) : page) changed.add(path);
    if (page.length < pageRows) break;
    if (changed.size > unfollowedMax) return { mayHold: () => true, isKnownNotText };
    sinceSeq = page.at(-1)?.seq ?? sinceSeq;
    await nextTick();
  }
  return {
    mayHold: ({ path, contentHash }) => mayHold.has(contentHash) || changed.has(path),
    isKnownNotText,
  };
}
