import type { WorkspaceAccess } from '../access.ts';
import type { ChangeRow } from '../ports/changes.ts';
import type { ServiceDeps } from '../service-deps.ts';

/**
 * Reads the feed by time, for an activity panel (interface: feed, By time).
 * @param query.since milliseconds since the epoch, strictly before every change returned.
 * @param query.limit maximum number of visible changes.
 */
export async function readChangesSince(
  deps: Pick<ServiceDeps, 'store'>,
  access: WorkspaceAccess,
  query: {
    readonly since: number;
    readonly limit: number;
    readonly newestFirst: boolean;
    readonly includeComments: boolean;
  },
): Promise<{ readonly changes: readonly ChangeRow[]; readonly head: number }> {
  const workspaceId = access.workspace.id;
  return deps.store.snapshot(async (reader) => {
    const head = await reader.changes.head(workspaceId);
    if (query.limit === 0) return { changes: [], head };
    const { viewer } = access;
    return { changes: await reader.changes.since({ workspaceId, viewer, ...query }), head };
  });
}
