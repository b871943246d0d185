import { type ByteRange, WorkspaceError } from '@stoa/core';
import type { FileRow } from '../ports/files.ts';
import type { ServiceDeps } from '../service-deps.ts';

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
