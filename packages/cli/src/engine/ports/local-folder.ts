import type { ContentHash, NameTraits, ObjectId, Obstacle, Stamp } from '@stoa/core';
import type { DownloadSink, OutgoingContent } from './content.ts';
import type { FolderWatch, FolderWatchOptions } from './folder-watch.ts';
import type { IgnoreRules, IgnoreTexts } from './ignore-rules.ts';

/**
 * A path below the folder's root as the disk spells it, with `/` between its segments. It is never empty or absolute
 * and has no `..`. Where a folder is expected, the empty text is the root.
 */
export type DiskPath = string;

/**
 * The synced folder on this disk. It only reads and changes files: it decides nothing and does not know the base. It
 * never follows symlinks. Immediately before each change it checks the root and every folder above the path. Each must
 * be a real folder on the root's device. Nothing outside the root is changed, and in the hidden folder only staging,
 * trash and rescued files.
 *
 * Disk errors are returned as `DiskRejection`. Every method throws `FolderGoneError` if the root is missing, is another
 * folder than at the start, or has lost its `config.json`. Then no statement about its files is valid.
 */
export interface LocalFolder extends AsyncDisposable {
  /** Identity of the root and of the running system. A copy of the folder has another root. */
  readIdentity(): Promise<FolderIdentity>;
  /** Writes a few files into staging to find out how the disk behaves. Takes about 10 ms, once per root. */
  probe(): Promise<DiskTraits>;
  /** Sets traits known from an earlier run, so that the disk is not probed again. */
  takeTraits(traits: DiskTraits): void;
  /** Bytes that can still be written. */
  readFreeBytes(): Promise<number>;

  /**
   * Reads the active rules from their files. A missing file has no rules. An unreadable one keeps its last known rules.
   * @throws RulesUnreadableError if these are not known either
   */
  readIgnoreRules(): Promise<IgnoreRules>;
  /** Parses rule texts, for comparison with the active rules. */
  parseIgnoreRules(texts: IgnoreTexts): IgnoreRules;

  /** The time stamp that the disk gives to files now. Only the disk compares it with older stamps, see `isRecent`. */
  readDiskTime(): Promise<DiskTime>;
  /**
   * All names in a folder and their entries, by code point of the name. `''` is the root. Omits the hidden folder only;
   * ignored entries are included. Yields to other tasks at least every 20 ms.
   */
  readFolder(folder: DiskPath, time: DiskTime): Promise<FolderReading>;
  /** Reads one path without following symlinks. */
  readEntry(path: DiskPath, time: DiskTime): Promise<EntryReading>;
  /**
   * Hashes a file whose stamp is the same before and after reading; `changed` otherwise. Reads regular files only. Does
   * not check the root and the folders above, because any later upload or change of the file does.
   */
  hashFile(path: DiskPath, stamp: Stamp): Promise<HashedFile | Changed | DiskRejection>;
  /** Reads a whole small file for merging, at most `maxBytes`. `changed` if it is no longer the expected file. */
  readBytes(
    path: DiskPath,
    presumed: PresumedFile,
    maxBytes: number,
  ): Promise<{ readonly kind: 'bytes'; readonly bytes: Uint8Array<ArrayBuffer> } | Changed | DiskRejection>;
  /**
   * Opens content to send. It is exactly the expected content, or the stream fails with `ContentChangedError` before
   * its last chunk. Content of up to `wholeBodyBytesMax` is read and hashed here, in one buffer.
   */
  openContent(
    path: DiskPath,
    presumed: PresumedFile & { readonly sizeBytes: number },
  ): Promise<{ readonly kind: 'content'; readonly content: OutgoingContent } | Changed | DiskRejection>;

  /**
   * Creates an empty file in staging, or truncates an existing one. Returns `disk_full` unless `sizeBytes` and a
   * reserve are free. `id` is the id of the intent.
   */
  stage(id: string, sizeBytes: number): Promise<StagedFile | DiskRejection>;
  /** Writes exactly these bytes to staging. */
  stageBytes(id: string, bytes: Uint8Array): Promise<Staged | DiskRejection>;
  /**
   * Stages a copy of a local file by the cheapest means of the disk and hashes it. `changed` if its content is
   * different.
   */
  stageCopy(id: string, from: DiskPath, hash: ContentHash): Promise<Staged | Changed | DiskRejection>;
  /** Hashes the staged file with this id after a crash; null without one. */
  readStaged(id: string): Promise<Staged | null>;
  discardStaged(id: string): Promise<void>;
  /** Ids of all staged files. */
  listStaged(): Promise<readonly string[]>;

