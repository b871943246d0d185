// docs/decisions/0005-where-bytes-live.md
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
  /** The faulty object; null for bytes in the database. */
  readonly generation: string | null;
  readonly fault: ContentFault;
  readonly now: number;
}

/** Quarantines a content unless it was repaired in the meantime. @returns whether it was quarantined. */
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

/** Releases a content whose bytes are correct after all: a disk was unmounted, or a faulty cable was replaced. */
export const releaseContentScript = defineScript<ReleaseCommand, null>(
  'contents.release',
  async (tx, content) => {
    await tx.write.lockWorkspace(content.workspaceId);
    await tx.write.release(content);
    return null;
  },
);

interface RepairCommand {
  readonly workspaceId: string;
  readonly contentHash: ContentHash;
  readonly sizeBytes: number;
  /** Location of the bytes, which were just verified. */
  readonly location: BlobLocation;
  /** The fault, when the content is not in quarantine yet. */
  readonly wrong: Pick<QuarantineCommand, 'generation' | 'fault'> | null;
  readonly now: number;
}

/** Stores the right bytes of a content in place of corrupt ones. @returns whether a row names them now. */
export const repairContentScript = defineScript<RepairCommand, boolean>(
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
 * Limits how long an upload waits for the read of an existing content, and how many bytes an object store transfers:
 * about a second. For larger contents only the presence and the size are checked.
 */
export const readBeforeGivenUpBytesMax = 64 * 1024 * 1024;

/**
 * Checks an existing content before an upload of the same bytes is discarded in its favour. Quarantines it when it is
 * missing or corrupt, so that the upload is stored.
 * @throws WorkspaceError `overloaded` when a remote store is unreachable.
 */
export async function quarantineIfWrong(
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
