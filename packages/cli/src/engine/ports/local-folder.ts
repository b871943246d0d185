import type { ContentHash, NameTraits, ObjectId, Obstacle, Stamp } from '@stoa/core';
import type { DownloadSink, OutgoingContent } from './content.ts';
import type { FolderWatch, FolderWatchOptions } from './folder-watch.ts';
import type { IgnoreRules, IgnoreTexts } from './ignore-rules.ts';

/**
 * A path below the folder's root as the disk spells it, `/` between its segments, never empty, absolute or with `..`.
 * The root itself is the empty text where a folder is asked for.
 */
export type DiskPath = string;

/**
 * The synced folder on this disk. Reading and changing files is all it does: it decides nothing, and never looks at the
 * base. Symlinks are never followed. Every change looks just before it at the root, and at every folder above the path,
 * which must be a real folder on the root's device; nothing is changed outside the root, nor in the hidden folder but
 * for staging, trash and what was rescued.
 *
 * What the disk refuses is a returned `DiskRefusal`. Every method throws `FolderGoneError` once the root is missing, is
 * another folder than when it was opened, or has lost its `config.json`: then nothing said about its files is true.
 */
export interface LocalFolder extends AsyncDisposable {
  /** Of the root, and of the running system. A folder that was copied has another root. */
  readIdentity(): Promise<FolderIdentity>;
  /** Writes a few files into staging to see what the disk does. Costs about ten milliseconds: once for a root. */
  probe(): Promise<DiskTraits>;
  /** What is known of this disk from before: it is not probed again. */
  takeTraits(traits: DiskTraits): void;
  /** Bytes that can still be written. */
  readFreeBytes(): Promise<number>;

  /**
   * The rules in force, read from their files; a file that is not there has no rules, and one that cannot be read now has those
   * that it had. @throws RulesUnreadableError where nobody knows which these are.
   */
  readIgnoreRules(): Promise<IgnoreRules>;
  /** The rules that these texts make: to compare with those in force. */
  parseIgnoreRules(texts: IgnoreTexts): IgnoreRules;

  /** What time the disk's files get now; older stamps are compared with it by the disk itself, see `isRecent`. */
  readDiskTime(): Promise<DiskTime>;
  /**
   * All names in a folder with what stands there, by code point of the name. Hands the processor on between slices of at
   * most 20 ms. `''` is the root. The hidden folder is left out; everything else is told, ignored or not.
   */
  readFolder(folder: DiskPath, time: DiskTime): Promise<FolderReading>;
  /** One path, without following symlinks. */
  readEntry(path: DiskPath, time: DiskTime): Promise<EntryReading>;
  /**
   * The hash of a file that had this stamp before and after it was read; `changed` when it had another. Never reads
   * anything but a regular file. A file that still has the stamp is hashed whatever became of the folders above and the root:
   * whatever sends or changes it looks at those.
   */
  hashFile(path: DiskPath, stamp: Stamp): Promise<HashedFile | Changed | DiskRefusal>;
  /** A small file whole, for merging: `changed` when it is no longer the planned one. At most `maxBytes`. */
  readBytes(
    path: DiskPath,
    presumed: PresumedFile,
    maxBytes: number,
  ): Promise<{ readonly kind: 'bytes'; readonly bytes: Uint8Array<ArrayBuffer> } | Changed | DiskRefusal>;
  /**
   * The content to send: exactly what was planned, or the stream fails with `ContentChangedError` before its last piece.
   * Up to `wholeBodyBytesMax` it is read and hashed here, in one buffer.
   */
  openContent(
    path: DiskPath,
    presumed: PresumedFile & { readonly sizeBytes: number },
  ): Promise<{ readonly kind: 'content'; readonly content: OutgoingContent } | Changed | DiskRefusal>;

  /**
   * An empty file in staging; one that is there already is emptied. `disk_full` unless `sizeBytes` fit and a reserve is
   * left. `id` is the intent's.
   */
  stage(id: string, sizeBytes: number): Promise<StagedFile | DiskRefusal>;
  /** Stages these very bytes. */
  stageBytes(id: string, bytes: Uint8Array): Promise<Staged | DiskRefusal>;
  /** Stages a copy of a file here, as cheaply as the disk can, and hashes the copy: `changed` when it is another content. */
  stageCopy(id: string, from: DiskPath, hash: ContentHash): Promise<Staged | Changed | DiskRefusal>;
  /** What staging holds under this id, hashed; null where there is nothing. After a crash. */
  readStaged(id: string): Promise<Staged | null>;
  discardStaged(id: string): Promise<void>;
  /** The ids of all that staging holds. */
  listStaged(): Promise<readonly string[]>;

