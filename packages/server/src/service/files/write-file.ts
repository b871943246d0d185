import { fileBytesLimit, WorkspaceError, type WorkspacePath, type WritePrecondition } from '@stoa/core';
import type { WorkspaceAccess } from '../access/workspace-access.ts';
import { authorOf } from '../changes/change-author.ts';
import { refuseReadOnly } from '../changes/open-for-change.ts';
import { planOf } from '../plans.ts';
import { refuseHidden } from '../privacy/find-owner.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { receiveContent } from './receive-content.ts';
import { writeFileScript } from './write-file-script.ts';
import type { WriteOutcome } from './write-outcome.ts';

/**
 * The refusals that can be told before a body is read: hidden path, read-only workspace, declared size in bytes (null:
 * not declared), missing precondition. A hint to save the upload: the transaction asks all of them again.
 */
export async function refuseWriteEarly(
  deps: Pick<ServiceDeps, 'store' | 'plans'>,
  access: WorkspaceAccess,
  write: {
    readonly path: WorkspacePath;
    readonly precondition: WritePrecondition;
    readonly declaredBytes: number | null;
  },
): Promise<void> {
  const { reader } = deps.store;
  await refuseHidden(reader, access.workspace.id, write.path, access.viewer);
  refuseReadOnly(access.workspace);
  const limitBytes = writeLimitBytes(deps, access);
  if (write.declaredBytes !== null && write.declaredBytes > limitBytes) {
    throw new WorkspaceError('file_too_large', { limitBytes });
  }
  if (write.precondition.kind === 'none') {
    const current = await reader.files.find(access.workspace.id, write.path);
    if (current !== null) throw new WorkspaceError('precondition_required');
  }
}

/** The largest file that this workspace takes, in bytes. */
export function writeLimitBytes(deps: Pick<ServiceDeps, 'plans'>, access: WorkspaceAccess): number {
  return fileBytesLimit(planOf(deps.plans, access.workspace.planId), deps.plans.maxFileBytes);
}

/**
 * Writes a file (interface: files, Write). Resolves after the durable commit.
 *
 * @param write.contentType as sent, already known to be a media type; null asks for the guess from the extension.
 * @param write.emptyAllowed whether a body of no bytes is a legal file: it is one, but REST takes it for a mistake.
 * @throws WorkspaceError `file_not_found`, `workspace_read_only`, `file_too_large`, `empty_body`, `path_taken`,
 * `storage_full`
 */
export async function writeFile(
  deps: ServiceDeps,
  access: WorkspaceAccess,
  write: {
    readonly path: WorkspacePath;
    readonly precondition: WritePrecondition;
    readonly contentType: string | null;
    readonly body: AsyncIterable<Uint8Array>;
    readonly emptyAllowed: boolean;
  },
): Promise<WriteOutcome> {
  const workspaceId = access.workspace.id;
  const received = await receiveContent(deps.blobs, workspaceId, write.body, writeLimitBytes(deps, access));
  const { content } = received;
  if (content.sizeBytes === 0 && !write.emptyAllowed) throw new WorkspaceError('empty_body');
  try {
    const { outcome, contentKept } = await deps.store.transact(writeFileScript, {
      ...authorOf(access, deps.clock()),
      path: write.path,
      precondition: write.precondition,
      contentType: write.contentType,
      content,
    });
    if (!contentKept) await received.discard();
    return outcome;
  } catch (error) {
    // Only a refusal proves that no row names the bytes. After any other failure, and where the database stopped
    // answering, they are left to the sweeper.
    if (error instanceof WorkspaceError && error.code !== 'overloaded') await received.discard();
    throw error;
  }
}
