// docs/decisions/0026-content-index.md
import { type ContentHash, parsePathPrefix, searchedFileMaxBytes } from '@stoa/core';
import { createCurrentContents } from '../content-search/current-contents.ts';
import { createIndexedTexts } from '../content-search/indexed-texts.ts';
import { readOwners } from '../content-search/read-visibility.ts';
import { type IndexPart, partOf } from '../ports/word-index.ts';
import { createTicks } from '../search/ticks.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { workspaceIds } from './check-installation.ts';

/** The state of the content index. Missing contents are normal: the service adds them, and searches read them. */
export interface WordIndexReport {
  readonly bytes: number;
  readonly entries: number;
  /** Contents of current files that the index lacks; a content counts once for each audience. */
  readonly missing: number;
}

const pageRows = 1000;
const everything = parsePathPrefix('');

/** Compares the index with the current files of all workspaces, and changes nothing. */
export async function checkWordIndex(
  { store, wordIndex }: Pick<ServiceDeps, 'store' | 'wordIndex'>,
  progress: (step: string) => void,
): Promise<WordIndexReport> {
  progress('the content index');
  const indexedTexts = createIndexedTexts(wordIndex, () => {});
  // Each list is read once: nothing is cached.
  const currentContents = createCurrentContents({ filesMax: 0 });
  const ticks = createTicks();
  let entries = 0;
  let missing = 0;
  for await (const workspaceId of workspaceIds(store)) {
    const known = await indexedTexts.known(workspaceId);
    entries += known.count;
    await store.snapshot(async (reader) => {
      const ownerOf = await readOwners(reader, ticks, { workspaceId, prefix: everything });
      const counted = new Map<IndexPart, Set<ContentHash>>();
      const pages = currentContents.pages(reader, workspaceId, { afterPath: null, rows: pageRows });
      for await (const page of pages) {
        for (const { path, contentHash, sizeBytes } of page) {
          if (sizeBytes > searchedFileMaxBytes) continue;
          const part = partOf(ownerOf(path));
          const ofPart = counted.get(part) ?? new Set();
          counted.set(part, ofPart);
          if (known.parts.get(part)?.has(contentHash) !== true) ofPart.add(contentHash);
        }
      }
      for (const { size } of counted.values()) missing += size;
    });
    progress(`the content index: ${entries} contents, ${missing} missing`);
  }
  return { bytes: await wordIndex.sizeBytes(), entries, missing };
}
