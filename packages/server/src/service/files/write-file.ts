// docs/speed.md
import {
  decideQuota,
  decideWrite,
  type ErrorCode,
  fileBytesLimit,
  growthBy,
  guessContentType,
  inlineBytesMax,
  type OnConflict,
  type QuotaError,
  WorkspaceError,
  type WorkspacePath,
  type WritePrecondition,
} from '@stoa/core';
import type { WorkspaceAccess } from '../access.ts';
import { planOf } from '../plans.ts';
import type { FoundFile, PathContext } from '../ports/files.ts';
import { defineScript } from '../ports/script.ts';
import type { Transaction } from '../ports/transaction.ts';
import { rejectHiddenFrom } from '../privacy/find-owner.ts';
import { authorOf, type ChangeAuthor, openForChange, rejectReadOnly, together } from '../script-steps.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { keepLosingBytes } from './keep-losing-bytes.ts';
import { putVersion, rejectTakenPath, reportedQuota } from './put-version.ts';
import { type IncomingContent, keepContent, withIncoming, writeLimitBytes } from './receive-content.ts';

/** Result of a write (interface: files, Write). */
export type WriteOutcome =
  | { readonly kind: 'created'; readonly path: WorkspacePath; readonly version: number }
  | { readonly kind: 'updated'; readonly path: WorkspacePath; readonly version: number }
  /** The file already had the same bytes: no new version, no record. */
  | { readonly kind: 'unchanged'; readonly path: WorkspacePath; readonly version: number }
  | {
      readonly kind: 'conflict';
      readonly currentVersion: number;
      readonly conflictCopyPath: WorkspacePath;
    }
  /** The file has changed since, and the writer asked not to keep a losing write. */
  | { readonly kind: 'refused'; readonly currentVersion: number }
  | { readonly kind: 'precondition_required'; readonly currentVersion: number }
  | QuotaError;

/**
 * Runs the checks that do not need the body: hidden path, read-only workspace, declared size in bytes (null: not
 * declared), missing precondition. A hint that saves the upload: the transaction repeats all of them.
 */
export async function rejectWriteEarly(
  deps: Pick<ServiceDeps, 'store' | 'plans'>,
  access: WorkspaceAccess,
  write: {
    readonly path: WorkspacePath;
    readonly precondition: WritePrecondition;
    readonly declaredBytes: number | null;
  },
): Promise<void> {
  const { reader } = deps.store;
  const { file: current, ownerId } = await reader.files.findWithOwner(access.workspace.id, write.path);
  rejectHiddenFrom(access.viewer, write.path, ownerId);
  rejectReadOnly(access.workspace);
  const limitBytes = writeLimitBytes(deps, access);
  if (write.declaredBytes !== null && write.declaredBytes > limitBytes) {
    throw new WorkspaceError('file_too_large', { limitBytes });
  }
  if (write.precondition.kind === 'none' && current !== null) {
    throw new WorkspaceError('precondition_required');
  }
}

/** A write that can be rejected before its body, in its transaction, or at both times. */
export interface RejectableWrite {
  /** Null: not declared. */
  readonly declaredBytes: number | null;
  /** Whether the client sends the body only on request (`100-continue`): an early rejection saves the upload. */
  readonly isBodyHeldBack: boolean;
  /** Runs `rejectWriteEarly` with the values known by then. */
  rejectEarly(): Promise<void>;
}

/**
 * Runs a write with or without its early checks. Receiving a small body in memory costs less than the checks, and the
 * transaction repeats them anyway. Errors of the request itself have lower precedence, so when one occurs the checks
 * run afterwards.
 */
export async function rejectingEarly<Outcome>(
  deps: Pick<ServiceDeps, 'plans'>,
  access: WorkspaceAccess,
  { declaredBytes, isBodyHeldBack, rejectEarly }: RejectableWrite,
  write: (asked: boolean) => Promise<Outcome>,
): Promise<Outcome> {
  const smallMax = Math.min(inlineBytesMax, writeLimitBytes(deps, access));
  if (isBodyHeldBack || declaredBytes === null || declaredBytes > smallMax) {
    await rejectEarly();
    return write(true);
  }
  try {
    return await write(false);
  } catch (error) {
    if (error instanceof WorkspaceError && ofTheRequest.has(error.code)) await rejectEarly();
    throw error;
  }
}

/** Errors that do not depend on the workspace. */
const ofTheRequest: ReadonlySet<ErrorCode> = new Set([
  'invalid_precondition',
  'invalid_request',
  'unsupported_content_coding',
  'unsupported_transfer_coding',
  'empty_body',
  'upload_interrupted',
]);

