import type { ContentHash, PathPrefix, VersionOp, Viewer, WorkspacePath, WorkspaceUsage } from '@stoa/core';
import type { BlobLocation } from './blobs.ts';
import type { ActorStamp } from './changes.ts';
import type { FrontMatter } from './front-matter.ts';

/** The current file at a path. */
export interface FileRow {
  readonly workspaceId: string;
  readonly path: WorkspacePath;
  /** File id: one file's time at one path, from its creation or move to the next. It is the seq of the first change. */
  readonly incarnation: number;
  readonly version: number;
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly contentHash: ContentHash;
}

/** A file with metadata of its current version. */
export interface DetailedFileRow extends FileRow, ActorStamp {
  /** Milliseconds since the epoch. */
  readonly changedAt: number;
  /** Front matter of its bytes, whether or not the file is markdown. Also null while it is unparsed. */
  readonly frontMatter: FrontMatter | null;
}

/** Files within `prefix` after `afterPath` (null: from the start), at most `limit`. */
export interface FilePage {
  readonly workspaceId: string;
  readonly viewer: Viewer;
  readonly prefix: PathPrefix;
  readonly afterPath: WorkspacePath | null;
  readonly limit: number;
}

/** The version of the file that the writer of a conflicted copy had read. */
export interface ConflictBase {
  readonly version: number;
  readonly contentHash: ContentHash;
}

/** One stored version: of the current file, of an earlier file at the path, or of a deleted file. */
export interface VersionRow extends FileRow, ActorStamp {
  readonly op: VersionOp;
  readonly createdAt: number;
  /** The source of the move, on version 1 of a moved file. */
  readonly movedFrom: { readonly path: WorkspacePath; readonly incarnation: number } | null;
  /** On version 1 of a conflicted copy; also null when unknown. */
  readonly conflictBase: ConflictBase | null;
}

/** Origin of a file id: a move, a conflicted copy, or a plain creation. */
export interface FileBeginning extends Pick<VersionRow, 'path' | 'movedFrom' | 'conflictBase'> {
  /** The file that the conflicted copy belongs to. */
  readonly conflictOf: WorkspacePath | null;
}

/** A file as searches read it: its content, and the author and time of its last change. */
export type CurrentContent = Pick<FileRow, 'path' | 'version' | 'contentHash' | 'sizeBytes' | 'contentType'> &
  Pick<DetailedFileRow, 'changedAt' | 'principal' | 'actorId' | 'actorLabel'>;

export interface ChangedContent {
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly changedAt: number;
  readonly path: WorkspacePath;
  readonly file: Omit<CurrentContent, 'path'> | null;
}

/** The file at a path, and the owner of a private path; a path without a file can be private. Null owner: shared. */
export interface FoundFile {
  readonly file: FileRow | null;
  readonly ownerId: string | null;
}

/** Files and folders around a new file's path, visible or not. */
export interface PathContext {
  readonly isFolder: boolean;
  /** Whether the parent folder already contains something; true for a path at the top. */
  readonly isParentFolder: boolean;
}

export interface FileReader {
  find(workspaceId: string, path: WorkspacePath): Promise<FileRow | null>;
  /** One query for the hot path. It skips the privacy lookup in a workspace without privacy records. */
  findWithOwner(workspaceId: string, path: WorkspacePath): Promise<FoundFile>;
  /** `findWithOwner`, with the parent check for a new file. */
  findWithSurroundings(workspaceId: string, path: WorkspacePath): Promise<FoundFile & PathContext>;
  /** `findWithOwner`, with the location of the file's bytes; null also when the bytes are missing. */
  findWithContent(
    workspaceId: string,
    path: WorkspacePath,
  ): Promise<FoundFile & { readonly location: BlobLocation | null }>;
  /** True when any file, visible or not, is below `folder`. */
  hasBelow(workspaceId: string, folder: WorkspacePath): Promise<boolean>;
  /** True when a file that `viewer` may see is at or below `path`. */
  hasVisibleAtOrBelow(workspaceId: string, path: WorkspacePath, viewer: Viewer): Promise<boolean>;
  /**
   * Counts the files at or below `path` that every member sees and whose content another user than `userId` wrote last,
   * at most `limit`. A move does not count as writing.
   */
  countOthers(query: {
    readonly workspaceId: string;
    readonly path: WorkspacePath;
    readonly userId: string;
    readonly limit: number;
  }): Promise<number>;
  page(query: FilePage): Promise<readonly FileRow[]>;
  /** The same page, with details. */
  detailedPage(query: FilePage): Promise<readonly DetailedFileRow[]>;
  /**
   * All changes after `sinceSeq` in seq order, at most `limit`, each with the current file at its path, or null. Not
   * filtered by privacy: for searches, which check it.
   */
  contentsChangedSince(query: {
    readonly workspaceId: string;
    readonly sinceSeq: number;
    readonly limit: number;
  }): Promise<readonly ChangedContent[]>;
  /** All current files by path, with their contents. Not filtered by privacy, as above. */
  contentsPage(query: {
    readonly workspaceId: string;
    readonly afterPath: WorkspacePath | null;
    readonly limit: number;
  }): Promise<readonly CurrentContent[]>;
  /** A version of the current file at `path`; else of the newest earlier file there that has this version. */
  findVersion(workspaceId: string, path: WorkspacePath, version: number): Promise<VersionRow | null>;
  /**
   * Finds a version by number and content among all that are listed at `path`. These are the versions of the files
   * there, and of those that they were moved from, as far back as `viewer` sees each path. Of several matches, returns
   * the one of the newest file.
   */
  findListedVersion(query: {
    readonly workspaceId: string;
    readonly path: WorkspacePath;
    readonly version: number;
    readonly contentHash: ContentHash;
    readonly viewer: Viewer;
  }): Promise<VersionRow | null>;
  /** Null when no file began with this id. */
  beginningOf(workspaceId: string, incarnation: number): Promise<FileBeginning | null>;
  /** The ids of all files that were ever at `path`, newest first. */
  incarnationsAt(workspaceId: string, path: WorkspacePath): Promise<readonly number[]>;
  /** Versions of one file id below `belowVersion` (null: all), newest first, at most `limit`. */
  versionsOf(query: {
    readonly workspaceId: string;
    readonly incarnation: number;
    readonly path: WorkspacePath;
    readonly belowVersion: number | null;
    readonly limit: number;
  }): Promise<readonly VersionRow[]>;
  /** Usage that `viewer` may see: current files, and as history the versions at visible paths that are not current. */
  usageWithin(workspaceId: string, viewer: Viewer): Promise<WorkspaceUsage>;
  /** The newest conflicted copy of `path` that still exists at its original path. */
  newestConflictedCopyOf(workspaceId: string, path: WorkspacePath): Promise<FileRow | null>;
}

export interface FileWriter {
  /** Makes `row` the current file at its path, in place of an earlier one. */
  putFile(row: FileRow): Promise<void>;
  /** Keeps the versions. */
  removeFile(workspaceId: string, path: WorkspacePath): Promise<void>;
  insertVersion(row: VersionRow & Pick<FileBeginning, 'conflictOf'>): Promise<void>;
}