  /**
   * Puts a staged file where nothing is, with the folders above it; fails with `taken` over anything. Its bytes are not
   * flushed yet: see `flush`.
   */
  create(path: DiskPath, stagedId: string): Promise<PlacedFile | Changed | Taken | DiskRefusal>;
  /**
   * Puts a staged file, flushed, over the planned one, whose mode it gets and which is in the trash afterwards, or, if it
   * has a second name `alsoAt` (see `duplicate`), is that. Who looks at the path sees one or the other, whole; without
   * hard links it may be missing for a moment.
   */
  replace(
    path: DiskPath,
    stagedId: string,
    presumed: PresumedFile,
    alsoAt: DiskPath | null,
  ): Promise<Replaced | Changed | DiskRefusal>;
  /** Renames a file; fails with `taken` over anything but the same file under another spelling. Makes the folders above. */
  rename(
    from: DiskPath,
    to: DiskPath,
    presumed: PresumedFile,
  ): Promise<PlacedFile | Changed | Taken | DiskRefusal>;
  /**
   * After a crash in the middle of `rename`: where both are names of one file, `from` goes. Otherwise nothing is done, as
   * where a disk takes the two for one name.
   */
  finishRename(from: DiskPath, to: DiskPath): Promise<Done | Changed | DiskRefusal>;
  /** Renames a folder with all that is in it. Makes the folders above its new place. */
  renameFolder(from: DiskPath, to: DiskPath): Promise<MadeFolder | Changed | Taken | DiskRefusal>;
  /**
   * Gives the planned file a second name, or copies it where there are no hard links. Both then have the returned stamp,
   * or the first keeps its own. For a conflicted copy.
   */
  duplicate(
    from: DiskPath,
    to: DiskPath,
    presumed: PresumedFile,
  ): Promise<PlacedFile | Changed | Taken | DiskRefusal>;
  /** Takes the planned file away, into the trash; one that turns out to be another is put back, and `changed`. */
  moveToTrash(path: DiskPath, presumed: PresumedFile): Promise<Displaced | Changed | DiskRefusal>;
  /** Takes the planned file away and keeps nothing of it: for what somebody made private. */
  unlink(path: DiskPath, presumed: PresumedFile): Promise<Done | Changed | DiskRefusal>;
  /** Moves the planned file to where only this user sees it. */
  rescue(path: DiskPath, presumed: PresumedFile): Promise<Rescued | Changed | DiskRefusal>;
  /** Makes a folder and those above it; one that is there already is fine. */
  makeFolder(path: DiskPath): Promise<MadeFolder | Changed | DiskRefusal>;
  /** Removes a folder in which nothing but junk is (`.DS_Store` and the like, a placeholder). */
  removeFolder(path: DiskPath): Promise<Done | { readonly kind: 'not_empty' } | Changed | DiskRefusal>;

  /** Makes these files and their names survive a loss of power. @returns those that did; a vanished one is not among them. */
  flush(paths: readonly DiskPath[]): Promise<readonly DiskPath[]>;

  /** Whether the bytes in the trash are still those that were planned with: somebody may hold the file open. */
  checkTrashed(trashed: TrashedFile): Promise<'as_planned' | 'changed' | 'gone'>;
  /** Takes one out of the trash, to a path where nothing is. */
  putBack(file: TrashName, to: DiskPath): Promise<PlacedFile | Changed | Taken | DiskRefusal>;
  /** Drops one from the trash for good. One that is not there is fine. */
  dropTrashed(file: TrashName): Promise<void>;
  /** All that the trash holds, at most 100,000. */
  listTrash(): Promise<readonly { readonly file: TrashName; readonly sizeBytes: number }[]>;

  /**
   * Tells of what changes, as far as the system does: a hint, never the truth. Resolves once it is listening. Changes
   * made before are not told.
   */
  watch(options: FolderWatchOptions): Promise<FolderWatch>;
}

/** Compared for equality only. */
export interface FolderIdentity {
  readonly root: ObjectId;
  /** Null where the system has none. */
  readonly bootId: string | null;
}

export interface DiskTraits {
  readonly names: NameTraits;
  readonly hasHardLinks: boolean;
  /** Whether a file keeps its object when it is renamed or written. Without, all objects are null. */
  readonly hasStableObjects: boolean;
}

