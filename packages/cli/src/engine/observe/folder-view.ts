// docs/sync.md
import {
  type BaseFile,
  foldersAbove,
  isHiddenName,
  isRepository,
  type LocalState,
  type ObjectId,
  placeholderName,
  placeholderOf,
  readLocalName,
  type SkippedPath,
  type SyncTrees,
  type UnknownReason,
  type WorkspacePath,
} from '@stoa/core';
import type { IgnoreRules } from '../ports/ignore-rules.ts';
import type { DiskPath, FolderEntry, FolderReading, LocalFolder } from '../ports/local-folder.ts';
import { isOfBase } from '../stamps.ts';

type FileEntry = Extract<FolderEntry, { kind: 'file' }>;

export type SeenEntry = Omit<FileEntry, 'name' | 'isUtf8' | 'kind'> & { readonly diskPath: DiskPath };

interface SeenFolder {
  readonly diskPath: DiskPath;
  readonly object: ObjectId | null;
  readonly isEmpty: boolean;
  readonly isRecent: boolean;
  readonly unknown: UnknownReason | null;
}

/** State of the folder after a full or partial scan. */
export interface FolderScan {
  readonly files: ReadonlyMap<WorkspacePath, SeenEntry>;
  readonly folders: ReadonlyMap<WorkspacePath, SeenFolder>;
  readonly obstacles: ReadonlyMap<WorkspacePath, LocalState>;
  readonly ignored: SyncTrees['ignored'];
  /** Objects of ignored files and folders. */
  readonly ignoredObjects: ReadonlyMap<WorkspacePath, ObjectId>;
  readonly skipped: readonly SkippedPath[];
  /** The rules of the scan. Under other rules, the files ignored here would be missing. */
  readonly rules: IgnoreRules;
  /** Whether the scan read every folder. */
  readonly isWhole: boolean;
  /** Every folder could be read. */
  readonly isHealthy: boolean;
  /** Why the root could not be read; then all its contents are unknown. */
  readonly unknownRoot: UnknownReason | null;
  /** A differing file was modified in the last two seconds and may be incomplete. */
  readonly hasRecent: boolean;
  /** Whether the folder of a missing path was modified in the last two seconds. */
  isYoung(path: WorkspacePath): boolean;
}

/** One folder as last read. */
interface ReadFolder {
  readonly diskPath: DiskPath;
  /** Null for the root. */
  readonly path: WorkspacePath | null;
  readonly depth: number;
  readonly object: ObjectId | null;
  readonly isRecent: boolean;
  readonly isHealthy: boolean;
  readonly unknown: UnknownReason | null;
  readonly files: readonly WorkspacePath[];
  readonly obstacles: readonly WorkspacePath[];
  readonly ignored: readonly WorkspacePath[];
  readonly folders: readonly DiskPath[];
  readonly skipped: readonly SkippedPath[];
}

type ToRead = Pick<ReadFolder, 'diskPath' | 'path' | 'depth'>;

/** Limit of folder levels. The workspace's limit is far lower. */
const depthMax = 512;
/** Limit of folders read one by one. Beyond it, everything is read. */
const touchedMax = 10_000;

const root: ToRead = { diskPath: '', path: null, depth: 0 };

/**
 * All folders that are not ignored, as last read. Scans give the state; events only show which folders to scan. A
 * folder without events is not read again until the next full scan.
 */
export class FolderView {
  readonly #files = new Map<WorkspacePath, SeenEntry>();
  readonly #folders = new Map<WorkspacePath, SeenFolder>();
  readonly #obstacles = new Map<WorkspacePath, LocalState>();
  readonly #ignored = new Map<WorkspacePath, 'file' | 'folder'>();
  readonly #ignoredObjects = new Map<WorkspacePath, ObjectId>();
  readonly #read = new Map<DiskPath, ReadFolder>();
  readonly #unhealthy = new Set<DiskPath>();
  readonly #withSkipped = new Set<DiskPath>();
  #touched = new Set<DiskPath>();
  #isAllTouched = true;
  /** Two folders or files have the same workspace path. Which of them counts is known only after all are read. */
  #hasTwins = false;
  #rules: IgnoreRules | null = null;

