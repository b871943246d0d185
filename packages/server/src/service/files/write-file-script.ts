import {
  decideQuota,
  decideWrite,
  fileBytesLimit,
  growthBy,
  guessContentType,
  WorkspaceError,
  type WorkspacePath,
  type WritePrecondition,
} from '@stoa/core';
import type { ChangeAuthor } from '../changes/change-author.ts';
import { openForChange, refuseReadOnly } from '../changes/open-for-change.ts';
import { together } from '../changes/together.ts';
import { planOf } from '../plans.ts';
import { defineScript } from '../ports/script.ts';
import { refuseHidden } from '../privacy/find-owner.ts';
import { type IncomingContent, keepContent } from './incoming-content.ts';
import { keepLosingBytes } from './keep-losing-bytes.ts';
import { putVersion } from './put-version.ts';
import { refuseTakenPath } from './refuse-taken-path.ts';
import type { WriteOutcome } from './write-outcome.ts';

export interface WriteFileCommand extends ChangeAuthor {
  readonly path: WorkspacePath;
  readonly precondition: WritePrecondition;
  /** As sent; null asks for the guess from the extension. */
  readonly contentType: string | null;
  readonly content: IncomingContent;
}

export interface WriteFileResult {
  readonly outcome: WriteOutcome;
  /** Whether a row names the uploaded bytes now: if not, an uploaded object is an orphan. */
  readonly contentKept: boolean;
}

/** Creates or updates a file, or keeps the losing bytes beside it, in one transaction. */
export const writeFileScript = defineScript<WriteFileCommand, WriteFileResult>(
  'files.write',
  async (tx, command, context) => {
    const { path, content } = command;
    const [{ workspace }, ownerId, current] = await together(
      openForChange(tx, command),
      refuseHidden(tx, command.workspaceId, path, command.viewer),
      tx.files.find(command.workspaceId, path),
    );
    refuseReadOnly(workspace);
    const plan = planOf(context.plans, workspace.planId);
    const limitBytes = fileBytesLimit(plan, context.plans.maxFileBytes);
    if (content.sizeBytes > limitBytes) throw new WorkspaceError('file_too_large', { limitBytes });

    const decision = decideWrite(current, content.contentHash, command.precondition);
    switch (decision.kind) {
      case 'create':
      case 'update': {
        if (current === null) await refuseTakenPath(tx, workspace.id, path, command.viewer);
        const refusal = decideQuota(workspace, plan, growthBy(content.sizeBytes, current));
        if (refusal !== null) return { outcome: refusal, contentKept: false };
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
        return { outcome: { kind: 'unchanged', path, version: decision.version }, contentKept: false };
      case 'precondition_required':
        return { outcome: decision, contentKept: false };
      case 'conflict': {
        const kept = await keepLosingBytes(tx, context, workspace, command, { ...command, ownerId });
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
