// docs/decisions/0026-content-index.md
import { setImmediate as nextTick } from 'node:timers/promises';
import { type ContentHash, ownersByPath, searchedFileMaxBytes, WorkspaceError } from '@stoa/core';
import { createWorkMeter } from '../../concurrency/work-meter.ts';
import { type IndexPart, partOf, sharedPart } from '../ports/word-index.ts';
import type { ServiceDeps } from '../service-deps.ts';
import type { KnownEntries } from './indexed-texts.ts';
import { nextBatch, readContents, type WantedContent } from './read-contents.ts';

export type IndexingDeps = Pick<
  ServiceDeps,
  'store' | 'blobs' | 'wordIndex' | 'indexedTexts' | 'currentFiles'
>;

type ComparingDeps = Pick<IndexingDeps, 'store' | 'indexedTexts' | 'currentFiles'>;

export interface MissingContent extends WantedContent {
  readonly part: IndexPart;
}

/** The contents of an index at a moment. */
export interface IndexedState {
  /** The change up to which it has the contents of all files, but for those of `lacks`. */
  readonly seq: number;
  readonly lacks: readonly MissingContent[];
  /** The generation of its entries. */
  readonly generation: string;
  readonly hasPrivate: boolean;
}

/** The difference between a workspace's index and its current files. */
export interface IndexDifference {
  /** Contents that their part lacks, at most some thousands. */
  readonly missing: readonly MissingContent[];
  readonly missingCount: number;
  /** Entries to remove. */
  readonly outdated: readonly number[];
  /** The state once the difference is repaired; null: it would lack too much to keep a list. */
  readonly repaired: IndexedState | null;
  /** Whether the next comparison has more to find. */
  readonly isMore: boolean;
}

const missingMax = 2000;
/** Some 15 MB. With more, all files are compared again. */
const lacksMax = 100_000;
/** Less than a tenth of a second of work. */
const stepBytes = 256 * 1024;
const removedAtOnce = 200;
const changesAtOnce = 250;
/** The index may have this many outdated contents, plus as many as there are current ones. */
const outdatedMin = 1000;

export interface ComparisonOptions {
  readonly since?: IndexedState | null;
  readonly keptMin?: number;
  /** The number of contents of one difference. */
  readonly atOnce?: number;
}

/**
 * Compares the index of a workspace with its current files; with those that changed after `since` if they are all
 * shared. Outdated contents are left until there are many; but the content of a file that became private or shared
 * leaves its former part at once.
 * @returns null when the workspace is gone
 */
export async function compareIndex(
  { store, indexedTexts, currentFiles }: ComparingDeps,
  workspaceId: string,
  { since = null, keptMin = outdatedMin, atOnce = missingMax }: ComparisonOptions = {},
): Promise<IndexDifference | null> {
  const known = await indexedTexts.known(workspaceId);
  const { generation } = known;
  if (since !== null && !since.hasPrivate && since.generation === generation) {
    const changed = await compareChanged(store, workspaceId, { since, known, keptMin, atOnce });
    if (changed !== null) return changed;
  }
  const list = await currentFiles.read(workspaceId).catch((error) => {
    if (error instanceof WorkspaceError && error.code === 'workspace_not_found') return null;
    throw error;
  });
  if (list === null) return null;
  const ownerOf = ownersByPath(list.ownerByPath);
  const current = new Map<IndexPart, Set<ContentHash>>();
  const everywhere = new Set<ContentHash>();
  const missing: MissingContent[] = [];
  let missingCount = 0;
  const meter = createWorkMeter();
  for (const file of list.files) {
    const { path, contentHash, sizeBytes } = file;
    await meter.spend(100 + path.length);
    if (sizeBytes > searchedFileMaxBytes) continue;
    const part = partOf(ownerOf(file));
    const ofPart = current.get(part) ?? new Set();
    current.set(part, ofPart);
    if (ofPart.has(contentHash)) continue;
    ofPart.add(contentHash);
    everywhere.add(contentHash);
    if (known.parts.get(part)?.has(contentHash) === true) continue;
    missingCount += 1;
    if (missing.length < lacksMax) missing.push({ part, contentHash, sizeBytes });
  }
  const outdated: number[] = [];
  const leftIts: number[] = [];
  for (const [part, entries] of known.parts) {
    for (const [hash, id] of entries) {
      if (current.get(part)?.has(hash) === true) continue;
      outdated.push(Math.abs(id));
      if (everywhere.has(hash)) leftIts.push(Math.abs(id));
    }
  }
  const isTooMuch = outdated.length > list.files.length + keptMin;
  const lacks = missing.slice(atOnce);
  const state = { seq: list.seq, lacks, generation, hasPrivate: list.ownerByPath.size > 0 };
  return {
    missing: missing.slice(0, atOnce),
    missingCount,
    outdated: isTooMuch ? outdated : leftIts,
    repaired: missingCount > missing.length ? null : state,
    isMore: lacks.length > 0,
  };
}

