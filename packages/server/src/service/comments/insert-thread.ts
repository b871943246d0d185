import {
  type Anchor,
  type ByteRange,
  type ContentHash,
  isMarkdown,
  WorkspaceError,
  type WorkspacePath,
} from '@stoa/core';
import type { ThreadWithFile } from '../ports/comments.ts';
import { defineScript } from '../ports/script.ts';
import { rejectHidden } from '../privacy/find-owner.ts';
import { type ChangeAuthor, openForChange, rejectReadOnly, stampOf } from '../script-steps.ts';
import { recordComment, rejectTooManyComments } from './record-comment.ts';

interface InsertThreadCommand extends ChangeAuthor {
  readonly id: string;
  readonly path: WorkspacePath;
  readonly body: string;
  readonly anchor: Anchor;
  readonly range: ByteRange;
  /** The content in which `range` was located. */
  readonly contentHash: ContentHash;
}

export type InsertThreadOutcome =
  | { readonly kind: 'created'; readonly thread: ThreadWithFile }
  /** The file's bytes have changed: nothing was stored, and the anchor has to be located again. */
  | { readonly kind: 'content_changed' };

/** Stores a thread whose anchor was located outside the transaction, if the file still has the same bytes. */
export const insertThreadScript = defineScript<InsertThreadCommand, InsertThreadOutcome>(
  'comments.insert-thread',
  async (tx, command) => {
    const { id, path, body, anchor, range } = command;
    const { workspace } = await openForChange(tx, command, 'comment');
    const ownerId = await rejectHidden(tx, workspace.id, path, command.viewer);
    const file = await tx.files.find(workspace.id, path);
    if (file === null) throw new WorkspaceError('file_not_found');
    rejectReadOnly(workspace);
    if (!isMarkdown(path, file.contentType)) throw new WorkspaceError('not_markdown');
    if (file.contentHash !== command.contentHash) return { kind: 'content_changed' };
    rejectTooManyComments(workspace);
    const seq = await recordComment(tx, command, { op: 'comment_created', path, file, ownerId });
    const head = {
      id,
      workspaceId: workspace.id,
      seq,
      path,
      anchor,
      pinnedRange: range,
      pinnedVersion: file.version,
      pinnedContentHash: file.contentHash,
      pinnedSizeBytes: file.sizeBytes,
      createdAt: command.now,
      ...stampOf(command.actor),
    };
    await tx.write.insertThread({ ...head, body });
    const { version, contentHash, sizeBytes } = file;
    return {
      kind: 'created',
      thread: { ...head, resolution: null, file: { version, contentHash, sizeBytes } },
    };
  },
);
