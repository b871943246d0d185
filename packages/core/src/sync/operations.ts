import type { ContentHash } from '../files/content.ts';
import type { WorkspacePath } from '../workspace-path.ts';
import type { BaseFile, LocalFile, ObjectId, RemoteFile, Stamp } from './trees.ts';

/** Identifies an operation within its plan. `after` refers to it. */
export type OperationId = number;

/** The state that the server must still have at a path, or the request changes nothing. */
export type RemotePresumed =
  | { readonly kind: 'absent' }
  | { readonly kind: 'file'; readonly version: number; readonly hash: ContentHash };

/** The state that the local path must still have, checked immediately before the change. */
export type LocalPresumed =
  | { readonly kind: 'absent' }
  | { readonly kind: 'file'; readonly stamp: Stamp; readonly hash: ContentHash }
  /** A placeholder's folder exists. */
  | { readonly kind: 'folder' };

/** The content to download, by hash because version numbers can be reused. Null for facts that the server did not give. */
export interface Wanted {
  readonly version: number;
  readonly hash: ContentHash | null;
  readonly sizeBytes: number | null;
  readonly contentType: string | null;
}

interface Planned {
  readonly id: OperationId;
  /** The row of the table in docs/sync.md that led to this operation. Tests and `--verbose` show it. */
  readonly row: number;
  /** The final path. The base gets its row here. */
  readonly path: WorkspacePath;
  /** Operations that must succeed before this one starts. If one fails, this one waits for the next plan. */
  readonly after: readonly OperationId[];
}

/** Sends the local file. */
export interface Upload extends Planned {
  readonly kind: 'upload';
  readonly local: LocalFile;
  readonly remote: RemotePresumed;
  /** Null if it is the default for the extension: a write without a type resets it to that. */
  readonly contentType: string | null;
}

/** Writes `<folder>/.keep` so that other members get the empty folder. `path` is the placeholder's. */
export interface PutPlaceholder extends Planned {
  readonly kind: 'put_placeholder';
  readonly folder: WorkspacePath;
}

/** Fetches the server's content, to a free path or over the planned local file, which goes to the trash. */
export interface Download extends Planned {
  readonly kind: 'download';
  readonly wanted: Wanted;
  readonly over: LocalPresumed;
}

/** Creates the folder of a remote placeholder. `path` is the placeholder's. */
export interface MakeFolder extends Planned {
  readonly kind: 'make_folder';
  readonly folder: WorkspacePath;
  readonly remote: Wanted & { readonly hash: ContentHash };
}

/** Records in the base that both sides already have the same content. */
export interface Adopt extends Planned {
  readonly kind: 'adopt';
  readonly remote: Wanted & { readonly hash: ContentHash };
  /** Null for a placeholder whose folder exists. */
  readonly local: Pick<LocalFile, 'stamp' | 'object' | 'localName' | 'mode'> | null;
}

/** Removes the base row and the recorded remote state of a path that neither side has. */
export interface Forget extends Planned {
  readonly kind: 'forget';
}

/** Moves only the base row: both sides moved the file to the same path. */
export interface Rebase extends Planned {
  readonly kind: 'carry_base';
  readonly from: WorkspacePath;
}

/**
 * Keeps both contents. The local one is sent with `If-None-Match: *`, so the server stores it as a conflicted copy. Then
 * the server's content is downloaded.
 */
export interface Conflict extends Planned {
  readonly kind: 'conflict';
  readonly local: LocalFile;
  readonly remote: RemoteFile & { readonly hash: ContentHash };
  /** The last common content, if there is one: the server merges from it. */
  readonly base: Pick<BaseFile, 'version' | 'hash'> | null;
}

/** Merges both contents if no changes overlap; otherwise it becomes a `conflict`. */
export interface Merge extends Planned {
  readonly kind: 'merge';
  readonly local: LocalFile;
  readonly remote: RemoteFile & { readonly hash: ContentHash };
  readonly base: Pick<BaseFile, 'version' | 'hash'>;
}

/** Deletes a file on the server that was deleted locally. */
export interface DeleteThere extends Planned {
  readonly kind: 'delete_there';
  readonly remote: RemotePresumed & { readonly kind: 'file' };
}

/** Repeats a local move on the server, which keeps comments and versions. The base row moves as well. */
export interface MoveThere extends Planned {
  readonly kind: 'move_there';
  readonly from: WorkspacePath;
  /** The state at `from`. Newer local content is sent after the move. */
  readonly remote: RemotePresumed & { readonly kind: 'file' };
  /** The file at `path`. Null for a placeholder whose folder was moved. */
  readonly local: LocalFile | null;
}

/**
 * Moves the folder's own properties after all of its files. `path` is its new path. Base rows of the folders move as well,
 * except for folders that still contain files of the base.
 */
export interface MoveFolderThere extends Planned {
  readonly kind: 'move_folder_there';
  readonly from: WorkspacePath;
  readonly object: ObjectId | null;
}

/** Repeats a server move locally. The base row of `baseFrom` becomes the row of `path`. */
export interface RenameHere extends Planned {
  readonly kind: 'rename_here';
  readonly from: WorkspacePath;
  /** Differs from `from` if both sides moved the file to different paths. */
  readonly baseFrom: WorkspacePath;
  /** The state at `from`. An edit in it is sent after the rename. */
  readonly local: LocalPresumed & { readonly kind: 'file' };
}

/** Renames a local file or folder to its conflicted-copy name, because the server uses its path. Uploads it as that. */
export interface Quarantine extends Planned {
  readonly kind: 'set_aside';
  readonly from: WorkspacePath;
  readonly local: LocalPresumed & { readonly kind: 'file' | 'folder' };
}

/** Moves a file to the trash after a feed record reported its delete. */
export interface RemoveHere extends Planned {
  readonly kind: 'remove_here';
  readonly local: LocalPresumed & { readonly kind: 'file' };
}

/** Removes a file that another member made private. No byte of it stays, not even in the trash. */
export interface UnlinkHere extends Planned {
  readonly kind: 'unlink_here';
  readonly local: LocalPresumed & { readonly kind: 'file' };
}

/** Keeps a local edit of a file that became private to another member, where only this user can read it. */
export interface Rescue extends Planned {
  readonly kind: 'rescue';
  readonly local: LocalPresumed & { readonly kind: 'file' };
}

/** Removes a folder that the server no longer has if it contains only junk. Otherwise it stays, without a base row. */
export interface RemoveFolderHere extends Planned {
  readonly kind: 'remove_folder_here';
}

/** Records a folder that exists on both sides. `path` is the folder's. `ForgetFolder` drops the record. */
export interface AdoptFolder extends Planned {
  readonly kind: 'adopt_folder';
  readonly object: ObjectId | null;
}
export interface ForgetFolder extends Planned {
  readonly kind: 'forget_folder';
}

export type SyncOperation =
  | Upload
  | PutPlaceholder
  | Download
  | MakeFolder
  | Adopt
  | Forget
  | Rebase
  | Conflict
  | Merge
  | DeleteThere
  | MoveThere
  | MoveFolderThere
  | RenameHere
  | Quarantine
  | RemoveHere
  | UnlinkHere
  | Rescue
  | RemoveFolderHere
  | AdoptFolder
  | ForgetFolder;

/** A fact that the planner needs to decide a path. The next plan has it in its facts. */
export type Question =
  /** All versions of the path, by number and hash. */
  | { readonly kind: 'versions'; readonly path: WorkspacePath }
  /** The hash of the server's current content. */
  | { readonly kind: 'hash'; readonly path: WorkspacePath };
