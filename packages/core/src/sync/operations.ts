import type { ContentHash } from '../files/content.ts';
import type { WorkspacePath } from '../workspace-path.ts';
import type { BaseFile, LocalFile, ObjectId, RemoteFile, Stamp } from './trees.ts';

/** Of one plan: what `after` points to. */
export type OperationId = number;

/** What the server must still have at a path for a request to do anything. */
export type RemotePresumed =
  | { readonly kind: 'absent' }
  | { readonly kind: 'file'; readonly version: number; readonly hash: ContentHash };

/** What must still stand at a path here, looked at in the last moment. */
export type LocalPresumed =
  | { readonly kind: 'absent' }
  | { readonly kind: 'file'; readonly stamp: Stamp; readonly hash: ContentHash }
  /** Of a placeholder: a folder is there. */
  | { readonly kind: 'folder' };

/** What a download brings: by hash, as a version number may be used again. Null where the server did not say. */
export interface Wanted {
  readonly version: number;
  readonly hash: ContentHash | null;
  readonly sizeBytes: number | null;
  readonly contentType: string | null;
}

interface Planned {
  readonly id: OperationId;
  /** The row of the table in docs/sync.md that asked for it: what tests and `--verbose` tell. */
  readonly row: number;
  /** Where the operation ends; the base gets its row here. */
  readonly path: WorkspacePath;
  /** What must have ended, and well, before this begins. If one of them failed, this waits for the next plan. */
  readonly after: readonly OperationId[];
}

/** Sends the file here. */
export interface Upload extends Planned {
  readonly kind: 'upload';
  readonly local: LocalFile;
  readonly remote: RemotePresumed;
  /** Sent only where it is not what the extension stands for: a write without one resets it. */
  readonly contentType: string | null;
}

/** Puts `<folder>/.keep`, so that an empty folder is there for others. `path` is the placeholder's. */
export interface PutPlaceholder extends Planned {
  readonly kind: 'put_placeholder';
  readonly folder: WorkspacePath;
}

/** Fetches what the server has, to where nothing is, or over what was planned with: that goes to the trash. */
export interface Download extends Planned {
  readonly kind: 'download';
  readonly wanted: Wanted;
  readonly over: LocalPresumed;
}

/** Makes the folder that a remote placeholder keeps. `path` is the placeholder's. */
export interface MakeFolder extends Planned {
  readonly kind: 'make_folder';
  readonly folder: WorkspacePath;
  readonly remote: Wanted & { readonly hash: ContentHash };
}

/** Both sides have the same already: the base says so from now on. */
export interface Adopt extends Planned {
  readonly kind: 'adopt';
  readonly remote: Wanted & { readonly hash: ContentHash };
  /** Null for a placeholder whose folder is there. */
  readonly local: Pick<LocalFile, 'stamp' | 'object' | 'localName' | 'mode'> | null;
}

/** Neither side has it: the base row and what is remembered of the remote side go. */
export interface Forget extends Planned {
  readonly kind: 'forget';
}

/** Both sides moved it to the same place: the base row goes there, and nothing else is done. */
export interface CarryBase extends Planned {
  readonly kind: 'carry_base';
  readonly from: WorkspacePath;
}

/**
 * Both sides have contents of their own. The local one is sent with `If-None-Match: *`, so that the server keeps it
 * beside its own; then its own comes here.
 */
export interface Conflict extends Planned {
  readonly kind: 'conflict';
  readonly local: LocalFile;
  readonly remote: RemoteFile & { readonly hash: ContentHash };
  /** What both had, where they had something: a merge by hand starts from it. */
  readonly base: Pick<BaseFile, 'version' | 'hash'> | null;
}

/** As `conflict`, but the two are merged if nothing overlaps; otherwise it becomes a conflict. */
export interface Merge extends Planned {
  readonly kind: 'merge';
  readonly local: LocalFile;
  readonly remote: RemoteFile & { readonly hash: ContentHash };
  readonly base: Pick<BaseFile, 'version' | 'hash'>;
}

/** Deletes on the server what was deleted here. */
export interface DeleteThere extends Planned {
  readonly kind: 'delete_there';
  readonly remote: RemotePresumed & { readonly kind: 'file' };
}

/** Moves on the server what was moved here: comments and versions go along. The base row goes with it. */
export interface MoveThere extends Planned {
  readonly kind: 'move_there';
  readonly from: WorkspacePath;
  /** At `from`. The file's content here may be newer: that is sent after it. */
  readonly remote: RemotePresumed & { readonly kind: 'file' };
  /** At `path`. Null for a placeholder whose folder was moved. */
  readonly local: LocalFile | null;
}

/**
 * Once all files of a moved folder are moved: takes along what belongs to the folder itself. `path` is its new place.
 * The rows of the folders follow, but for those that still hold files of the base.
 */
export interface MoveFolderThere extends Planned {
  readonly kind: 'move_folder_there';
  readonly from: WorkspacePath;
  readonly object: ObjectId | null;
}

/** Renames here what was moved on the server. The base row of `baseFrom` becomes the row of `path`. */
export interface RenameHere extends Planned {
  readonly kind: 'rename_here';
  readonly from: WorkspacePath;
  /** Another path than `from` where both sides moved the file, to different places. */
  readonly baseFrom: WorkspacePath;
  /** At `from`; its content may be an edit that is sent after it. */
  readonly local: LocalPresumed & { readonly kind: 'file' };
}

/** Gives a file or folder its conflicted-copy name here, because its place is taken on the server. It goes up as that. */
export interface SetAside extends Planned {
  readonly kind: 'set_aside';
  readonly from: WorkspacePath;
  readonly local: LocalPresumed & { readonly kind: 'file' | 'folder' };
}

/** Takes away here what a record says was deleted: to the trash. */
export interface RemoveHere extends Planned {
  readonly kind: 'remove_here';
  readonly local: LocalPresumed & { readonly kind: 'file' };
}

/** Takes away here what somebody made private: no byte of it stays, not in the trash either. */
export interface UnlinkHere extends Planned {
  readonly kind: 'unlink_here';
  readonly local: LocalPresumed & { readonly kind: 'file' };
}

/** Puts an edit of what somebody made private where only this user sees it. */
export interface Rescue extends Planned {
  readonly kind: 'rescue';
  readonly local: LocalPresumed & { readonly kind: 'file' };
}

/** Removes a folder that is gone on the server, if nothing but junk is in it; otherwise it stays, unknown to the base. */
export interface RemoveFolderHere extends Planned {
  readonly kind: 'remove_folder_here';
}

/** A folder of the base is gone here and there, or a new one is there on both sides. `path` is the folder's. */
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
  | CarryBase
  | Conflict
  | Merge
  | DeleteThere
  | MoveThere
  | MoveFolderThere
  | RenameHere
  | SetAside
  | RemoveHere
  | UnlinkHere
  | Rescue
  | RemoveFolderHere
  | AdoptFolder
  | ForgetFolder;

/** What the planner must know before it can decide a path: asked for, and there in the facts of the next plan. */
export type Question =
  /** All versions of the path, by number and hash. */
  | { readonly kind: 'versions'; readonly path: WorkspacePath }
  /** What the server has there now, by hash. */
  | { readonly kind: 'hash'; readonly path: WorkspacePath };
