import { parseSearchQuery, type SearchOutcome, searchLimitMax, searchPaths } from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { inTicks } from './ticks.ts';

/**
 * Fuzzy search over the paths of files and folders (interface: files, Search). It finds everything that was
 * acknowledged before it began, and neither finds nor counts other members' private items.
 *
 * @param limit at most 200; larger values count as 200.
 * @throws WorkspaceError `invalid_request` when the query is empty or too long.
 */
export async function searchFiles(
  { currentFiles }: Pick<ServiceDeps, 'currentFiles'>,
  access: WorkspaceAccess,
  { query, limit }: { readonly query: string; readonly limit: number },
): Promise<SearchOutcome> {
  const parsed = parseSearchQuery(query);
  const { files, ownerByPath } = await currentFiles.read(access.workspace.id);
  const privacy = { viewer: access.viewer, ownerByPath };
  return inTicks(currentFiles.ticks, searchPaths(files, parsed, privacy, Math.min(limit, searchLimitMax)));
}
