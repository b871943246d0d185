import { nextSeqAfter } from '@stoa/core';
import { requireAccessStatus, type WorkspaceAccess } from '../access.ts';
import type { ChangeRow } from '../ports/changes.ts';
import { authorOf } from '../script-steps.ts';
import type { ServiceDeps } from '../service-deps.ts';

export interface FeedPage {
  /** Oldest first, those that the caller may see. */
  readonly changes: readonly ChangeRow[];
  /** The workspace's latest seq, of the same snapshot as `changes`. */
  readonly head: number;
  /** The cursor for the next request. */
  readonly nextSeq: number;
}

export interface FeedQuery {
  readonly sinceSeq: number;
  /** Maximum number of changes to scan; 0 requests only `head`. */
  readonly limit: number;
  readonly includeComments: boolean;
  /** Maximum time to hold the request while there is no change after the cursor; 0 does not wait. */
  readonly waitSeconds: number;
  /** Aborts the wait when the client disconnects. */
  readonly signal: AbortSignal;
  /** Called before more than `fewChanges` are read. */
  readonly beforeReading: () => Promise<unknown>;
}

/** Takes a few milliseconds to read. */
const fewChanges = 100;

/**
 * Reads a page of the change feed (interface: feed, Request).
 * @throws WorkspaceError `invalid_api_key`, `unauthorized`, `not_a_member` when the caller's key, session or membership
 * ended during the wait.
 */
export async function readChanges(
  deps: Pick<ServiceDeps, 'store' | 'clock' | 'feedWaiters'>,
  access: WorkspaceAccess,
  query: FeedQuery,
): Promise<FeedPage> {
  if (query.waitSeconds > 0 && query.limit > 0) {
    await deps.feedWaiters.untilAfter(access.workspace, query);
  } else if (query.limit === 0 || query.sinceSeq >= access.workspace.seq) {
    // That head is already consistent, and there are no changes to read with it.
    return emptyPage(query, access.workspace.seq);
  }
  // After a wait, the number of changes is the one that ended it.
  const changesMax = Math.min(query.limit, access.workspace.seq - query.sinceSeq);
  if (changesMax > fewChanges) await query.beforeReading();
  return deps.store.snapshot(async (reader) => {
    const workspaceId = access.workspace.id;
    if (query.waitSeconds > 0) await requireAccessStatus(reader, authorOf(access, deps.clock()), workspaceId);
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