/** A moment by the disk's own clock: compared by the disk alone. */
export interface DiskTime {
  readonly ns: bigint;
}

export interface FolderReading {
  /** `gone`: not there, or no folder. `unknown`: there, and nothing is known of what is in it. */
  readonly kind: 'read' | 'gone' | 'unknown';
  /** Of `unknown`. */
  readonly reason: 'unreadable' | 'other_filesystem' | 'nested_link' | null;
  readonly detail: string | null;
  readonly object: ObjectId | null;
  /** Touched within 2 s of the disk's time, either way. */
  readonly isRecent: boolean;
  readonly entries: readonly FolderEntry[];
  /** Names that vanished while the folder was read: it has to be read again. */
  readonly hasVanished: boolean;
}

/** One name in a folder. `name` is as the disk spells it; in one that is not UTF-8 what cannot be read is U+FFFD. */
export type FolderEntry = { readonly name: string; readonly isUtf8: boolean } & StandingThing;

export type StandingThing =
  | {
      readonly kind: 'file';
      readonly stamp: Stamp;
      readonly object: ObjectId | null;
      readonly sizeBytes: number;
      /** Permission bits. */
      readonly mode: number;
      /** Written within 2 s of the disk's time, either way: a later write may leave the same stamp. */
      readonly isRecent: boolean;
    }
  | { readonly kind: 'folder'; readonly object: ObjectId | null; readonly isRecent: boolean }
  | { readonly kind: 'symlink' }
  | { readonly kind: 'special_file' }
  /** It is there, and cannot be looked at. */
  | { readonly kind: 'unreadable'; readonly detail: string };

export type EntryReading =
  | StandingThing
  | { readonly kind: 'absent' }
  /** A folder on the way is a symlink or no folder. */
  | { readonly kind: 'blocked'; readonly by: Obstacle };

/** What must still stand at a path. `hash` is not computed again: the stamp tells. */
export interface PresumedFile {
  readonly stamp: Stamp;
  readonly hash: ContentHash;
}

export interface HashedFile {
  readonly kind: 'hashed';
  readonly hash: ContentHash;
  readonly sizeBytes: number;
}

/** A file in staging, ready to be put in place. */
export interface Staged {
  readonly kind: 'staged';
  readonly id: string;
  readonly hash: ContentHash;
  readonly sizeBytes: number;
}

/** A file in staging that is still written. A write that the disk refuses throws `DiskRefusedError`. */
export interface StagedFile extends DownloadSink {
  readonly kind: 'writing';
  /** Closes it. */
  finish(): Promise<Staged>;
  /** Closes and removes it. */
  discard(): Promise<void>;
}

/** A file that is now where it should be. */
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
  /** Null where it kept its second name. */
  readonly displaced: Displaced | null;
}

/** What was taken from its place, and is in the trash. */
export interface Displaced {
  readonly kind: 'displaced';
  readonly trashed: TrashedFile;
  /** False when somebody wrote into it in the last moment: these bytes are nobody's yet. */
  readonly isAsPlanned: boolean;
}

/** The place of a file in the trash, from there: `2026-11-22/notes/a.md`. */
export type TrashName = string;

export interface TrashedFile {
  readonly file: TrashName;
  readonly sizeBytes: number;
  /** What later writes would change, as text. */
  readonly print: string;
}

export interface Rescued {
  readonly kind: 'rescued';
  /** From the root: `.stoa/rescued/2026-11-22/notes/a.md`. */
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

/** What stands there is not what was planned with, or nothing is: look again. Nothing was changed. */
export interface Changed {
  readonly kind: 'changed';
}

/** Something stands where nothing should. Nothing was changed. */
export interface Taken {
  readonly kind: 'taken';
}

/** The disk does not do it, and nothing was changed. The kinds but `blocked` are reasons for leaving out. */
export type DiskRefusal =
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

/** Thrown where a refusal comes in the middle of a stream. */
export class DiskRefusedError extends Error {
  override readonly name = 'DiskRefusedError';
  readonly refusal: DiskRefusal;

  constructor(refusal: DiskRefusal) {
    super(refusal.kind === 'blocked' ? `${refusal.at} is in the way` : refusal.detail);
    this.refusal = refusal;
  }
}

/** The folder is not the one that was opened, or not there. Nothing about its files follows from that. */
export class FolderGoneError extends Error {
  override readonly name = 'FolderGoneError';
}
