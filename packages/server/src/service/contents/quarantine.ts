// docs/decisions/0067-bytes-are-read-again.md
import type { ContentHash } from '@stoa/core';
import type { BlobLocation } from '../ports/blobs.ts';
import { defineScript } from '../ports/script.ts';
import type { ContentFault } from '../ports/scrub.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { faultOf } from './find-fault.ts';
import { isContent } from './is-content.ts';

interface QuarantineCommand {
  readonly workspaceId: string;
  readonly contentHash: ContentHash;
  /** The object that was found wrong; null for bytes in the database. */
  readonly generation: string | null;
  readonly fault: ContentFault;
  readonly now: number;
}

/** Puts a content aside unless it was mended meanwhile. @returns whether it was put aside. */
export const quarantineScript = defineScript<QuarantineCommand, boolean>(
  'contents.quarantine',
  async (tx, { workspaceId, contentHash, generation, fault, now }) => {
    await tx.write.lockWorkspace(workspaceId);
    if (generation === null) {
      const kept = await tx.blobs.locate(workspaceId, contentHash);
      if (kept?.kind === 'inline' && isContent(kept.bytes, contentHash)) return false;
    }
    const content = { workspaceId, contentHash, generation };
    return await tx.write.quarantine(content, { fault, foundAt: now });
  },
);

interface ReleaseCommand {
  readonly workspaceId: string;
  readonly contentHash: ContentHash;
  readonly foundAt: number;
}

/** Takes a content back whose bytes were found right after all: the disk was away, or a faulty cable was changed. */
export const releaseContentScript = defineScript<ReleaseCommand, null>(
  'contents.release',
  async (tx, content) => {
    await tx.write.lockWorkspace(content.workspaceId);
    await tx.write.release(content);
    return null;
  },
);

interface MendCommand {
  readonly workspaceId: string;
  readonly contentHash: ContentHash;
  readonly sizeBytes: number;
  /** Where the bytes are that were just found right. */
  readonly location: BlobLocation;
  /** What was found wrong, where it is not put aside yet. */
  readonly wrong: Pick<QuarantineCommand, 'generation' | 'fault'> | null;
  readonly now: number;
}

/** Keeps the right bytes of a content in place of wrong ones. @returns whether a row names them now. */
export const mendContentScript = defineScript<MendCommand, boolean>(
  'contents.mend',
  async (tx, { wrong, now, ...content }) => {
    const { workspaceId, contentHash } = content;
    await tx.write.lockWorkspace(workspaceId);
    if (wrong !== null) {
      const { generation, fault } = wrong;
      await tx.write.quarantine({ workspaceId, contentHash, generation }, { fault, foundAt: now });
    }
    return (await tx.write.keepBlob({ ...content, createdAt: now })) === 'kept';
  },
);

/**
 * An upload waits while the content that is there is read, and from an object store each byte is transferred: so no more than
 * a second or so of reading. Of larger contents only the presence and the length are asked for.
 */
export const readBeforeGivenUpBytesMax = 64 * 1024 * 1024;

/**
 * Looks at a content that is there already before an upload of the same bytes is given up for it. Where it is missing or found
 * wrong, it is put aside, and the upload is kept.
 * @throws WorkspaceError `overloaded` when a store elsewhere cannot be reached.
 */
export async function putAsideIfWrong(
  { store, blobs, clock }: Pick<ServiceDeps, 'store' | 'blobs' | 'clock'>,
  workspaceId: string,
  { contentHash, sizeBytes }: { readonly contentHash: ContentHash; readonly sizeBytes: number },
): Promise<void> {
  const kept = await store.reader.blobs.locate(workspaceId, contentHash);
  if (kept === null) return;
  const generation = kept.kind === 'stored' ? kept.generation : null;
  const bytes = kept.kind === 'inline' ? kept.bytes : null;
  const readBytes = sizeBytes <= readBeforeGivenUpBytesMax;
  const fault = await faultOf(blobs, { workspaceId, contentHash, sizeBytes, generation, bytes }, readBytes);
  if (fault === null) return;
  await store.transact(quarantineScript, { workspaceId, contentHash, generation, fault, now: clock() });
}
