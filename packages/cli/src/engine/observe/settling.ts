// docs/sync.md
import type { BaseFile, LocalFile, ObjectId, Stamp, WorkspacePath } from '@stoa/core';
import type { DiskPath } from '../ports/local-folder.ts';
import { isOfBase } from '../stamps.ts';
import type { FolderScan, SeenEntry } from './folder-view.ts';

/** Writing a larger file takes longer, so it must rest even before it is sent for the first time. */
const largeBytes = 1024 * 1024;
const restMs = 2000;
/** Programs empty a file before they write it, and some are slow. */
const emptiedMs = 10_000;

/** A file that never rests is sent after these pauses. The last pause repeats. */
const pausesMs = [10_000, 30_000, 120_000, 600_000];
/** After this long without a change, a file is treated like a new one. */
const calmMs = 60_000;
const minuteMs = 60_000;
/** Limit of bytes per file and minute. */
const minuteBytesMax = 64 * 1024 * 1024;
/** Limit of bytes per minute of a file that rests again and again, because the history stores each version in full. */
const restedMinuteBytes = 16 * 1024 * 1024;
/** Each version of a file that rests again and again lengthens the next wait by this. */
const restedGapMs = 2000;
const restedGapMsMax = 60_000;

/** A file that changes for this long without being sent is shown to the user. */
const shownAfterMs = 5000;
/** Limit of recently sent files to track. The oldest are dropped. */
const sentFilesMax = 1000;

/** A file that differs from the base, or was sent within the last minute. */
interface ChangingFile {
  stamp: Stamp;
  object: ObjectId | null;
  /** When it was first seen with this stamp. */
  stoodSince: number;
  /** When an unsent change was first seen; null without one. */
  unsentSince: number | null;
  /** When it is sent even if it does not rest. */
  dueAt: number;
  /** Whether the next version is sent although the file has not rested. */
  isRestless: boolean;
  /** Number of versions sent, and of those sent without rest. */
  versions: number;
  restlessVersions: number;
  sentAt: number;
  /** Uploads of the last minute. */
  sent: { readonly at: number; readonly bytes: number }[];
}

/**
 * Decides when a file that is being written may be sent. The first change is sent at once, or after a rest if the file
 * is large or was moved. Further changes within a minute are sent after a rest, or after growing pauses. A file that
 * moves keeps its history. Times are in milliseconds of `Pace.now`.
 */
export class Settling {
  readonly #files = new Map<DiskPath, ChangingFile>();

  /**
   * Milliseconds until each file may be sent. Files that may be sent now are omitted.
   * @param isAsked the user waits for the pass; then a file only has to rest, however often it was sent
   */
  look(
    scan: Pick<FolderScan, 'files'>,
    base: ReadonlyMap<WorkspacePath, BaseFile>,
    now: number,
    isAsked = false,
  ): ReadonlyMap<string, number> {
    const differing = new Set<DiskPath>();
    const waits = new Map<string, number>();
    const missing = missingFiles(base, scan);
    const left = once(() => this.#leftPaths(scan));
    for (const [path, entry] of scan.files) {
      const row = base.get(path);
      if (isOfBase(row?.stamp, entry.stamp)) continue;
      const isMoved = movedFrom(entry, row, missing) !== null;
      const file = this.#see(entry, firstRestMs(entry, row, isMoved), left, now);
      if (file === null) continue;
      differing.add(entry.diskPath);
      const waitMs = takenAt(file, entry, row, now, isMoved, isAsked) - now;
      if (waitMs > 0) waits.set(path, waitMs);
    }
    for (const [path, file] of this.#files) {
      if (differing.has(path)) continue;
      file.unsentSince = null;
      if (isCalm(file, now)) this.#files.delete(path);
    }
    return waits;
  }

  recordSent(
    path: DiskPath,
    { stamp, object, sizeBytes: bytes }: Pick<LocalFile, 'stamp' | 'object' | 'sizeBytes'>,
    now: number,
  ): void {
    const file = this.#files.get(path) ?? newFile({ stamp, object }, now);
    this.#files.delete(path);
    this.#files.set(path, file);
    file.versions += 1;
    if (file.isRestless) file.restlessVersions += 1;
    file.isRestless = false;
    // The next scan finds writes during the upload.
    file.unsentSince = null;
    file.sentAt = now;
    file.sent = [...file.sent.filter(({ at }) => now - at < minuteMs), { at: now, bytes }];
    const [oldest] = this.#files.keys();
    if (this.#files.size > sentFilesMax && oldest !== undefined) this.#files.delete(oldest);
  }

  /** Called after a download replaced the file. Later local changes respond to that version (see `EditLoops`). */
  recordReplaced(path: DiskPath): void {
    const file = this.#files.get(path);
    if (file !== undefined) Object.assign(file, { unsentSince: null, versions: 0, restlessVersions: 0 });
  }

  /** Files that keep changing, with the latest time at which each is sent. */
  keepChanging(now: number): ReadonlyMap<DiskPath, number> {
    const found = new Map<DiskPath, number>();
    for (const [path, { unsentSince, dueAt }] of this.#files) {
      if (unsentSince !== null && now - unsentSince >= shownAfterMs && dueAt > now) found.set(path, dueAt);
    }
    return found;
  }

  /** Paths of tracked files that are no longer there, by object. */
  #leftPaths({ files }: Pick<FolderScan, 'files'>): ReadonlyMap<ObjectId, DiskPath> {
    const left = new Map<ObjectId, DiskPath>();
    for (const [path, { object }] of this.#files) {
      if (object !== null && files.get(path as WorkspacePath)?.object !== object) left.set(object, path);
    }
    return left;
  }

  /** @returns null for a file that may be sent at once */
  #see(
    { diskPath, stamp, object }: SeenEntry,
    restMs: number,
    left: () => ReadonlyMap<ObjectId, DiskPath>,
    now: number,
  ): ChangingFile | null {
    const from = this.#files.has(diskPath) || object === null ? diskPath : (left().get(object) ?? diskPath);
    let file = this.#files.get(from);
    if (file === undefined || isCalm(file, now)) {
      this.#files.delete(from);
      if (restMs === 0) return null;
      file = newFile({ stamp, object }, now);
      this.#files.set(diskPath, file);
    } else if (from !== diskPath) {
      this.#files.delete(from);
      this.#files.set(diskPath, file);
    }
    file.object = object;
    if (file.stamp !== stamp) {
      file.stamp = stamp;
      file.stoodSince = now;
    }
    file.unsentSince ??= now;
    return file;
  }
}