/**
 * Writes a file (interface: files, Write). Resolves after the durable commit.
 *
 * @param write.contentType as sent, already validated as a media type; null: guess from the extension.
 * @param write.emptyAllowed whether a body of no bytes is accepted: REST rejects it by default as a mistake.
 * @throws WorkspaceError `file_not_found`, `workspace_read_only`, `file_too_large`, `empty_body`, `path_taken`,
 * `storage_full`
 */
export async function writeFile(
  deps: Pick<ServiceDeps, 'store' | 'blobs' | 'frontMatter' | 'clock' | 'plans'>,
  access: WorkspaceAccess,
  write: {
    readonly path: WorkspacePath;
    readonly precondition: WritePrecondition;
    readonly onConflict: OnConflict;
    readonly contentType: string | null;
    readonly body: AsyncIterable<Uint8Array>;
    readonly emptyAllowed: boolean;
  },
): Promise<WriteOutcome> {
  const { path, precondition, onConflict, contentType } = write;
  return withIncoming(deps, access, write.body, async ({ content }) => {
    if (content.sizeBytes === 0 && !write.emptyAllowed) throw new WorkspaceError('empty_body');
    const author = authorOf(access, deps.clock());
    const command = { ...author, path, precondition, onConflict, contentType, content };
    return deps.store.transact(writeFileScript, command);
  });
}

export interface WriteFileCommand extends ChangeAuthor {
  readonly path: WorkspacePath;
  readonly precondition: WritePrecondition;
  readonly onConflict: OnConflict;
  /** As sent; null: guess from the extension. */
  readonly contentType: string | null;
  readonly content: IncomingContent;
}

export interface WriteFileResult {
  readonly outcome: WriteOutcome;
  /** Whether a row now names the uploaded bytes: if not, an uploaded object is an orphan. */
  readonly contentKept: boolean;
}

/** For an expected create, the parent check is part of the same query: one round trip less. */
async function readTarget(
  { files }: Pick<Transaction, 'files'>,
  { workspaceId, path, precondition }: WriteFileCommand,
): Promise<readonly [found: FoundFile, surroundings: PathContext | null]> {
  switch (precondition.kind) {
    case 'version':
    case 'standing':
      return [await files.findWithOwner(workspaceId, path), null];
    case 'absent':
    case 'none': {
      const found = await files.findWithSurroundings(workspaceId, path);
      return [found, found];
    }
  }
}

/** Creates or updates a file, or keeps the losing bytes next to it, in one transaction. */
export const writeFileScript = defineScript<WriteFileCommand, WriteFileResult>(
  'files.write',
  async (tx, command, context) => {
    const { path, content } = command;
    const [{ workspace }, [{ file: current, ownerId }, parents]] = await together(
      openForChange(tx, command, 'write'),
      readTarget(tx, command),
    );
    rejectHiddenFrom(command.viewer, path, ownerId);
    rejectReadOnly(workspace);
    const plan = planOf(context.plans, workspace.planId);
    const limitBytes = fileBytesLimit(plan, context.plans.maxFileBytes);
    if (content.sizeBytes > limitBytes) throw new WorkspaceError('file_too_large', { limitBytes });

    const decision = decideWrite(current, content.contentHash, command.precondition, command.onConflict);
    switch (decision.kind) {
      case 'create':
      case 'update': {
        if (current === null) await rejectTakenPath(tx, workspace.id, path, command.viewer, parents);
        const error = decideQuota(workspace, plan, growthBy(content.sizeBytes, current));
        if (error !== null) return { outcome: await reportedQuota(tx, command, error), contentKept: false };
        const [contentKept, version] = await together(
          keepContent(tx, workspace.id, content, command.now),
          putVersion(tx, command, {
            path,
            current,
            version: decision.kind === 'update' ? decision.version : 1,
            op: 'write',
            contentHash: content.contentHash,
            sizeBytes: content.sizeBytes,
            contentType: command.contentType ?? guessContentType(path),
            ownerId,
          }),
        );
        const kind = decision.kind === 'create' ? 'created' : 'updated';
        return { outcome: { kind, path, version }, contentKept };
      }
      case 'unchanged':
        return {
          outcome: { kind: 'unchanged', path, version: decision.version },
          // When the stored bytes are corrupt, these replace them.
          contentKept: await keepContent(tx, workspace.id, content, command.now),
        };
      case 'gone':
        throw new WorkspaceError('file_not_found');
      case 'precondition_required':
      case 'refused':
        return { outcome: decision, contentKept: false };
      case 'conflict': {
        const kept = await keepLosingBytes(tx, context, workspace, command, {
          ...command,
          ownerId,
          seen: 'version' in command.precondition ? command.precondition : null,
        });
        if (kept.kind !== 'kept') return { outcome: kept, contentKept: false };
        const { currentVersion } = decision;
        return {
          outcome: { kind: 'conflict', currentVersion, conflictCopyPath: kept.path },
          contentKept: kept.contentKept,
        };
      }
    }
  },
);
