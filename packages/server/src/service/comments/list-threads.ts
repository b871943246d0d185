import type { AnchorStatus, ResolvedAnchor, ThreadStatus, WorkspacePath } from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import type { ThreadTexts, ThreadWithFile } from '../ports/comments.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { resolveThreads } from './resolve-threads.ts';

/** A thread as it is read: where it is anchored now, and a page of its replies. */
export interface ListedThread {
  readonly thread: ThreadWithFile;
  readonly resolved: ResolvedAnchor;
  readonly texts: ThreadTexts;
}

export interface ThreadList {
  readonly threads: readonly ListedThread[];
  /** Threads that match. With `truncated`, those that were found so far. */
  readonly total: number;
  /** Where the next page begins; null on the last one. A page may end before its limit. */
  readonly nextOffset: number | null;
  /** True when the filter by anchor stopped before it had looked at every thread. */
  readonly truncated: boolean;
}

/** Null asks for any. */
export interface ThreadQuery {
  readonly path: WorkspacePath | null;
  readonly threadId: string | null;
  readonly status: ThreadStatus | null;
  readonly anchorStatus: AnchorStatus | null;
  readonly authorId: string | null;
  readonly limit: number;
  readonly offset: number;
  readonly entriesLimit: number;
  readonly entriesOffset: number;
}

type Deps = Pick<ServiceDeps, 'store' | 'blobs' | 'anchors'>;

/** Threads whose anchors one request looks at when it asks for those with a certain status. */
const anchorScanMax = 2000;
/** Characters of text in one answer. A thread is never cut, so the last one may go beyond. */
const pageTextMax = 4 * 1024 * 1024;

/**
 * Lists comment threads, oldest first (interface: comments, List). Threads that the caller may not see are neither listed
 * nor counted. Anchors are found in the files as they are now, which the database does not know: a filter by anchor looks
 * at a bounded number of threads.
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
  { path, threadId, status, authorId }: ThreadQuery,
  { offset, limit }: Pick<ThreadQuery, 'offset' | 'limit'>,
): Promise<{ readonly threads: readonly ThreadWithFile[]; readonly total: number }> {
  const filter = { workspaceId: workspace.id, viewer, path, threadId, status, authorId };
  return store.snapshot(async ({ comments }) => {
    const { total, seqs } = await comments.scan({ ...filter, offset, limit });
    return { total, threads: await comments.heads(workspace.id, seqs) };
  });
}

/** The threads up to the first one whose anchor was not looked at. */
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

/** Asks again who sees what: finding the anchors may have taken a while. `read` counts those hidden meanwhile, too. */
async function readTexts(
  { store }: Deps,
  { workspace, viewer }: WorkspaceAccess,
  { entriesLimit, entriesOffset }: ThreadQuery,
  page: readonly Anchored[],
): Promise<{ readonly listed: readonly ListedThread[]; readonly read: number }> {
  const viewing = { workspaceId: workspace.id, viewer, entriesLimit, entriesOffset };
  return store.snapshot(async ({ comments }) => {
    const listed: ListedThread[] = [];
    let textLength = 0;
    let read = 0;
    for (const { thread, resolved } of page) {
      if (textLength > pageTextMax) break;
      read += 1;
      const texts = await comments.texts({ ...viewing, seq: thread.seq });
      if (texts === null) continue;
      textLength += texts.body.length;
      for (const { body } of texts.entries) textLength += body.length;
      listed.push({ thread, resolved, texts });
    }
    return { listed, read };
  });
}
