import type { Brand } from '../brand.ts';
import type { ContentHash } from '../files/content.ts';
import type { WorkspacePath } from '../workspace-path.ts';

/** `dev:ino:size:mtimeNs:ctimeNs` of a local file. Told apart by equality only: clocks are never compared. */
export type Stamp = Brand<string, 'Stamp'>;

/** `dev:ino:birthtimeNs` of a local file or folder: the same thing after a rename, and another one after a copy. */
export type ObjectId = Brand<string, 'ObjectId'>;

/** A content as the planner knows it: by hash, never by bytes. */
export interface Content {
  readonly hash: ContentHash;
  readonly sizeBytes: number;
}

/** A file that both sides last had the same. Of a placeholder, the local half is the folder: `stamp` is null then. */
export interface BaseFile extends Content {
  readonly version: number;
  readonly contentType: string;
  readonly stamp: Stamp | null;
  /** Null where the disk has no stable objects. */
  readonly object: ObjectId | null;
  /** The path as the disk spells it; null where that is the workspace's spelling. */
  readonly localName: string | null;
  /** Permission bits. */
  readonly mode: number;
  /** False while the bytes may still be lost with the power. */
  readonly isFlushed: boolean;
}

/** A folder known on both sides: kept by a placeholder, or holding files of the base. */
export interface BaseFolder {
  readonly object: ObjectId | null;
}

export interface LocalFile extends Content {
  readonly kind: 'file';
  readonly stamp: Stamp;
  readonly object: ObjectId | null;
  readonly localName: string | null;
  readonly mode: number;
  /** Other bytes than the base's although nobody wrote them, as after a loss of power: replaced, and never sent. */
  readonly isSuspect: boolean;
}

/** Why nothing is known of a path here. `unsettled` passes by itself; the others are shown as left out. */
export type UnknownReason = 'unsettled' | 'unreadable' | 'other_filesystem' | 'nested_link' | 'in_use';

/** What stands where a file would be. `symlink_above`: a folder on the way is a symlink. */
export type Obstacle = 'folder' | 'symlink' | 'special_file' | 'symlink_above';

export type LocalState =
  | LocalFile
  /** Settled, and missing in a complete scan of its folder. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown'; readonly reason: UnknownReason }
  | { readonly kind: 'blocked'; readonly by: Obstacle }
  /** By rule: neither looked at nor touched. */
  | { readonly kind: 'ignored' };

export type LocalFolderState =
  | {
      readonly kind: 'folder';
      readonly object: ObjectId | null;
      /** Settled, and nothing at all is in it, not even something ignored. */
      readonly isEmpty: boolean;
    }
  | { readonly kind: 'absent' }
  /** Nothing is known of what is in it: none of it is taken for missing. */
  | { readonly kind: 'unknown'; readonly reason: UnknownReason };

export interface RemoteFile {
  readonly kind: 'file';
  readonly version: number;
  /** Null where the server did not say: a `conflict` record, a list without hashes. */
  readonly hash: ContentHash | null;
  /** Null where the server did not say. */
  readonly sizeBytes: number | null;
  /** Null where the server did not say: then it is what the file's extension stands for. */
  readonly contentType: string | null;
  /** The path that the newest record says it came from. */
  readonly movedFrom: WorkspacePath | null;
  /** The path whose writer lost, for a conflicted copy that the feed told of. */
  readonly conflictOf: WorkspacePath | null;
  /** Of the record that said so; 0 from a list. */
  readonly seq: number;
}

export type RemoteState =
  | RemoteFile
  | { readonly kind: 'absent' }
  /** Made private by somebody else. */
  | { readonly kind: 'hidden' };

/**
 * What the planner plans with. Base is whole; the other trees are **differences from it**: a path without an entry is as
 * in the base. In sync means that they are empty.
 */
export interface SyncTrees {
  readonly base: ReadonlyMap<WorkspacePath, BaseFile>;
  readonly baseFolders: ReadonlyMap<WorkspacePath, BaseFolder>;
  readonly local: ReadonlyMap<WorkspacePath, LocalState>;
  /**
   * A folder without an entry is as in `baseFolders`: there with that object, or not there. One that is empty without a
   * placeholder in the base has an entry even if nothing else is new about it.
   */
  readonly localFolders: ReadonlyMap<WorkspacePath, LocalFolderState>;
  /**
   * All that stands here and is ignored, but for what is in an ignored folder: nothing is done with it, and it is in the way
   * like anything else. `file` is whatever is no folder.
   */
  readonly ignored: ReadonlyMap<WorkspacePath, 'file' | 'folder'>;
  readonly remote: ReadonlyMap<WorkspacePath, RemoteState>;
}
