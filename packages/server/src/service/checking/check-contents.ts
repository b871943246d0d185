import { createHash, hash as hashOf } from 'node:crypto';
import { type ContentHash, WorkspaceError } from '@stoa/core';
import type { CheckedContent } from '../ports/checks.ts';
import type { ServiceDeps } from '../service-deps.ts';

export const contentRules = {
  stored_bytes_missing:
    'Bytes that a row names are not in the store of large contents, or not as many as they must be.',
  stored_bytes_wrong: 'Bytes are not those that were written: their hash is another.',
} as const;
export type ContentRule = keyof typeof contentRules;

/** Objects that are read at once. */
const atOnce = 8;
const rowsOfPage = 100;

export interface ContentsCheck {
  /** Whether every byte is read and hashed; else large contents are only looked at for being there whole. */
  readonly readBytes: boolean;
  readonly report: (rule: ContentRule, workspaceId: string, contentHash: ContentHash) => void;
  readonly progress: (contents: number, bytes: number) => void;
}

/** Looks at every kept content. @returns how many there are, and the bytes that were read. */
export async function checkContents(
  {
    store,
    blobs,
  }: { readonly store: Pick<ServiceDeps['store'], 'reader'>; readonly blobs: ServiceDeps['blobs'] },
  { readBytes, report, progress }: ContentsCheck,
): Promise<{ readonly contents: number; readonly bytesRead: number }> {
  let contents = 0;
  let bytesRead = 0;
  let after: { workspaceId: string; contentHash: string } = { workspaceId: '', contentHash: '' };
  for (;;) {
    const page = await store.reader.checks.contentsPage({ after, limit: rowsOfPage, withBytes: readBytes });
    const last = page.at(-1);
    if (last === undefined) return { contents, bytesRead };
    const waiting = page.values();
    const check = async () => {
      for (const content of waiting) {
        const rule = await faultOf(blobs, content, readBytes);
        if (rule !== null) report(rule, content.workspaceId, content.contentHash);
        contents += 1;
        if (readBytes) bytesRead += content.sizeBytes;
      }
    };
    await Promise.all(Array.from({ length: atOnce }, check));
    after = last;
    progress(contents, bytesRead);
  }
}

async function faultOf(
  blobs: ServiceDeps['blobs'],
  { generation, bytes, ...content }: CheckedContent,
  readBytes: boolean,
): Promise<ContentRule | null> {
  const { contentHash, sizeBytes } = content;
  if (generation === null) {
    // Without its bytes, a row rule has judged their number.
    return bytes === null || hashOf('sha256', bytes) === contentHash ? null : 'stored_bytes_wrong';
  }
  const end = readBytes ? sizeBytes : Math.min(1, sizeBytes);
  let stream: ReadableStream<Uint8Array>;
  try {
    stream = await blobs.open({ ...content, generation }, { start: 0, end, sizeBytes });
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'stored_bytes_missing')
      return 'stored_bytes_missing';
    throw error;
  }
  if (!readBytes) {
    await stream.cancel();
    return null;
  }
  const hash = createHash('sha256');
  try {
    for await (const chunk of stream) hash.update(chunk);
  } catch (error) {
    // A store that is away, or refuses us, says nothing of the bytes; one that verifies them breaks the transfer.
    if (error instanceof WorkspaceError && error.code !== 'stored_bytes_missing') throw error;
    return 'stored_bytes_wrong';
  }
  return hash.digest('hex') === contentHash ? null : 'stored_bytes_wrong';
}