/** @returns null when all files have to be compared: some are private, or the index has too much. */
function compareChanged(
  store: ComparingDeps['store'],
  workspaceId: string,
  {
    since,
    known,
    keptMin,
    atOnce,
  }: Required<ComparisonOptions> & { readonly since: IndexedState; readonly known: KnownEntries },
): Promise<IndexDifference | null> {
  return store.snapshot(async ({ workspaces, files }) => {
    const workspace = await workspaces.find(workspaceId);
    if (workspace === null || workspace.privacyRecords > 0 || workspace.seq < since.seq) return null;
    if (known.count > 2 * workspace.usedFiles + keptMin) return null;
    const has = known.parts.get(sharedPart);
    const left = since.lacks.filter(({ contentHash }) => has?.has(contentHash) !== true);
    const missing = new Map(left.map((content) => [content.contentHash, content]));
    let { seq } = since;
    while (seq < workspace.seq && missing.size < atOnce) {
      const page = await files.contentsChangedSince({ workspaceId, sinceSeq: seq, limit: changesAtOnce });
      for (const { file } of page) {
        if (file === null || file.sizeBytes > searchedFileMaxBytes) continue;
        const { contentHash, sizeBytes } = file;
        if (has?.has(contentHash) === true) continue;
        missing.set(contentHash, { part: sharedPart, contentHash, sizeBytes });
      }
      seq = page.length < changesAtOnce ? workspace.seq : (page.at(-1)?.seq ?? workspace.seq);
      await nextTick();
    }
    const lacking = [...missing.values()];
    const lacks = lacking.slice(atOnce);
    return {
      missing: lacking.slice(0, atOnce),
      missingCount: lacking.length,
      outdated: [],
      repaired: { ...since, seq, lacks },
      isMore: lacks.length > 0 || seq < workspace.seq,
    };
  });
}

/** Removes a difference in short steps, so that the caller can rest between two. Yields the contents of each step. */
export async function* repairIndex(
  { store, blobs, wordIndex }: Pick<IndexingDeps, 'store' | 'blobs' | 'wordIndex'>,
  workspaceId: string,
  { missing, outdated }: IndexDifference,
): AsyncGenerator<number> {
  for (let at = 0; at < missing.length; ) {
    const step = nextBatch(missing, at, stepBytes);
    at += step.length;
    const contents = await readContents({ reader: store.reader, blobs }, workspaceId, step);
    // Missing bytes may be put back. Until then the index lacks them.
    const found = step.flatMap(({ part, contentHash }, i) => {
      const bytes = contents[i] ?? null;
      return bytes === null ? [] : [{ part, contentHash, bytes }];
    });
    if (found.length > 0) await wordIndex.add(workspaceId, found);
    yield step.length;
  }
  for (let at = 0; at < outdated.length; at += removedAtOnce) {
    await wordIndex.remove(workspaceId, outdated.slice(at, at + removedAtOnce));
    yield 0;
  }
}
