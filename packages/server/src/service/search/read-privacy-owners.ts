import type { WorkspacePath } from '@stoa/core';
import type { PrivacyRow } from '../ports/nodes.ts';
import type { Reader } from '../ports/reader.ts';
import type { WorkspaceRow } from '../ports/workspaces.ts';
import type { Ticks } from './ticks.ts';

/** One page takes a few milliseconds. */
const pageRows = 1000;

/** Returns the owners of all privacy records of a workspace, by path. `reader` must be one snapshot. */
export async function readPrivacyOwners(
  reader: Pick<Reader, 'nodes'>,
  ticks: Ticks,
  workspace: Pick<WorkspaceRow, 'id' | 'privacyRecords'>,
): Promise<ReadonlyMap<WorkspacePath, string>> {
  const owners = new Map<WorkspacePath, string>();
  if (workspace.privacyRecords === 0) return owners;
  let afterPath: WorkspacePath | null = null;
  for (;;) {
    const page: readonly PrivacyRow[] = await reader.nodes.privacyPage({
      workspaceId: workspace.id,
      afterPath,
      limit: pageRows,
    });
    for (const { path, ownerId } of page) owners.set(path, ownerId);
    if (page.length < pageRows) return owners;
    afterPath = page.at(-1)?.path ?? null;
    await ticks.next();
  }
}
