import { createHash, type Hash, hash } from 'node:crypto';
import {
  type ContentHash,
  fileBytesLimit,
  frontMatterMaxBytes,
  inlineBytesMax,
  WorkspaceError,
} from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import { quarantineIfWrong } from '../contents/quarantine.ts';
import { opensWithFence } from '../front-matter/front-matter-reader.ts';
import { planOf } from '../plans.ts';
import type { BlobKey, BlobStore, BlobUpload } from '../ports/blob-store.ts';
import type { BlobLocation } from '../ports/blobs.ts';
import type { FrontMatterReading } from '../ports/front-matter.ts';
import type { Transaction } from '../ports/transaction.ts';
import { together } from '../script-steps.ts';
import type { ServiceDeps } from '../service-deps.ts';

/** Received bytes that a row can name: in memory, or already durable in the blob store. */
export interface IncomingContent {
  readonly contentHash: ContentHash;
  readonly sizeBytes: number;
  readonly location: BlobLocation;
  readonly frontMatter: FrontMatterReading;
}

/** Content of a version that was not uploaded as it is: bytes that a row already names, or a merged text. */
export type SettledContent =
  | {
      readonly kind: 'stored';
      readonly contentHash: ContentHash;
      readonly sizeBytes: number;
      readonly contentType: string;
    }
  | { readonly kind: 'merged'; readonly content: IncomingContent; readonly contentType: string };

/**
 * Stores a content, and its front matter even when the content already existed.
 * @returns whether a row now names the stored object; if not, the object is an orphan and its uploader removes it.
 */
export async function keepContent(
  tx: Transaction,
  workspaceId: string,
  { frontMatter, ...content }: IncomingContent,
  now: number,
): Promise<boolean> {
  const [kept] = await together(
    tx.write.keepBlob({ workspaceId, createdAt: now, ...content }),
    keepReading(tx, workspaceId, content.contentHash, frontMatter),
  );
  return kept === 'kept';
}

async function keepReading(
  tx: Transaction,
  workspaceId: string,
  contentHash: ContentHash,
  reading: FrontMatterReading,
): Promise<void> {
  if (reading.kind === 'unread') await tx.write.leaveUnread(workspaceId, contentHash);
  else if (reading.frontMatter !== null) {
    await tx.write.keepFrontMatter(workspaceId, contentHash, reading.frontMatter);
  }
}

/** Received bytes, and a way to discard them when no row names them. */
export interface ReceivedContent {
  readonly content: Omit<IncomingContent, 'frontMatter'>;
  /** The content's first bytes, to be searched for front matter. Null when it cannot have any. */
  readonly beginning: Uint8Array | null;
  discard(): Promise<void>;
}

interface StreamedUpload {
  readonly blob: BlobUpload;
  readonly hash: Hash;
}

/**
 * Counts, hashes and stores a body in one pass. Up to `inlineBytesMax` it stays in memory; a larger body is streamed to
 * the blob store with back-pressure, so that memory stays constant for any size. When it resolves, large bytes are
 * durable.
 *
 * @param body hands over its chunks: their memory may be released as soon as the next one is requested.
 * @throws WorkspaceError `file_too_large` as soon as the limit is passed; nothing is stored. Errors of `body` pass
 * through, and nothing is stored then either.
 */
