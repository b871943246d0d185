import {
  type ContentHash,
  foldersAbove,
  growthBy,
  type QuotaError,
  type VersionOp,
  type Viewer,
  WorkspaceError,
  type WorkspacePath,
} from '@stoa/core';
import type { ConflictBase, FileRow, PathContext, VersionRow } from '../ports/files.ts';
import type { Reader } from '../ports/reader.ts';
import type { Transaction } from '../ports/transaction.ts';
import { isHidden } from '../privacy/find-owner.ts';
import {
  type Authorship,
  audienceOf,
  type ChangeAuthor,
  recordChange,
  stampOf,
  together,
} from '../script-steps.ts';

/** A version about to become current at a path. `current` is the file there now. */
export interface NextVersion {
  readonly path: WorkspacePath;
  readonly current: FileRow | null;
  /** The number from the write decision: 1 without a current file. */
  readonly version: number;
  readonly op: VersionOp;
  readonly contentHash: ContentHash;
  readonly sizeBytes: number;
  readonly contentType: string;
  /** The owner of a private path, or null. */
  readonly ownerId: string | null;
  readonly movedFrom?: VersionRow['movedFrom'];
  readonly conflictOf?: WorkspacePath;
  readonly conflictBase?: ConflictBase | null;
}

/**
 * Makes a version current and writes its feed record: version 1 of a new file, else the next version of the current
 * one. The caller has already stored the bytes and checked the quota.
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

/** As `putVersion`, at a seq that the caller has taken and counted. */
export async function putVersionAt(
  tx: Transaction,
  author: Authorship,
  next: Pick<NextVersion, 'op' | 'ownerId' | 'movedFrom' | 'conflictOf' | 'conflictBase'>,
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
      conflictBase: next.conflictBase ?? null,
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
      ...(next.conflictOf === undefined
        ? {}
        : { conflictOf: next.conflictOf, conflictBase: next.conflictBase?.version ?? null }),
    }),
  );
  return file.version;
}

async function readPathContext(
  { files }: Pick<Reader, 'files'>,
  workspaceId: string,
  path: WorkspacePath,
): Promise<PathContext> {
  const parent = foldersAbove(path).at(-1);
  const [isFolder, isParentFolder] = await together(
    files.hasBelow(workspaceId, path),
    parent === undefined ? Promise.resolve(true) : files.hasBelow(workspaceId, parent),
  );
  return { isFolder, isParentFolder };
}

/**
 * Rejects a new file whose path is already a folder or goes through a file: no client could mirror both `a` and `a/b`
 * to a disk. Does not name an obstacle that is hidden from the caller.
 * @param surroundings the parent check, when it was already read.
 * @throws WorkspaceError `path_taken`, or `file_not_found` when the obstacle belongs to another member.
 */
export async function rejectTakenPath(
  reader: Pick<Reader, 'files' | 'nodes'>,
  workspaceId: string,
  path: WorkspacePath,
  viewer: Viewer,
  context: PathContext | null = null,
): Promise<void> {
  const { isFolder, isParentFolder } = context ?? (await readPathContext(reader, workspaceId, path));
  // When the parent already contains something, every folder above exists: one lookup instead of one for each.
  const unsure = isParentFolder ? [] : foldersAbove(path);
  const obstacles = await together(...unsure.map((folder) => reader.files.find(workspaceId, folder)));
  for (const [index, folder] of unsure.entries()) {
    if (obstacles[index] === null) continue;
    if (await isHidden(reader, workspaceId, folder, viewer)) throw new WorkspaceError('file_not_found');
    throw new WorkspaceError('path_taken', {}, `"${folder}" is a file, so nothing can be put below it`);
  }
  if (isFolder) {
    if (!(await reader.files.hasVisibleAtOrBelow(workspaceId, path, viewer))) {
      throw new WorkspaceError('file_not_found');
    }
    throw new WorkspaceError('path_taken', {}, `"${path}" is a folder, so no file can be put at that path`);
  }
}

/** Returns a quota error as its author may see it: for a key with a path, the numbers cover only that path. */
export async function reportedQuota(
  tx: Pick<Transaction, 'files'>,
  { workspaceId, viewer }: Pick<ChangeAuthor, 'workspaceId' | 'viewer'>,
  error: QuotaError,
): Promise<QuotaError> {
  if (viewer.within === '') return error;
  const { usedBytes, usedFiles, historyBytes } = await tx.files.usageWithin(workspaceId, viewer);
  switch (error.kind) {
    case 'quota_exceeded':
      return { ...error, usedBytes };
    case 'file_count_exceeded':
      return { ...error, usedFiles };
    case 'history_exceeded':
      return { ...error, usedBytes: historyBytes };
  }
}
