// docs/speed.md
import { type ByteRange, WorkspaceError, type WorkspacePath } from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import { openAt, openContent } from '../contents/open-content.ts';
import type { FileRow, FoundFile, VersionRow } from '../ports/files.ts';
import { rejectHidden, rejectHiddenFrom } from '../privacy/find-owner.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { requireSeenVersion, type VersionTarget } from './require-version.ts';

/**
 * Finds the current file at a path (interface: files, Read).
 * @param wanted.opens the caller's intent: `surely` reads small bytes together with the row.
 * @throws WorkspaceError `file_not_found`
 */
export async function readFile(
  deps: Pick<ServiceDeps, 'store' | 'blobs'>,
  access: WorkspaceAccess,
  { path, opens }: { readonly path: WorkspacePath; readonly opens: 'surely' | 'perhaps' },
): Promise<ReadableFile> {
  const { files } = deps.store.reader;
  if (opens === 'perhaps') {
    return readableFile(deps, seenFile(access, path, await files.findWithOwner(access.workspace.id, path)));
  }
  const found = await files.findWithContent(access.workspace.id, path);
  const file = seenFile(access, path, found);
  return { file, open: async (range) => openAt(deps, file, range ?? whole(file), found.location) };
}

function seenFile(access: WorkspaceAccess, path: WorkspacePath, { file, ownerId }: FoundFile): FileRow {
  rejectHiddenFrom(access.viewer, path, ownerId);
  if (file === null) throw new WorkspaceError('file_not_found');
  return file;
}

/**
 * Finds an earlier version at a path, including versions of a deleted file (interface: versions, Read a version).
 * @throws WorkspaceError `file_not_found`, `version_not_found`
 */
export async function readVersion(
  deps: Pick<ServiceDeps, 'store' | 'blobs'>,
  access: WorkspaceAccess,
  target: VersionTarget,
): Promise<ReadableFile<VersionRow>> {
  const from = { workspaceId: access.workspace.id, viewer: access.viewer };
  const found = await deps.store.snapshot(async (reader) => {
    await rejectHidden(reader, from.workspaceId, target.path, from.viewer);
    return (await requireSeenVersion(reader, from, target)).row;
  });
  return readableFile(deps, found);
}

/** Metadata of served content: of a current file, a version, or a thread's pinned bytes. */
export type ContentRow = Omit<FileRow, 'incarnation'>;

/** A file whose bytes are opened on demand: a 304 or a HEAD reads none. */
export interface ReadableFile<Row extends ContentRow = FileRow> {
  readonly file: Row;
  /** @throws WorkspaceError as `openContent` */
  open(range?: ByteRange): Promise<Uint8Array | ReadableStream<Uint8Array>>;
}

export function readableFile<Row extends ContentRow>(
  deps: Pick<ServiceDeps, 'store' | 'blobs'>,
  file: Row,
): ReadableFile<Row> {
  return { file, open: (range) => openContent(deps, file, range ?? whole(file)) };
}

function whole({ sizeBytes }: ContentRow): ByteRange {
  return { start: 0, end: sizeBytes };
}
