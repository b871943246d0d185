import { type ContentHash, growthBy, type VersionOp, type WorkspacePath } from '@stoa/core';
import { type Authorship, audienceOf, recordChange, stampOf } from '../changes/record-change.ts';
import { together } from '../changes/together.ts';
import type { FileRow, VersionRow } from '../ports/files.ts';
import type { Transaction } from '../ports/transaction.ts';

/** A version about to become current at a path. `current` is what stands there now. */
export interface NextVersion {
  readonly path: WorkspacePath;
  readonly current: FileRow | null;
  /** The number that the decision gave it: 1 where nothing stands. */
  readonly version: number;
  readonly op: VersionOp;
  readonly contentHash: ContentHash;
  readonly sizeBytes: number;
  readonly contentType: string;
  /** To whom the path is private, or null. */
  readonly ownerId: string | null;
  readonly movedFrom?: VersionRow['movedFrom'];
  readonly conflictOf?: WorkspacePath;
}

/**
 * Puts a version in place with its feed record: version 1 of a new incarnation when nothing stands there, else the next
 * version of the one that does. The bytes are kept already and the quota is judged already.
 * @returns the version's number.
 */
export async function putVersion(tx: Transaction, author: Authorship, next: NextVersion): Promise<number> {
  const { current, path, version, contentHash, sizeBytes, contentType } = next;
  const seq = await tx.write.takeSeqs(author.workspaceId, 1, growthBy(sizeBytes, current));
  return putVersionAt(tx, author, next, seq, {
    workspaceId: author.workspaceId,
    path,
    incarnation: current?.incarnation ?? seq,
    version,
    sizeBytes,
    contentType,
    contentHash,
  });
}

/** As `putVersion`, at a seq that the caller took and counted. */
export async function putVersionAt(
  tx: Transaction,
  author: Authorship,
  next: Pick<NextVersion, 'op' | 'ownerId' | 'movedFrom' | 'conflictOf'>,
  seq: number,
  file: FileRow,
): Promise<number> {
  await together(
    tx.write.putFile(file),
    tx.write.insertVersion({
      ...file,
      ...stampOf(author.actor),
      op: next.op,
      createdAt: author.now,
      movedFrom: next.movedFrom ?? null,
      conflictOf: next.conflictOf ?? null,
    }),
    recordChange(tx, author, {
      seq,
      path: file.path,
      op: next.op,
      version: file.version,
      // A conflict record names no content: the losing bytes are read at the copy's path.
      contentHash: next.op === 'conflict' ? null : file.contentHash,
      audience: audienceOf(next.ownerId),
      ...(next.movedFrom ? { movedFrom: next.movedFrom.path } : {}),
      ...(next.conflictOf === undefined ? {} : { conflictOf: next.conflictOf }),
    }),
  );
  return file.version;
}
