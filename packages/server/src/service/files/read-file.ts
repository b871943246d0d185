import { type ByteRange, WorkspaceError, type WorkspacePath } from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import type { FileRow, VersionRow } from '../ports/files.ts';
import { refuseHidden } from '../privacy/find-owner.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { requireVersion, type VersionTarget } from './require-version.ts';

/**
 * Finds the current file at a path (interface: files, Read).
 * @throws WorkspaceError `file_not_found`
 */
export async function readFile(
  deps: Pick<ServiceDeps, 'store' | 'blobs'>,
  access: WorkspaceAccess,
  { path }: { readonly path: WorkspacePath },
): Promise<ReadableFile> {
  const { reader } = deps.store;
  const file = await reader.files.find(access.workspace.id, path);
  if (file === null) throw new WorkspaceError('file_not_found');
  await refuseHidden(reader, access.workspace.id, path, access.viewer);
  return readableFile(deps, file);
}

/**
 * Finds an earlier version at a path, of a deleted file too (interface: versions, Read a version).
 * @throws WorkspaceError `file_not_found`, `version_not_found`
 */
export async function readVersion(
  deps: Pick<ServiceDeps, 'store' | 'blobs'>,
  access: WorkspaceAccess,
  target: VersionTarget,
): Promise<ReadableFile<VersionRow>> {
  const from = { workspaceId: access.workspace.id, viewer: access.viewer };
  const found = await deps.store.snapshot(async (reader) => {
    await refuseHidden(reader, from.workspaceId, target.path, from.viewer);
    return requireVersion(reader, from, target);
  });
  return readableFile(deps, found);
}

/** Content as it is answered: of a file now, of a version, or of what a thread is pinned to. */
export type ContentRow = Omit<FileRow, 'incarnation'>;

/** A file whose bytes are opened only when they are wanted: a 304 or a HEAD reads none. */
export interface ReadableFile<Row extends ContentRow = FileRow> {
  readonly file: Row;
  /** @throws WorkspaceError `stored_bytes_missing`. A stream that cannot go on fails; it never ends early. */
  open(range?: ByteRange): Promise<Uint8Array | ReadableStream<Uint8Array>>;
}

export function readableFile<Row extends ContentRow>(
  deps: Pick<ServiceDeps, 'store' | 'blobs'>,
  file: Row,
): ReadableFile<Row> {
  return { file, open: (range) => openContent(deps, file, range ?? { start: 0, end: file.sizeBytes }) };
}

/** @throws WorkspaceError `stored_bytes_missing`, see `ReadableFile` */
export async function openContent(
  { store, blobs }: Pick<ServiceDeps, 'store' | 'blobs'>,
  { workspaceId, contentHash, sizeBytes }: Pick<FileRow, 'workspaceId' | 'contentHash' | 'sizeBytes'>,
  { start, end }: ByteRange,
): Promise<Uint8Array | ReadableStream<Uint8Array>> {
  const location = await store.reader.blobs.locate(workspaceId, contentHash);
  if (location === null) throw new WorkspaceError('stored_bytes_missing');
  switch (location.kind) {
    case 'inline':
      if (location.bytes.byteLength !== sizeBytes) throw new WorkspaceError('stored_bytes_missing');
      return start === 0 && end === sizeBytes ? location.bytes : location.bytes.subarray(start, end);
    case 'stored':
      return blobs.open(
        { workspaceId, contentHash, generation: location.generation },
        { start, end, sizeBytes },
      );
  }
}

/**
 * Opened content as one piece, in memory of its own: it may be handed to another thread.
 * @param sizeBytes how much it has to be.
 * @throws WorkspaceError `stored_bytes_missing` when there is less or more.
 */
export async function collectBytes(
  opened: Uint8Array | ReadableStream<Uint8Array>,
  sizeBytes: number,
): Promise<Uint8Array> {
  if (opened instanceof Uint8Array) {
    if (opened.byteLength !== sizeBytes) throw new WorkspaceError('stored_bytes_missing');
    return Uint8Array.from(opened);
  }
  const whole = new Uint8Array(sizeBytes);
  let at = 0;
  for await (const chunk of opened) {
    if (at + chunk.byteLength > sizeBytes) throw new WorkspaceError('stored_bytes_missing');
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  if (at !== sizeBytes) throw new WorkspaceError('stored_bytes_missing');
  return whole;
}
