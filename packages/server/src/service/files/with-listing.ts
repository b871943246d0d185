import type { PathPrefix, Viewer, WorkspacePath } from '@stoa/core';
import type { WorkspaceAccess } from '../access/workspace-access.ts';
import type { FileRow } from '../ports/files.ts';
import type { Reader } from '../ports/reader.ts';
import type { ServiceDeps } from '../service-deps.ts';

/** Rows fetched at once: small enough that no page holds up other requests. */
const pageRows = 2000;

/** A listing from one snapshot. `pages` are read as they are taken, so that its consumer sets the pace. */
export interface Listing {
  readonly pages: AsyncIterable<readonly FileRow[]>;
  readonly icons: ReadonlyMap<WorkspacePath, string>;
  readonly orders: ReadonlyMap<WorkspacePath, number>;
  /** Items private to the caller. */
  readonly privatePaths: readonly WorkspacePath[];
}

/**
 * Lists the files within a prefix, by code point, with the properties held apart from files (interface:
 * files, List). The listing is valid while `use` runs.
 */
export async function withListing<Result>(
  deps: Pick<ServiceDeps, 'store'>,
  access: WorkspaceAccess,
  { prefix }: { readonly prefix: PathPrefix },
  use: (listing: Listing) => Promise<Result>,
): Promise<Result> {
  const workspaceId = access.workspace.id;
  const { viewer } = access;
  return deps.store.snapshot(async (reader) => {
    const privacy = await reader.nodes.privateTo(workspaceId, prefix, viewer);
    return use({
      pages: filePages(reader, { workspaceId, viewer, prefix }),
      icons: await reader.nodes.icons(workspaceId, prefix, viewer),
      orders: await reader.nodes.orders(workspaceId, prefix, viewer),
      privatePaths: privacy.map(({ path }) => path),
    });
  });
}

async function* filePages(
  reader: Pick<Reader, 'files'>,
  query: { readonly workspaceId: string; readonly viewer: Viewer; readonly prefix: PathPrefix },
): AsyncGenerator<readonly FileRow[], void, undefined> {
  let afterPath: WorkspacePath | null = null;
  for (;;) {
    const rows: readonly FileRow[] = await reader.files.page({ ...query, afterPath, limit: pageRows });
    if (rows.length > 0) yield rows;
    if (rows.length < pageRows) return;
    afterPath = rows.at(-1)?.path ?? null;
  }
}