  /**
   * Moves a staged file to a free path and makes the folders above it. Returns `taken` if anything is there. Its bytes
   * are not flushed yet: see `flush`.
   */
  create(path: DiskPath, stagedId: string): Promise<PlacedFile | Changed | Taken | DiskRejection>;
  /**
   * Flushes a staged file and replaces the expected file with it. It gets the mode of the old file. The old file goes
   * to the trash, or stays at its second name `alsoAt` (see `duplicate`). Readers of the path see one of the files in
   * full. Without hard links the path may be missing for a moment.
   */
  replace(
    path: DiskPath,
    stagedId: string,
    presumed: PresumedFile,
    alsoAt: DiskPath | null,
  ): Promise<Replaced | Changed | DiskRejection>;
  /**
   * Renames a file and makes the folders above its new path. Returns `taken` if anything is there but the same file
   * under a variant of the name.
   */
  rename(
    from: DiskPath,
    to: DiskPath,
    presumed: PresumedFile,
  ): Promise<PlacedFile | Changed | Taken | DiskRejection>;
  /**
   * Completes a `rename` after a crash. If both paths are names of one file, it removes `from`. Otherwise it does
   * nothing, for example if the disk treats both as one name.
   */
  finishRename(from: DiskPath, to: DiskPath): Promise<Done | Changed | DiskRejection>;
  /** Renames a folder with its contents and makes the folders above its new path. */
  renameFolder(from: DiskPath, to: DiskPath): Promise<MadeFolder | Changed | Taken | DiskRejection>;
  /**
   * Gives the expected file a second name for a conflicted copy. Without hard links it copies the file. Then both have
   * the returned stamp, or the first keeps its own.
   */
  duplicate(
    from: DiskPath,
    to: DiskPath,
    presumed: PresumedFile,
  ): Promise<PlacedFile | Changed | Taken | DiskRejection>;
  /**
   * Moves the expected file to the trash. If it turns out to be another file, it is put back and the result is
   * `changed`.
   */
  moveToTrash(path: DiskPath, presumed: PresumedFile): Promise<ReplacedFile | Changed | DiskRejection>;
  /** Deletes the expected file without keeping it, because it was made private. */
  unlink(path: DiskPath, presumed: PresumedFile): Promise<Done | Changed | DiskRejection>;
  /** Moves the expected file to a path that only this user sees. */
  rescue(path: DiskPath, presumed: PresumedFile): Promise<Rescued | Changed | DiskRejection>;
  /** Makes a folder and those above it. An existing folder is fine. */
  makeFolder(path: DiskPath): Promise<MadeFolder | Changed | DiskRejection>;
  /** Removes a folder that contains nothing but junk (`.DS_Store` and the like, a placeholder). */
  removeFolder(path: DiskPath): Promise<Done | { readonly kind: 'not_empty' } | Changed | DiskRejection>;

  /**
   * Makes these files and their names survive a power failure.
   * @returns the flushed paths, without those that no longer exist
   */
  flush(paths: readonly DiskPath[]): Promise<readonly DiskPath[]>;

  /** Whether the trashed bytes are still those expected. Another process may hold the file open. */
  checkTrashed(trashed: TrashedFile): Promise<'as_planned' | 'changed' | 'gone'>;
  /** Moves a file from the trash to a free path. */
  putBack(file: TrashName, to: DiskPath): Promise<PlacedFile | Changed | Taken | DiskRejection>;
  /** Deletes a file from the trash for good. A missing file is fine. */
  dropTrashed(file: TrashName): Promise<void>;
  /** All files in the trash, at most 100,000. */
  listTrash(): Promise<readonly { readonly file: TrashName; readonly sizeBytes: number }[]>;

  /**
   * Reports changes as far as the system does: a hint, never the truth. Resolves once it is listening. Earlier changes
   * are not reported.
   */
  watch(options: FolderWatchOptions): Promise<FolderWatch>;
}

/** Compared for equality only. */
export interface FolderIdentity {
  readonly root: ObjectId;
  /** Null if the system has none. */
  readonly bootId: string | null;
}

export interface DiskTraits {
  readonly names: NameTraits;
  readonly hasHardLinks: boolean;
  /** Whether a file keeps its object id across renames and writes. If not, all object ids are null. */
  readonly hasStableObjects: boolean;
}

/** A moment on the disk's own clock. Only the disk compares it. */
export interface DiskTime {
  readonly ns: bigint;
}

export interface FolderReading {
  /** `gone`: missing or not a folder. `unknown`: exists, but its contents are unknown. */
  readonly kind: 'read' | 'gone' | 'unknown';
  /** Set for `unknown`. */
  readonly reason: 'unreadable' | 'other_filesystem' | 'nested_link' | 'repository' | null;
  readonly detail: string | null;
  readonly object: ObjectId | null;
  /** Modified within 2 s of the disk's time, either way. */
  readonly isRecent: boolean;
  readonly entries: readonly FolderEntry[];
  /** Names vanished during the read. The folder must be read again. */
  readonly hasVanished: boolean;
}

