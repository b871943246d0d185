import type { ContentHash, PathPrefix, VersionOp, Viewer, WorkspacePath, WorkspaceUsage } from '@stoa/core';
import type { BlobLocation } from './blobs.ts';
import type { ActorStamp } from './changes.ts';
import type { FrontMatter } from './front-matter.ts';

/** The file that stands at a path now. */
export interface FileRow {
  readonly workspaceId: string;
  readonly path: WorkspacePath;
  /** One file's time at one path, from creation or move to the next: the seq of the change that began it. */
  readonly incarnation: number;
  readonly version: number;
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly contentHash: ContentHash;
}

/** A file with what is known of its current version. */
export interface DetailedFileRow extends FileRow, ActorStamp {
  /** Milliseconds since the epoch. */
  readonly changedAt: number;
  /** Of its bytes, whether or not the file is markdown. Null also while nobody has read them. */
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

/** What the writer of a conflicted copy had read of the file. */
export interface ConflictBase {
  readonly version: number;
  readonly contentHash: ContentHash;
}

/** One kept version: of the current file, of an earlier incarnation, or of a deleted file. */
export interface VersionRow extends FileRow, ActorStamp {
  readonly op: VersionOp;
  readonly createdAt: number;
  /** Where the file came from, on version 1 of a moved file. */
  readonly movedFrom: { readonly path: WorkspacePath; readonly incarnation: number } | null;
  /** On version 1 of a conflicted copy; null also where it is not known. */
  readonly conflictBase: ConflictBase | null;
}

/** How an incarnation began: by a move, as a conflicted copy, or neither. */
export interface FileBeginning extends Pick<VersionRow, 'path' | 'movedFrom' | 'conflictBase'> {
  /** The file whose race was lost. */
  readonly conflictOf: WorkspacePath | null;
}

export type CurrentContent = Pick<FileRow, 'path' | 'version' | 'contentHash' | 'sizeBytes'>;

export interface ChangedContent {
  readonly seq: number;
  /** When, in milliseconds since the epoch. */
  readonly changedAt: number;
  readonly path: WorkspacePath;
  readonly file: Pick<FileRow, 'version' | 'contentHash' | 'sizeBytes'> | null;
}

/** What stands at a path, and to whom the path is private: a path may be so before a file stands there. Null: nobody. */
export interface FoundFile {
  readonly file: FileRow | null;
  readonly ownerId: string | null;
}

/** What stands where a new file's path needs a name or a folder, visible or not. */
export interface Surroundings {
  readonly isFolder: boolean;
  /** Whether something lies in the folder above already; so also for a path at the top. */
  readonly isParentFolder: boolean;
}

export interface FileReader {
  find(workspaceId: string, path: WorkspacePath): Promise<FileRow | null>;
  /** One query for the hot path. In a workspace without privacy records none is looked for. */
  findWithOwner(workspaceId: string, path: WorkspacePath): Promise<FoundFile>;
  /** The same, and what stands around the path. */
  findWithSurroundings(workspaceId: string, path: WorkspacePath): Promise<FoundFile & Surroundings>;
  /** `findWithOwner`, and where the file's bytes are; null also where they are missing. */
  findWithContent(
    workspaceId: string,
    path: WorkspacePath,
  ): Promise<FoundFile & { readonly location: BlobLocation | null }>;
  /** True when any file, visible or not, lies below `folder`. */
  hasBelow(workspaceId: string, folder: WorkspacePath): Promise<boolean>;
  /** True when a file that `viewer` may see stands at `path` or below it. */
  hasVisibleAtOrBelow(workspaceId: string, path: WorkspacePath, viewer: Viewer): Promise<boolean>;
  page(query: FilePage): Promise<readonly FileRow[]>;
  /** The same files. */
  detailedPage(query: FilePage): Promise<readonly DetailedFileRow[]>;
  /**
   * Paths of all current files after `afterPath` (null: from the start), at most `limit`. Private ones are included,
   * of every owner: for the search index, which judges privacy itself.
   */
  pathsPage(query: {
    readonly workspaceId: string;
    readonly afterPath: WorkspacePath | null;
    readonly limit: number;
  }): Promise<readonly WorkspacePath[]>;
  /**
   * The paths of file changes (write, move, delete, conflict, restore) after `sinceSeq` in seq order, at most `limit`,
   * each with whether a file stands there now. Not filtered by privacy, as `pathsPage`. A path may come several times.
   */
  pathsChangedSince(query: {
    readonly workspaceId: string;
    readonly sinceSeq: number;
    readonly limit: number;
  }): Promise<readonly { readonly seq: number; readonly path: WorkspacePath; readonly exists: boolean }[]>;
  /**
   * All changes after `sinceSeq` in seq order, at most `limit`, each with the file that stands at its path now: null where
   * none does. Not filtered by privacy, as `pathsPage`: for the index of contents.
   */
  contentsChangedSince(query: {
    readonly workspaceId: string;
    readonly sinceSeq: number;
    readonly limit: number;
  }): Promise<readonly ChangedContent[]>;
  /** Current files at or below a prefix, by path, with what they hold. Not filtered by privacy, as `pathsPage`. */
  contentsPage(query: {
    readonly workspaceId: string;
    readonly prefix: PathPrefix;
    readonly afterPath: WorkspacePath | null;
    readonly limit: number;
  }): Promise<readonly CurrentContent[]>;
  /** A version of the current incarnation at `path`, else of the newest earlier one there that has it. */
  findVersion(workspaceId: string, path: WorkspacePath, version: number): Promise<VersionRow | null>;
  /**
   * A version by number and content among all that are listed at `path`: of incarnations there, and of those that they were
   * moved from, as far back as `viewer` sees each path. Of several the one of the newest incarnation.
   */
  findListedVersion(query: {
    readonly workspaceId: string;
    readonly path: WorkspacePath;
    readonly version: number;
    readonly contentHash: ContentHash;
    readonly viewer: Viewer;
  }): Promise<VersionRow | null>;
  /** Null where no file began there. */
  beginningOf(workspaceId: string, incarnation: number): Promise<FileBeginning | null>;
  /** The incarnations that ever stood at `path`, newest first. */
  incarnationsAt(workspaceId: string, path: WorkspacePath): Promise<readonly number[]>;
  /** Versions of one incarnation below `belowVersion` (null: all), newest first, at most `limit`. */
  versionsOf(query: {
    readonly workspaceId: string;
    readonly incarnation: number;
    readonly path: WorkspacePath;
    readonly belowVersion: number | null;
    readonly limit: number;
  }): Promise<readonly VersionRow[]>;
  /**
   * What the files that `viewer` may see hold, and as history the versions at paths that they may see of which no file is the
   * current one.
   */
  usageWithin(workspaceId: string, viewer: Viewer): Promise<WorkspaceUsage>;
  /** The newest conflicted copy made for `path` that still exists at the path it was made at. */
  newestConflictedCopyOf(workspaceId: string, path: WorkspacePath): Promise<FileRow | null>;
}

export interface FileWriter {
  /** Makes `row` the current file at its path, in place of the one that stood there. */
  putFile(row: FileRow): Promise<void>;
  /** Its versions stay. */
  removeFile(workspaceId: string, path: WorkspacePath): Promise<void>;
  insertVersion(row: VersionRow & Pick<FileBeginning, 'conflictOf'>): Promise<void>;
}
