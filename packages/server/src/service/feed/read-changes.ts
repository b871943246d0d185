import { nextSeqAfter } from '@stoa/core';
import { requireStanding, type WorkspaceAccess } from '../access.ts';
import type { ChangeRow } from '../ports/changes.ts';
import { authorOf } from '../script-steps.ts';
import type { ServiceDeps } from '../service-deps.ts';

export interface FeedPage {
  /** Oldest first, as far as the caller may see them. */
  readonly changes: readonly ChangeRow[];
  /** The workspace's latest seq, of the same snapshot as `changes`. */
  readonly head: number;
  /** The cursor for the next request. */
  readonly nextSeq: number;
}

export interface FeedQuery {
  readonly sinceSeq: number;
  /** How many changes to scan: 0 asks for `head` alone. */
  readonly limit: number;
  readonly includeComments: boolean;
  /** How long to hold the request while nothing stands after the cursor; 0 answers at once. */
  readonly waitSeconds: number;
  /** Ends the wait early: the client went away. */
  readonly signal: AbortSignal;
}

/**
 * Reads a page of the change feed (interface: feed, Request).
 * @throws WorkspaceError `invalid_api_key`, `unauthorized`, `not_a_member` when the caller's key, session or membership ended
 * while the request was held.
 */
export async function readChanges(
  deps: Pick<ServiceDeps, 'store' | 'clock' | 'feedWaiters'>,
  access: WorkspaceAccess,
  query: FeedQuery,
): Promise<FeedPage> {
  if (query.waitSeconds > 0 && query.limit > 0) {
    await deps.feedWaiters.untilAfter(access.workspace, query);
  } else if (query.limit === 0 || query.sinceSeq >= access.workspace.seq) {
    // The head that opened the workspace is a snapshot of its own, and there is nothing to read beside it.
    return emptyPage(query, access.workspace.seq);
  }
  return deps.store.snapshot(async (reader) => {
    const workspaceId = access.workspace.id;
    if (query.waitSeconds > 0) await requireStanding(reader, authorOf(access, deps.clock()), workspaceId);
    const head = await reader.changes.head(workspaceId);
    if (query.sinceSeq >= head) return emptyPage(query, head);
    const { changes, scannedSeqs } = await reader.changes.scan({
      workspaceId,
      viewer: access.viewer,
      sinceSeq: query.sinceSeq,
      limit: query.limit,
      includeComments: query.includeComments,
    });
    return { changes, head, nextSeq: nextSeqAfter({ ...query, head, scannedSeqs }) };
  });
}

function emptyPage({ sinceSeq, limit }: FeedQuery, head: number): FeedPage {
  return { changes: [], head, nextSeq: nextSeqAfter({ sinceSeq, limit, head, scannedSeqs: [] }) };
}
