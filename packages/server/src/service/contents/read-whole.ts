import { WorkspaceError } from '@stoa/core';
import type { ServiceDeps } from '../service-deps.ts';
import { type KeptContent, openContent } from './open-content.ts';

/**
 * Reads all bytes of a content into a buffer of their own, which may be transferred to another thread.
 * @throws WorkspaceError `stored_bytes_missing`
 */
export async function readWhole(
  deps: Pick<ServiceDeps, 'store' | 'blobs'>,
  content: KeptContent,
): Promise<Uint8Array> {
  const { sizeBytes } = content;
  const opened = await openContent(deps, content, { start: 0, end: sizeBytes });
  return collectBytes(opened, sizeBytes);
}

/** As `readWhole`, but null when the bytes are missing. */
export function readWholeIfKept(
  deps: Pick<ServiceDeps, 'store' | 'blobs'>,
  content: KeptContent,
): Promise<Uint8Array | null> {
  return ifKept(() => readWhole(deps, content));
}

/** Returns null when `read` fails because the bytes are missing. */
export async function ifKept<Result>(read: () => Promise<Result>): Promise<Result | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'stored_bytes_missing') return null;
    throw error;
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
