import { setImmediate as nextTick } from 'node:timers/promises';
import type { PathPrefix, Viewer, WorkspacePath } from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import type { DetailedFileRow, FilePage, FileRow } from '../ports/files.ts';
import type { Reader } from '../ports/reader.ts';
import type { ServiceDeps } from '../service-deps.ts';

/** Rows per query: small enough that no page blocks other requests. */
const pageRows = 2000;

/**
 * A listing from one snapshot. `pages` are read on demand. Snapshots are scarce: a consumer must not wait for a client.
 */
export interface Listing<Row extends FileRow = FileRow> {
  readonly pages: AsyncIterable<readonly Row[]>;
  readonly icons: ReadonlyMap<WorkspacePath, string>;
  readonly orders: ReadonlyMap<WorkspacePath, number>;
  /** Items private to the caller. */
  readonly privatePaths: readonly WorkspacePath[];
}

/**
 * Lists the files within a prefix, by code point, with the properties that are stored separately (interface: files,
 * List). The listing is valid while `use` runs.
 */
export function withListing<Result>(
  deps: Pick<ServiceDeps, 'store'>,
  access: WorkspaceAccess,
  { prefix }: { readonly prefix: PathPrefix },
  use: (listing: Listing) => Promise<Result>,
): Promise<Result> {
  return list(deps, access, prefix, (reader, query) => reader.files.page(query), use);
}

/** As `withListing`, with metadata of each file's current version (interface: files, Details). */
export function withDetailedListing<Result>(
  deps: Pick<ServiceDeps, 'store'>,
  access: WorkspaceAccess,
  { prefix }: { readonly prefix: PathPrefix },
  use: (listing: Listing<DetailedFileRow>) => Promise<Result>,
): Promise<Result> {
  return list(deps, access, prefix, (reader, query) => reader.files.detailedPage(query), use);
}

type ReadPage<Row> = (reader: Reader, query: FilePage) => Promise<readonly Row[]>;

function list<Row extends FileRow, Result>(
  { store }: Pick<ServiceDeps, 'store'>,
  { viewer, workspace }: WorkspaceAccess,
  prefix: PathPrefix,
  readPage: ReadPage<Row>,
  use: (listing: Listing<Row>) => Promise<Result>,
): Promise<Result> {
  const workspaceId = workspace.id;
  return store.snapshot(async (reader) => {
    const privacy = await reader.nodes.privateTo(workspaceId, prefix, viewer);
    return use({
      pages: filePages(reader, readPage, { workspaceId, viewer, prefix }),
      icons: await reader.nodes.icons(workspaceId, prefix, viewer),
      orders: await reader.nodes.orders(workspaceId, prefix, viewer),
      privatePaths: privacy.map(({ path }) => path),
    });
  });
}

async function* filePages<Row extends FileRow>(
  reader: Reader,
  readPage: ReadPage<Row>,
  query: { readonly workspaceId: string; readonly viewer: Viewer; readonly prefix: PathPrefix },
): AsyncGenerator<readonly Row[], void, undefined> {
  let afterPath: WorkspacePath | null = null;
  for (;;) {
    const rows: readonly Row[] = await readPage(reader, { ...query, afterPath, limit: pageRows });
    if (rows.length > 0) yield rows;
    if (rows.length < pageRows) return;
    afterPath = rows.at(-1)?.path ?? null;
    // A consumer that only counts would otherwise read all pages in one tick.
    await nextTick();
  }
}
