// docs/speed.md
import { type ByteRange, WorkspaceError, type WorkspacePath } from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import { isContent } from '../contents/is-content.ts';
import type { BlobLocation } from '../ports/blobs.ts';
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
  /** @throws WorkspaceError `stored_bytes_missing`. A stream that cannot continue fails; it never ends early. */
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

/** @throws WorkspaceError `stored_bytes_missing`, see `ReadableFile` */
export async function openContent(
  deps: Pick<ServiceDeps, 'store' | 'blobs'>,
  content: KeptContent,
  range: ByteRange,
): Promise<Uint8Array | ReadableStream<Uint8Array>> {
  const { workspaceId, contentHash } = content;
  return openAt(deps, content, range, await deps.store.reader.blobs.locate(workspaceId, contentHash));
}

type KeptContent = Pick<FileRow, 'workspaceId' | 'contentHash' | 'sizeBytes'>;

function openAt(
  { blobs }: Pick<ServiceDeps, 'blobs'>,
  { workspaceId, contentHash, sizeBytes }: KeptContent,
  { start, end }: ByteRange,
  location: BlobLocation | null,
): Uint8Array | Promise<ReadableStream<Uint8Array>> {
  if (location === null) throw new WorkspaceError('stored_bytes_missing');
  switch (location.kind) {
    case 'inline':
      if (location.bytes.byteLength !== sizeBytes || !isContent(location.bytes, contentHash))
        throw new WorkspaceError('stored_bytes_missing');
      return start === 0 && end === sizeBytes ? location.bytes : location.bytes.subarray(start, end);
    case 'stored':
      return blobs.open(
        { workspaceId, contentHash, generation: location.generation },
        { start, end, sizeBytes },
      );
  }
}

/**
 * Copies opened content into a single buffer of its own, which may be transferred to another thread.
 * @param sizeBytes the expected size.
 * @throws WorkspaceError `stored_bytes_missing` when the size differs.
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