/** One name in a folder, as the disk spells it. If it is not UTF-8, U+FFFD replaces the unreadable bytes. */
export type FolderEntry = { readonly name: string; readonly isUtf8: boolean } & ExistingItem;

export type ExistingItem =
  | {
      readonly kind: 'file';
      readonly stamp: Stamp;
      readonly object: ObjectId | null;
      readonly sizeBytes: number;
      /** Permission bits. */
      readonly mode: number;
      /** Written within 2 s of the disk's time, either way. A later write may leave the same stamp. */
      readonly isRecent: boolean;
    }
  | { readonly kind: 'folder'; readonly object: ObjectId | null; readonly isRecent: boolean }
  | { readonly kind: 'symlink' }
  | { readonly kind: 'special_file' }
  /** It exists but cannot be examined. */
  | { readonly kind: 'unreadable'; readonly detail: string };

export type EntryReading =
  | ExistingItem
  | { readonly kind: 'absent' }
  /** A folder above the path is a symlink or not a folder. */
  | { readonly kind: 'blocked'; readonly by: Obstacle };

/** The file expected at a path. Its hash is not computed again: the stamp is enough. */
export interface PresumedFile {
  readonly stamp: Stamp;
  readonly hash: ContentHash;
}

export interface HashedFile {
  readonly kind: 'hashed';
  readonly hash: ContentHash;
  readonly sizeBytes: number;
}

/** A file in staging, ready to be moved to its path. */
export interface Staged {
  readonly kind: 'staged';
  readonly id: string;
  readonly hash: ContentHash;
  readonly sizeBytes: number;
}

/** A file in staging that is still being written. A failed write throws `DiskRefusedError`. */
export interface StagedFile extends DownloadSink {
  readonly kind: 'writing';
  /** Closes the file. */
  finish(): Promise<Staged>;
  /** Closes and removes the file. */
  discard(): Promise<void>;
}

/** A file that is now at its final path. */
export interface PlacedFile {
  readonly kind: 'placed';
  readonly stamp: Stamp;
  readonly object: ObjectId | null;
  readonly mode: number;
  /** Folders that had to be made, outermost first. */
  readonly madeFolders: readonly { readonly path: DiskPath; readonly object: ObjectId | null }[];
}

export interface Replaced extends Omit<PlacedFile, 'kind'> {
  readonly kind: 'replaced';
  /** Null if it kept its second name. */
  readonly replaced: ReplacedFile | null;
}

/** The replaced file, now in the trash. */
export interface ReplacedFile {
  readonly kind: 'moved_away';
  readonly trashed: TrashedFile;
  /** False if another process wrote to it at the last moment. These bytes are stored nowhere else. */
  readonly isAsPlanned: boolean;
}

/** Path of a file in the trash, relative to the trash: `2026-11-22/notes/a.md`. */
export type TrashName = string;

export interface TrashedFile {
  readonly file: TrashName;
  readonly sizeBytes: number;
  /** Text that changes with later writes. */
  readonly print: string;
}

export interface Rescued {
  readonly kind: 'rescued';
  /** Relative to the root: `.stoa/rescued/2026-11-22/notes/a.md`. */
  readonly file: string;
}

export interface MadeFolder {
  readonly kind: 'folder';
  readonly object: ObjectId | null;
  readonly madeFolders: PlacedFile['madeFolders'];
}

export interface Done {
  readonly kind: 'done';
}

/** The path is empty or has another entry than expected, so it must be read again. Nothing was changed. */
export interface Changed {
  readonly kind: 'changed';
}

/** The path should be free but is not. Nothing was changed. */
export interface Taken {
  readonly kind: 'taken';
}

/** The disk failed and nothing was changed. All kinds but `blocked` are reasons to skip a path. */
export type DiskRejection =
  | { readonly kind: 'blocked'; readonly by: Obstacle; readonly at: DiskPath }
  | {
      readonly kind: 'refused';
      readonly reason:
        | 'disk_full'
        | 'in_use'
        | 'unreadable'
        | 'other_filesystem'
        | 'name_not_possible'
        | 'hostile_name';
      readonly detail: string;
    };

/** Thrown if a disk error occurs in the middle of a stream. */
export class DiskRejectedError extends Error {
  override readonly name = 'DiskRefusedError';
  readonly rejection: DiskRejection;

  constructor(error: DiskRejection) {
    super(error.kind === 'blocked' ? `${error.at} is in the way` : error.detail);
    this.rejection = error;
  }
}

/** The folder is missing or is not the one that was opened. Nothing follows from this about its files. */
export class FolderGoneError extends Error {
  override readonly name = 'FolderGoneError';
}