/** The base's files that the scan did not find at their paths, by object. */
export type MissingFiles = () => ReadonlyMap<ObjectId, WorkspacePath>;

/** Reads the whole base, but only on first use. */
export function missingFiles(
  base: ReadonlyMap<WorkspacePath, BaseFile>,
  { files }: Pick<FolderScan, 'files'>,
): MissingFiles {
  return once(() => {
    const missing = new Map<ObjectId, WorkspacePath>();
    for (const [path, { object }] of base) if (object !== null && !files.has(path)) missing.set(object, path);
    return missing;
  });
}

/** Path in the base of a file that is now elsewhere. Null for a file that was not moved. */
export function movedFrom(
  { object }: SeenEntry,
  row: BaseFile | undefined,
  missing: MissingFiles,
): WorkspacePath | null {
  return object === null || object === row?.object ? null : (missing().get(object) ?? null);
}

export function once<Result>(read: () => Result): () => Result {
  let known: { readonly result: Result } | null = null;
  return () => {
    known ??= { result: read() };
    return known.result;
  };
}

function newFile(seen: Pick<ChangingFile, 'stamp' | 'object'>, now: number): ChangingFile {
  const nothingSent = { versions: 0, restlessVersions: 0, sentAt: now, sent: [] };
  return { ...seen, stoodSince: now, unsentSince: null, dueAt: now, isRestless: false, ...nothingSent };
}

/** The file has no unsent change and has not changed for a while. */
function isCalm({ unsentSince, stoodSince, sentAt }: ChangingFile, now: number): boolean {
  return unsentSince === null && now - Math.max(stoodSince, sentAt) >= calmMs;
}

function firstRestMs(
  { sizeBytes, isRecent }: SeenEntry,
  row: BaseFile | undefined,
  isMoved: boolean,
): number {
  if (isEmptied(sizeBytes, row)) return emptiedMs;
  if (isMoved) return restMs;
  // A file written earlier has rested already.
  return sizeBytes > largeBytes && isRecent ? restMs : 0;
}

function isEmptied(sizeBytes: number, row: BaseFile | undefined): boolean {
  return sizeBytes === 0 && row !== undefined && row.sizeBytes > 0;
}

function takenAt(
  file: ChangingFile,
  { sizeBytes, isRecent }: SeenEntry,
  row: BaseFile | undefined,
  now: number,
  isMoved: boolean,
  isAsked: boolean,
): number {
  const { stoodSince, versions, restlessVersions, sentAt, sent } = file;
  const unsentSince = file.unsentSince ?? now;
  const roomFrom = roomAt(sent, sizeBytes);
  file.dueAt = now;
  file.isRestless = false;
  if (isEmptied(sizeBytes, row)) return stoodSince + emptiedMs;
  const writtenAt = isRecent ? stoodSince + restMs : now;
  if (isAsked) return sizeBytes > largeBytes ? writtenAt : now;
  if (versions === 0 && sizeBytes <= largeBytes && !isMoved) return roomFrom;
  // A rename leaves the time of the last write.
  const restedAt = isMoved ? stoodSince + restMs : writtenAt;
  const gapMs = Math.min(versions * restedGapMs, restedGapMsMax);
  const sizeGapMs = versions === 0 ? 0 : (sizeBytes / restedMinuteBytes) * minuteMs;
  const restedFrom = Math.max(restedAt, sentAt + Math.max(gapMs, sizeGapMs));
  const pauseMs = pausesMs[Math.min(restlessVersions, pausesMs.length - 1)] ?? 0;
  const since = versions === 0 ? unsentSince : sentAt;
  // A file that begins to change after its pause may rest first.
  const restlessFrom = Math.max(since + pauseMs, unsentSince + restMs);
  file.dueAt = Math.max(restlessFrom, roomFrom);
  file.isRestless = restlessFrom < restedFrom;
  return Math.max(Math.min(restedFrom, restlessFrom), roomFrom);
}

/**
 * Time from which this many bytes of the file may be sent. A file larger than the limit of a minute takes as many
 * minutes as it needs.
 */
function roomAt(sent: ChangingFile['sent'], sizeBytes: number): number {
  let bytes = sizeBytes;
  for (const each of sent.toReversed()) {
    bytes += each.bytes;
    if (bytes > minuteBytesMax) return each.at + minuteMs * Math.max(1, each.bytes / minuteBytesMax);
  }
  return 0;
}