  /** Marks this path, and its folder, to be read again. */
  touch(path: DiskPath): void {
    if (this.#isAllTouched) return;
    this.#touched.add(path);
    this.#touched.add(folderAbove(path));
    if (this.#touched.size > touchedMax) this.touchAll();
  }

  /** Marks this path and all folders above it, which may be created or removed. */
  touchWay(path: DiskPath): void {
    // Each iteration goes one folder up.
    for (let at = path; at !== ''; at = folderAbove(at)) this.touch(at);
  }

  /** Marks everything to be read again. */
  touchAll(): void {
    this.#isAllTouched = true;
    this.#touched.clear();
  }

  /** Whether some file had this object id in the last scan. Slow; for single files only. */
  hasSeen(object: ObjectId): boolean {
    return this.#files.values().some((seen) => seen.object === object);
  }

  /**
   * Reads all marked folders. Folders with files that are too recent to be trusted stay marked. After an error or an
   * abort, everything is read again.
   */
  async scan(
    folder: LocalFolder,
    rules: IgnoreRules,
    base: ReadonlyMap<WorkspacePath, BaseFile>,
    signal?: AbortSignal,
  ): Promise<FolderScan> {
    const isWhole = this.#isAllTouched || this.#hasTwins || !isSameRules(this.#rules, rules);
    const touched = this.#touched;
    this.#touched = new Set();
    this.#isAllTouched = false;
    this.#rules = rules;
    const scanning = new Scanning(isWhole);
    try {
      const time = await folder.readDiskTime();
      if (isWhole) this.#clear();
      const waiting = isWhole ? [root] : this.#foldersAt(touched);
      // Each folder is read once.
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        // Removed together with the folder above it.
        const isKnown = this.#read.has(next.diskPath) || scanning.isNew(next.diskPath);
        if (!isKnown || scanning.isRead(next.diskPath)) continue;
        signal?.throwIfAborted();
        const reading = await folder.readFolder(next.diskPath, time);
        waiting.push(...this.#take(next, reading, rules, base, scanning));
      }
      // The root was there all the time, so missing entries are really missing.
      await folder.readIdentity();
    } catch (error) {
      this.touchAll();
      throw error;
    }
    return { ...this.#view(base, scanning, isWhole), rules };
  }

  /** The marked folders or, if one no longer exists, the nearest known folder above it. */
  #foldersAt(touched: ReadonlySet<DiskPath>): ToRead[] {
    const found = new Map<DiskPath, ToRead>();
    for (const path of touched) {
      let at = path;
      // Each iteration goes one folder up, and the root is known.
      while (!this.#read.has(at) && at !== '') at = folderAbove(at);
      const known = this.#read.get(at) ?? root;
      found.set(at, known);
    }
    // Outer folders last, where they are popped first, because inner ones may be gone with them.
    return [...found.values()].sort((a, b) => b.depth - a.depth);
  }

  /** @returns the folders in it that must be read */
  #take(
    next: ToRead,
    reading: FolderReading,
    rules: IgnoreRules,
    base: ReadonlyMap<WorkspacePath, BaseFile>,
    scanning: Scanning,
  ): ToRead[] {
    const { diskPath, path, depth } = next;
    const before = this.#read.get(diskPath);
    if (reading.kind === 'gone' || reading.hasVanished) scanning.hasRecent = true;
    if (reading.kind === 'gone') return this.#takeGone(diskPath, scanning);
    if (reading.kind === 'unknown') {
      this.#forget(diskPath);
      this.#takeUnknown(next, reading);
      return [];
    }
    if (isRepository(reading.entries)) {
      // Another user's `config` in it would run commands here, and the local one would run them on other machines.
      this.#forget(diskPath);
      this.#takeUnknown(next, { ...reading, reason: 'repository' });
      return [];
    }
    this.#forgetOwn(diskPath);
    const found = new FoundInFolder();
    for (const entry of reading.entries) this.#takeEntry(next, entry, { rules, base, found, scanning });
    if (path !== null) {
      const isEmpty = reading.entries.every(isPlaceholderLike);
      const { object, isRecent } = reading;
      this.#seeFolder(path, { diskPath, object, isEmpty, isRecent, unknown: null });
      if (isRecent && isEmpty && !base.has(placeholderOf(path))) scanning.hasRecent = true;
    }
    const { files, obstacles, ignored, skipped, isHealthy } = found;
    const folders = found.folders.map((each) => each.diskPath);
    const { object, isRecent } = reading;
    const own = { files, obstacles, ignored, folders, skipped };
    this.#keep({ diskPath, path, depth, object, isRecent, isHealthy, unknown: null, ...own });
    if (isRecent || found.hasRecent || reading.hasVanished || !isHealthy) this.#touched.add(diskPath);
    const there = new Set(folders);
    for (const child of before?.folders ?? []) if (!there.has(child)) this.#forget(child);
    return found.folders.flatMap(({ diskPath: child, path: childPath, object: seen }) => {
      const known = this.#read.get(child);
      if (known !== undefined && seen !== null && known.object === seen) return [];
      this.#forget(child);
      scanning.readNew(child);
      return [{ diskPath: child, path: childPath, depth: depth + 1 }];
    });
  }

  /** Reads the folder above again, to find where the folder went. */
  #takeGone(diskPath: DiskPath, scanning: Scanning): ToRead[] {
    this.#forget(diskPath);
    const above = this.#read.get(folderAbove(diskPath));
    this.#touched.add(folderAbove(diskPath));
    if (above === undefined || !scanning.mayReadAgain(above.diskPath)) return [];
    return [above];
  }

  #takeUnknown({ diskPath, path, depth }: ToRead, reading: FolderReading): void {
    const { object, isRecent, detail } = reading;
    const reason = reading.reason ?? 'unreadable';
    if (path !== null) this.#seeFolder(path, { diskPath, object, isEmpty: false, isRecent, unknown: reason });
    const skipped = [{ path: path ?? '.', reason, detail }];
    const isHealthy = reason === 'nested_link' || reason === 'repository';
    const nothing = { files: [], obstacles: [], ignored: [], folders: [] };
    this.#keep({
      diskPath,
      path,
      depth,
      object,
      isRecent,
      isHealthy,
      unknown: reason,
      skipped,
      ...nothing,
    });
    this.#touched.add(diskPath);
  }

  #takeEntry(
    { diskPath: above, depth }: ToRead,
    entry: FolderEntry,
    context: {
      readonly rules: IgnoreRules;
      readonly base: ReadonlyMap<WorkspacePath, BaseFile>;
      readonly found: FoundInFolder;
      readonly scanning: Scanning;
    },
  ): void {
    const { rules, base, found, scanning } = context;
    const diskPath = above === '' ? entry.name : `${above}/${entry.name}`;
    if (isHiddenName(entry.name)) return;
    if (!entry.isUtf8) {
      found.skipped.push({ path: diskPath, reason: 'not_utf8', detail: null });
      return;
    }
    const name = readLocalName(diskPath);
    if (name.kind === 'refused') {
      found.skipped.push({ path: diskPath, reason: 'name_refused', detail: name.detail });
      return;
    }
    const { path } = name;
    const kind = entry.kind === 'folder' ? 'folder' : 'file';
    if (rules.isIgnored(path, kind)) {
      this.#ignored.set(path, kind);
      if ('object' in entry && entry.object !== null) this.#ignoredObjects.set(path, entry.object);
      found.ignored.push(path);
      return;
    }
    switch (entry.kind) {
      case 'folder':
        if (depth < depthMax) found.folders.push({ diskPath, path, object: entry.object });
        return;
      case 'symlink':
      case 'special_file':
        this.#obstacles.set(path, { kind: 'blocked', by: entry.kind });
        found.obstacles.push(path);
        return;
      case 'unreadable':
        found.isHealthy = false;
        this.#obstacles.set(path, { kind: 'unknown', reason: 'unreadable' });
        found.obstacles.push(path);
        return;
      case 'file': {
        const row = base.get(path);
        const taken = this.#files.get(path);
        if (taken !== undefined) {
          this.#hasTwins = true;
          // Two names have the same composed form. The name in the base wins, else the composed one.
          const kept = (row?.localName ?? path) === diskPath ? diskPath : taken.diskPath;
          const other = kept === diskPath ? taken.diskPath : diskPath;
          found.skipped.push({ path: other, reason: 'form_collision', detail: kept });
          if (kept !== diskPath) return;
        }
        this.#files.set(path, seenAs(entry, row, diskPath === path ? path : diskPath));
        found.files.push(path);
        if (!entry.isRecent) return;
        found.hasRecent = true;
        if (!isOfBase(row?.stamp, entry.stamp)) scanning.hasRecent = true;
      }
    }
  }

  #seeFolder(path: WorkspacePath, seen: SeenFolder): void {
    const other = this.#folders.get(path);
    if (other !== undefined && other.diskPath !== seen.diskPath) this.#hasTwins = true;
    this.#folders.set(path, seen);
  }

  #keep(read: ReadFolder): void {
    this.#read.set(read.diskPath, read);
    if (!read.isHealthy) this.#unhealthy.add(read.diskPath);
    if (read.skipped.length > 0) this.#withSkipped.add(read.diskPath);
  }

  #clear(): void {
    const all = [this.#files, this.#folders, this.#obstacles, this.#ignored, this.#ignoredObjects];
    for (const each of [...all, this.#read]) each.clear();
    this.#unhealthy.clear();
    this.#withSkipped.clear();
    this.#hasTwins = false;
  }

  /** Forgets a folder with all of its contents. */
  #forget(diskPath: DiskPath): void {
    const going = [diskPath];
    // Each folder is known once.
    for (let next = going.pop(); next !== undefined; next = going.pop()) {
      going.push(...(this.#read.get(next)?.folders ?? []));
      this.#forgetOwn(next);
    }
  }

  /** Forgets the direct entries of a folder. */
  #forgetOwn(diskPath: DiskPath): void {
    const known = this.#read.get(diskPath);
    if (known === undefined) return;
    for (const path of known.files) this.#files.delete(path);
    for (const path of known.obstacles) this.#obstacles.delete(path);
    for (const path of known.ignored) {
      this.#ignored.delete(path);
      this.#ignoredObjects.delete(path);
    }
    if (known.path !== null) this.#folders.delete(known.path);
    this.#read.delete(diskPath);
    this.#unhealthy.delete(diskPath);
    this.#withSkipped.delete(diskPath);
  }

  #view(
    base: ReadonlyMap<WorkspacePath, BaseFile>,
    scanning: Scanning,
    isWhole: boolean,
  ): Omit<FolderScan, 'rules'> {
    const [files, folders, obstacles, ignored] = [this.#files, this.#folders, this.#obstacles, this.#ignored];
    const unknownRoot = this.#read.get('')?.unknown ?? null;
    const isRootRecent = this.#read.get('')?.isRecent === true;
    const isYoung = (path: WorkspacePath): boolean => isNearestRecent(path, folders, isRootRecent);
    let { hasRecent } = scanning;
    for (const [path, row] of base) {
      if (hasRecent) break;
      if (row.stamp === null || files.has(path) || obstacles.has(path)) continue;
      // The file is missing and its folder was just modified. A program may be in the middle of saving it.
      hasRecent = isYoung(path);
    }
    const skipped = [...this.#withSkipped].flatMap((each) => this.#read.get(each)?.skipped ?? []);
    const isHealthy = this.#unhealthy.size === 0;
    const ignoredObjects = this.#ignoredObjects;
    const seen = { files, folders, obstacles, ignored, ignoredObjects, skipped, isWhole, isHealthy };
    return { ...seen, unknownRoot, hasRecent, isYoung };
  }
}

/** Limit of folders read twice in one scan because entries moved out of them during it. */
const readAgainMax = 1000;

/** State of one scan. */
class Scanning {
  hasRecent = false;
  readonly #read = new Set<DiskPath>();
  readonly #new = new Set<DiskPath>();
  #again = 0;

  constructor(isWhole: boolean) {
    if (isWhole) this.#new.add(root.diskPath);
  }

  /** Whether it is a new folder, found in its parent during this scan. */
  isNew(folder: DiskPath): boolean {
    return this.#new.has(folder);
  }

  /** Whether this scan has read it. Marks it as read. */
  isRead(folder: DiskPath): boolean {
    if (this.#read.has(folder)) return true;
    this.#read.add(folder);
    return false;
  }

  readNew(folder: DiskPath): void {
    this.#new.add(folder);
    this.#read.delete(folder);
  }

  mayReadAgain(folder: DiskPath): boolean {
    this.#again += 1;
    if (this.#again > readAgainMax) return false;
    this.#read.delete(folder);
    return true;
  }
}

class FoundInFolder {
  readonly files: WorkspacePath[] = [];
  readonly obstacles: WorkspacePath[] = [];
  readonly ignored: WorkspacePath[] = [];
  readonly folders: {
    readonly diskPath: DiskPath;
    readonly path: WorkspacePath;
    readonly object: ObjectId | null;
  }[] = [];
  readonly skipped: SkippedPath[] = [];
  isHealthy = true;
  hasRecent = false;
}

/** Shares strings with the base, because the view has an entry for each file. */
function seenAs(entry: FileEntry, row: BaseFile | undefined, diskPath: DiskPath): SeenEntry {
  const { sizeBytes, mode, isRecent } = entry;
  const isSame = row !== undefined && row.stamp === entry.stamp;
  const stamp = isSame ? row.stamp : entry.stamp;
  const object = isSame && row.object === entry.object ? row.object : entry.object;
  return { stamp, object, sizeBytes, mode, isRecent, diskPath };
}

export function isSameRules(before: IgnoreRules | null, { texts }: IgnoreRules): boolean {
  return before !== null && before.texts.shared === texts.shared && before.texts.private === texts.private;
}

export function folderAbove(path: DiskPath): DiskPath {
  const end = path.lastIndexOf('/');
  return end === -1 ? '' : path.slice(0, end);
}

function isPlaceholderLike(entry: FolderEntry): boolean {
  return entry.name === placeholderName && entry.kind === 'file' && entry.sizeBytes <= 1;
}

function isNearestRecent(
  path: WorkspacePath,
  folders: ReadonlyMap<WorkspacePath, SeenFolder>,
  isRootRecent: boolean,
): boolean {
  for (const above of foldersAbove(path).toReversed()) {
    const seen = folders.get(above);
    if (seen !== undefined) return seen.isRecent;
  }
  return isRootRecent;
}
