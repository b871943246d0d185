import type { AnchorStatus, ResolvedAnchor, ThreadStatus, WorkspacePath } from '@stoa/core';
import { createWorkMeter } from '../../concurrency/work-meter.ts';
import type { WorkspaceAccess } from '../access.ts';
import type { ThreadTexts, ThreadWithFile } from '../ports/comments.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { resolveThreads } from './resolve-threads.ts';

/** A thread with its current anchor and a page of its replies. */
export interface ListedThread {
  readonly thread: ThreadWithFile;
  readonly resolved: ResolvedAnchor;
  readonly texts: ThreadTexts;
}

export interface ThreadList {
  readonly threads: readonly ListedThread[];
  /** Number of matching threads; with `truncated`, those found so far. */
  readonly total: number;
  /** Offset of the next page; null on the last one. A page may end before its limit. */
  readonly nextOffset: number | null;
  /** True when the filter by anchor status stopped before it had checked every thread. */
  readonly truncated: boolean;
}

/** Null fields match everything. */
export interface ThreadQuery {
  /** A file, or a folder for the files in it. */
  readonly path: WorkspacePath | null;
  readonly threadId: string | null;
  readonly status: ThreadStatus | null;
  readonly anchorStatus: AnchorStatus | null;
  readonly authorId: string | null;
  /** A user's name or a key's label. */
  readonly authorName?: string | null;
  readonly limit: number;
  readonly offset: number;
  readonly entriesLimit: number;
  readonly entriesOffset: number;
}

type Deps = Pick<ServiceDeps, 'store' | 'blobs' | 'anchors'>;

/** Maximum number of threads that one request resolves to filter by anchor status. */
const anchorScanMax = 2000;
/** Characters of text in one response. A thread is never cut, so the last one may exceed it. */
const pageTextMax = 4 * 1024 * 1024;
/** Cost of a few statements, in `WorkMeter` units. */
const statementUnits = 50_000;

/**
 * Lists comment threads, oldest first (interface: comments, List). Threads that the caller may not see are neither
 * listed nor counted. The database does not store anchor positions in current files, so a filter by anchor status
 * checks a bounded number of threads.
 * @throws WorkspaceError `overloaded`
 */
export async function listThreads(
  deps: Deps,
  access: WorkspaceAccess,
  query: ThreadQuery,
): Promise<ThreadList> {
  const found =
    query.anchorStatus === null
      ? await findPage(deps, access, query)
      : await findByAnchor(deps, access, query, query.anchorStatus);
  const threads = await readTexts(deps, access, query, found.page);
  const end = query.offset + threads.read;
  return {
    threads: threads.listed,
    total: found.total,
    nextOffset: end < found.total ? end : null,
    truncated: found.truncated,
  };
}

interface Anchored {
  readonly thread: ThreadWithFile;
  readonly resolved: ResolvedAnchor;
}

interface Found {
  readonly page: readonly Anchored[];
  readonly total: number;
  readonly truncated: boolean;
}

async function findPage(deps: Deps, access: WorkspaceAccess, query: ThreadQuery): Promise<Found> {
  const { threads, total } = await scan(deps, access, query, query);
  const anchors = await resolveThreads(deps, threads);
  return { page: inOrder(threads, anchors), total, truncated: false };
}

async function findByAnchor(
  deps: Deps,
  access: WorkspaceAccess,
  query: ThreadQuery,
  status: AnchorStatus,
): Promise<Found> {
  const { threads, total } = await scan(deps, access, query, { offset: 0, limit: anchorScanMax });
  const looked = inOrder(threads, await resolveThreads(deps, threads));
  const matching = looked.filter(({ resolved }) => resolved.status === status);
  return {
    page: matching.slice(query.offset, query.offset + query.limit),
    total: matching.length,
    truncated: looked.length < total,
  };
}

async function scan(
  { store }: Deps,
  { workspace, viewer }: WorkspaceAccess,
  { path, threadId, status, authorId, authorName = null }: ThreadQuery,
  { offset, limit }: Pick<ThreadQuery, 'offset' | 'limit'>,
): Promise<{ readonly threads: readonly ThreadWithFile[]; readonly total: number }> {
  const filter = { workspaceId: workspace.id, viewer, threadId, status, authorId, authorName };
  return store.snapshot(async ({ comments, files }) => {
    const page = { ...filter, offset, limit };
    let found = await comments.scan({ ...page, path, folder: null });
    if (found.total === 0 && path !== null) {
      // Checks visibility first: a hidden file takes as long as a missing one.
      const isThere = await files.hasVisibleAtOrBelow(workspace.id, path, viewer);
      const isFolder = isThere && (await files.find(workspace.id, path)) === null;
      if (isFolder) found = await comments.scan({ ...page, path: null, folder: path });
    }
    return { total: found.total, threads: await comments.heads(workspace.id, found.seqs) };
  });
}

/** Returns the threads before the first one whose anchor is unresolved. */
function inOrder(
  threads: readonly ThreadWithFile[],
  anchors: ReadonlyMap<string, ResolvedAnchor>,
): readonly Anchored[] {
  const looked: Anchored[] = [];
  for (const thread of threads) {
    const resolved = anchors.get(thread.id);
    if (resolved === undefined) break;
    looked.push({ thread, resolved });
  }
  return looked;
}

/**
 * Checks visibility again: resolving the anchors may have taken a while. `read` also counts threads that are hidden
 * since.
 */
async function readTexts(
  { store }: Deps,
  { workspace, viewer }: WorkspaceAccess,
  { entriesLimit, entriesOffset }: ThreadQuery,
  page: readonly Anchored[],
): Promise<{ readonly listed: readonly ListedThread[]; readonly read: number }> {
  const viewing = { workspaceId: workspace.id, viewer, entriesLimit, entriesOffset };
  return store.snapshot(async ({ comments }) => {
    const listed: ListedThread[] = [];
    const meter = createWorkMeter();
    let textLength = 0;
    let read = 0;
    for (const { thread, resolved } of page) {
      if (textLength > pageTextMax) break;
      read += 1;
      const texts = await comments.texts({ ...viewing, seq: thread.seq });
      if (texts === null) continue;
      const before = textLength;
      textLength += texts.body.length;
      for (const { body } of texts.entries) textLength += body.length;
      await meter.spend(statementUnits + textLength - before);
      listed.push({ thread, resolved, texts });
    }
    return { listed, read };
  });
}