export async function receiveContent(
  blobs: BlobStore,
  workspaceId: string,
  body: AsyncIterable<Uint8Array>,
  limitBytes: number,
): Promise<ReceivedContent> {
  const held: Uint8Array[] = [];
  let sizeBytes = 0;
  let upload: StreamedUpload | null = null;
  let beginning: Uint8Array | null = null;
  try {
    for await (const chunk of body) {
      sizeBytes += chunk.byteLength;
      if (sizeBytes > limitBytes) throw new WorkspaceError('file_too_large', { limitBytes });
      if (upload === null && sizeBytes <= inlineBytesMax) {
        held.push(chunk);
        continue;
      }
      if (upload === null) {
        beginning = beginningOf([...held, chunk]);
        upload = { blob: await blobs.beginUpload(workspaceId), hash: createHash('sha256') };
        for (const early of held.splice(0)) await take(upload, early);
      }
      await take(upload, chunk);
    }
    if (upload === null) {
      const only = held[0];
      const bytes = held.length === 1 && only !== undefined ? only : concatenate(held, sizeBytes);
      const contentHash = hash('sha256', bytes) as ContentHash;
      return {
        content: { contentHash, sizeBytes, location: { kind: 'inline', bytes } },
        beginning: beginningOf([bytes]),
        discard: async () => {},
      };
    }
    const contentHash = upload.hash.digest('hex') as ContentHash;
    const generation = await upload.blob.finish({ contentHash, sizeBytes });
    const key: BlobKey = { workspaceId, contentHash, generation };
    return {
      content: { contentHash, sizeBytes, location: { kind: 'stored', generation } },
      beginning,
      // An object that cannot be removed now is an orphan for the sweeper; the outcome does not change.
      discard: () => blobs.remove(key).catch(() => {}),
    };
  } finally {
    await upload?.blob[Symbol.asyncDispose]();
  }
}

/** Hashes before it writes, because writing hands the chunk over. Content in memory is hashed as a whole instead. */
async function take({ blob, hash }: StreamedUpload, chunk: Uint8Array): Promise<void> {
  hash.update(chunk);
  await blob.write(chunk);
}

/** Copies the bytes when there are several chunks: the chunks are handed over. */
function beginningOf(chunks: readonly Uint8Array[]): Uint8Array | null {
  const [only, ...more] = chunks;
  const bytes = only !== undefined && more.length === 0 ? only : concatenate(chunks, totalBytes(chunks));
  return opensWithFence(bytes) ? bytes.slice(0, frontMatterMaxBytes) : null;
}

function totalBytes(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

function concatenate(chunks: readonly Uint8Array[], sizeBytes: number): Uint8Array {
  const bytes = new Uint8Array(sizeBytes);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

/** Maximum file size in this workspace, in bytes. */
export function writeLimitBytes(deps: Pick<ServiceDeps, 'plans'>, access: WorkspaceAccess): number {
  return fileBytesLimit(planOf(deps.plans, access.workspace.planId), deps.plans.maxFileBytes);
}

/**
 * Receives a body and runs a transaction that can name it; discards bytes that no row names afterwards.
 * @param change returns whether a row now names the content.
 * @throws WorkspaceError `file_too_large`, and the errors of `change`
 */
export async function withIncoming<Outcome>(
  deps: Pick<ServiceDeps, 'store' | 'blobs' | 'frontMatter' | 'plans' | 'clock'>,
  access: WorkspaceAccess,
  body: AsyncIterable<Uint8Array>,
  change: (incoming: { readonly content: IncomingContent }) => Promise<{
    readonly outcome: Outcome;
    readonly contentKept: boolean;
  }>,
): Promise<Outcome> {
  const workspaceId = access.workspace.id;
  const received = await receiveContent(deps.blobs, workspaceId, body, writeLimitBytes(deps, access));
  try {
    const { content, beginning } = received;
    // A row that already names an object with these bytes continues to name it, so that object is checked first.
    if (content.location.kind === 'stored') await quarantineIfWrong(deps, workspaceId, content);
    const frontMatter =
      beginning === null
        ? ({ kind: 'read', frontMatter: null } as const)
        : await deps.frontMatter.read(workspaceId, beginning);
    const { outcome, contentKept } = await change({ content: { ...content, frontMatter } });
    if (!contentKept) await received.discard();
    return outcome;
  } catch (error) {
    // Only a rejection proves that no row names the bytes. After any other failure, and when the database stops
    // responding, the sweeper decides.
    if (error instanceof WorkspaceError && error.code !== 'overloaded') await received.discard();
    throw error;
  }
}
