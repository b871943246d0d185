// docs/decisions/0026-content-index.md
import { setImmediate as nextTick } from 'node:timers/promises';
import { type ContentHash, parsePathPrefix, searchedFileMaxBytes, type WorkspacePath } from '@stoa/core';
import { beforeEverything, type IndexLocation } from '../ports/content-index.ts';
import type { ChangedContent } from '../ports/files.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { contentsAtOnce, readContents, type WantedContent } from './read-contents.ts';

export type IndexingDeps = Pick<ServiceDeps, 'store' | 'blobs' | 'contentIndex'>;

/** Result of one step. Steps are short, so that the caller can pause between two. */
export type IndexStep =
  /** The index is up to date. */
  | { readonly kind: 'followed' }
  /** `leftSince`: no change that is missing from the index is older than this, in milliseconds since the epoch. */
  | { readonly kind: 'added'; readonly contents: number; readonly leftSince: number };

const changesPerStep = 256;
/** Less than a tenth of a second of work. */
const stepBytes = 256 * 1024;
const pageRows = 1000;
const everything = parsePathPrefix('');
/** The index may hold this many outdated contents, plus as many as there are current ones. */
const outdatedMin = 1000;

/**
 * Advances a workspace's index one step towards the head of the feed: reads current contents that it lacks. Other
 * processes may do the same concurrently: indexed contents are not read again.
 */
export async function indexStep(deps: IndexingDeps, workspaceId: string, now: number): Promise<IndexStep> {
  const { store, contentIndex } = deps;
  let location = await contentIndex.place(workspaceId);
  if (location.seq > 0 && !(await isOfThisFeed(deps, workspaceId, location))) {
    await contentIndex.clear(workspaceId);
    location = beforeEverything;
  }
  const changes = await store.reader.files.contentsChangedSince({
    workspaceId,
    sinceSeq: location.seq,
    limit: changesPerStep,
  });
  const { wanted, last } = await takeWanted(deps, workspaceId, changes);
  if (last === null) return { kind: 'followed' };
  const contents = await readContents({ reader: store.reader, blobs: deps.blobs }, workspaceId, wanted);
  await contentIndex.advance({
    workspaceId,
    from: location,
    to: { seq: last.seq, mark: String(last.changedAt) },
    contents: wanted.map(({ contentHash }, at) => ({ contentHash, bytes: contents[at] ?? null })),
  });
  const next = changes.find(({ seq }) => seq > last.seq);
  // A page that is not full is the last one.
  const unseenSince = changes.length < changesPerStep ? now : last.changedAt;
  return { kind: 'added', contents: wanted.length, leftSince: Math.min(next?.changedAt ?? unseenSince, now) };
}

/** A restored database may have another change at that seq. */
async function isOfThisFeed(
  { store }: IndexingDeps,
  workspaceId: string,
  { seq, mark }: IndexLocation,
): Promise<boolean> {
  const query = { workspaceId, sinceSeq: seq - 1, limit: 1 };
  const [change] = await store.reader.files.contentsChangedSince(query);
  return change?.seq === seq && String(change.changedAt) === mark;
}

/** Returns as many changes as one step can take, and the contents that the index lacks. */
async function takeWanted(
  { contentIndex }: IndexingDeps,
  workspaceId: string,
  changes: readonly ChangedContent[],
): Promise<{ readonly wanted: readonly WantedContent[]; readonly last: ChangedContent | null }> {
  const indexable = changes.flatMap(({ file }) =>
    file !== null && file.sizeBytes <= searchedFileMaxBytes ? [file.contentHash] : [],
  );
  const missing = new Set(await contentIndex.missing(workspaceId, [...new Set(indexable)]));
  const wanted: WantedContent[] = [];
  let bytes = 0;
  let last: ChangedContent | null = null;
  for (const change of changes) {
    const { file } = change;
    if (file !== null && missing.has(file.contentHash)) {
      const isFull = wanted.length >= contentsAtOnce.count || bytes + file.sizeBytes > stepBytes;
      if (isFull && wanted.length > 0) break;
      missing.delete(file.contentHash);
      wanted.push(file);
      bytes += file.sizeBytes;
    }
    last = change;
  }
  return { wanted, last };
}

/**
 * Removes contents that no file has any more, when there are too many. It may run while others add. The list of current
 * contents is from the index's position or later. The removal counts only while the index is still there, so contents
 * that became current since are not removed.
 * @returns their number.
 */
export async function removeOutdated(
  { store, contentIndex }: Omit<IndexingDeps, 'blobs'>,
  workspaceId: string,
  keptMin: number = outdatedMin,
): Promise<number> {
  const location = await contentIndex.place(workspaceId);
  const { count } = await contentIndex.page(workspaceId, 0);
  if (count <= keptMin) return 0;
  const workspace = await store.reader.workspaces.find(workspaceId);
  if (workspace === null || count <= 2 * workspace.usedFiles + keptMin) return 0;
  const current = new Set<ContentHash>();
  await store.snapshot(async (reader) => {
    let afterPath: WorkspacePath | null = null;
    for (;;) {
      const page: readonly { path: WorkspacePath; contentHash: ContentHash }[] =
        await reader.files.contentsPage({ workspaceId, prefix: everything, afterPath, limit: pageRows });
      for (const { contentHash } of page) current.add(contentHash);
      if (page.length < pageRows) return;
      afterPath = page.at(-1)?.path ?? null;
      await nextTick();
    }
  });
  let removed = 0;
  for (let afterId = 0; ; ) {
    const { contents } = await contentIndex.page(workspaceId, afterId);
    const last = contents.at(-1);
    if (last === undefined) break;
    afterId = last.id;
    const ids = contents.filter(({ contentHash }) => !current.has(contentHash)).map(({ id }) => id);
    if (ids.length > 0 && !(await contentIndex.remove(workspaceId, location, ids))) break;
    removed += ids.length;
  }
  return removed;
}
