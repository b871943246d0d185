import type { Brand } from '../brand.ts';
import type { ContentHash } from '../files/content.ts';
import type { WorkspacePath } from '../workspace-path.ts';

/** `dev:ino:size:mtimeNs:ctimeNs` of a local file. Only compared for equality: clocks may be wrong. */
export type Stamp = Brand<string, 'Stamp'>;

/** `dev:ino:birthtimeNs` of a local file or folder. A rename keeps it, a copy gets another one. */
export type ObjectId = Brand<string, 'ObjectId'>;

/** Identifies a content by hash: the planner never sees bytes. */
export interface Content {
  readonly hash: ContentHash;
  readonly sizeBytes: number;
}

/** The last common state of a file. For a placeholder the local side is the folder, and `stamp` is null. */
export interface BaseFile extends Content {
  readonly version: number;
  readonly contentType: string;
  readonly stamp: Stamp | null;
  /** Null if the disk has no stable object ids. */
  readonly object: ObjectId | null;
  /** The path on the disk. Null if it equals the workspace path. */
  readonly localName: string | null;
  /** Permission bits. */
  readonly mode: number;
  /** False while a power failure could still lose the bytes. */
  readonly isFlushed: boolean;
}

/** A folder that both sides know, from a placeholder or from files of the base. */
export interface BaseFolder {
  readonly object: ObjectId | null;
}

export interface LocalFile extends Content {
  readonly kind: 'file';
  readonly stamp: Stamp;
  readonly object: ObjectId | null;
  readonly localName: string | null;
  readonly mode: number;
  /** The bytes differ from the base without a write, as after a power failure. They are replaced and never sent. */
  readonly isUntrusted: boolean;
}

/** Reasons why a local path is unknown. `unsettled` is temporary; sync reports the others as skipped. */
export type UnknownReason =
  | 'unsettled'
  | 'unreadable'
  | 'other_filesystem'
  | 'nested_link'
  | 'repository'
  | 'in_use';

/** The item at the path of a file. `symlink_above`: a parent folder is a symlink. */
export type Obstacle = 'folder' | 'symlink' | 'special_file' | 'symlink_above';

export type LocalState =
  | LocalFile
  /** Settled, and missing from a complete scan of its folder. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown'; readonly reason: UnknownReason }
  | { readonly kind: 'blocked'; readonly by: Obstacle }
  /** Ignored by a rule: neither read nor changed. */
  | { readonly kind: 'ignored' };

export type LocalFolderState =
  | {
      readonly kind: 'folder';
      readonly object: ObjectId | null;
      /** Settled and without any content, even ignored items. */
      readonly isEmpty: boolean;
    }
  | { readonly kind: 'absent' }
  /** The contents are unknown, so none of them counts as missing. */
  | { readonly kind: 'unknown'; readonly reason: UnknownReason };

export interface RemoteFile {
  readonly kind: 'file';
  readonly version: number;
  /** Null if the server did not say: from a `conflict` record, or a list without hashes. */
  readonly hash: ContentHash | null;
  /** Null if the server did not say. */
  readonly sizeBytes: number | null;
  /** Null if the server did not say. Then it is the default for the extension. */
  readonly contentType: string | null;
  /** The source path in the newest record. */
  readonly movedFrom: WorkspacePath | null;
  /** The path whose write lost, for a conflicted copy from the feed. */
  readonly conflictOf: WorkspacePath | null;
  /** The seq of the record. 0 from a list. */
  readonly seq: number;
}

export type RemoteState =
  | RemoteFile
  | { readonly kind: 'absent' }
  /** Made private by another member. */
  | { readonly kind: 'hidden' };

/**
 * The planner's trees. Base is complete. The others are **differences from it**: a path without an entry is as in the
 * base. The folder is in sync when they are empty.
 */
export interface SyncTrees {
  readonly base: ReadonlyMap<WorkspacePath, BaseFile>;
  readonly baseFolders: ReadonlyMap<WorkspacePath, BaseFolder>;
  readonly local: ReadonlyMap<WorkspacePath, LocalState>;
  /**
   * A folder without an entry is as in `baseFolders`: present with that object, or absent. An empty folder without a
   * placeholder in the base always has an entry.
   */
  readonly localFolders: ReadonlyMap<WorkspacePath, LocalFolderState>;
  /**
   * All ignored local items, except the contents of ignored folders. Sync never changes them, and they occupy their path
   * like any item. `file` is anything except a folder.
   */
  readonly ignored: ReadonlyMap<WorkspacePath, 'file' | 'folder'>;
  readonly remote: ReadonlyMap<WorkspacePath, RemoteState>;
}
