import { followFeed } from '@stoa/client';
import { feedPageMax } from '@stoa/core';
import type { ChangePage, ChangeRecord, Workspace } from './workspace.ts';

const newestShown = 20;
const pendingSeconds = 25;

/** Position reached in the feed. */
export interface FeedLocation {
  /** Cursor of the next read. */
  readonly nextSeq: number;
  readonly head: number;
}

interface Options {
  readonly limit: number | undefined;
  readonly comments: boolean;
  readonly take: (changes: readonly ChangeRecord[]) => void;
}

/** The newest changes, oldest first. */
export async function readNewest(
  { client, workspaceId, signal }: Workspace,
  { limit = newestShown, comments, take }: Options,
): Promise<FeedLocation> {
  const query = { since: new Date(0), newestFirst: true, limit, includeComments: comments };
  const { changes, head } = await client.readChangesSince(workspaceId, query, { signal });
  take(changes.toReversed());
  return { nextSeq: head, head };
}

/** The changes after a cursor: at most `limit`, else all up to now. */
export async function readAfter(
  { client, workspaceId, signal }: Workspace,
  since: number,
  { limit, comments, take }: Options,
): Promise<FeedLocation> {
  let rest = limit ?? Number.POSITIVE_INFINITY;
  for (let nextSeq = since; ; ) {
    const query = { sinceSeq: nextSeq, limit: Math.min(rest, feedPageMax), includeComments: comments };
    const page = await client.readChanges(workspaceId, query, { signal });
    take(page.changes);
    rest -= Math.max(page.changes.length, 1);
    const isStuck = page.nextSeq <= nextSeq;
    nextSeq = page.nextSeq;
    if (rest <= 0 || isStuck || nextSeq >= page.head) return { nextSeq, head: page.head };
  }
}

/** Reports all changes after a cursor as they happen, until the run ends. */
export async function followChanges(
  { client, workspaceId, signal }: Workspace,
  cursor: number,
  comments: boolean,
  report: {
    readonly page: (page: ChangePage) => void;
    readonly retry: (error: Error, pauseMs: number) => void;
  },
): Promise<void> {
  await followFeed({
    client,
    workspaceId,
    cursor,
    signal,
    includeComments: comments,
    waitSeconds: pendingSeconds,
    handle: report.page,
    saveCursor: () => {},
    onRetry: (error, { pauseMs }) => report.retry(error, pauseMs),
  });
}
