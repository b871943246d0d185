// docs/sync.md
import {
  type BaseFile,
  type ContentHash,
  foldersAbove,
  type LocalFile,
  type LocalFolderState,
  type LocalState,
  type ObjectId,
  placeholderOf,
  type SyncTrees,
  type UnknownReason,
  type WorkspacePath,
} from '@stoa/core';
import type { Engine } from '../engine.ts';
import type { DiskPath, DiskRejection, HashedFile } from '../ports/local-folder.ts';
import type { StateChange } from '../ports/state-store.ts';
import { isOfBase } from '../stamps.ts';
import { readUnacceptedRules } from './active-rules.ts';
import type { FolderScan, SeenEntry } from './folder-view.ts';
import { missingFiles, movedFrom, once } from './settling.ts';

export interface LocalTrees extends Pick<SyncTrees, 'local' | 'localFolders'> {
  /** Files were renamed during the scan. Their state is unknown until the next one. */
  readonly isTorn: boolean;
  /** When the first file that was left because it keeps changing may be sent, by `Pace.now`. Null without one. */
  readonly settlesAt: number | null;
}

/**
 * The scan as differences from the base. Hashes differing files unless their stamp is known.
 * @param youngMissing `taken`: missing files count as missing. `unsettled`: a file that has just gone missing is
 * unknown, and so is a new file that may be the same. An editor may be in the middle of saving, or many files may be in
 * the middle of a rename. A moved file counts as soon as `Settling` sends it.
 */
export async function compareScan(
  engine: Engine,
  scan: FolderScan,
  youngMissing: 'taken' | 'unsettled',
): Promise<LocalTrees> {
  const { base, folders: baseFolders, hashCache, remote } = engine.memory.state;
  const local = new Map<WorkspacePath, LocalState>();
  const changes: StateChange[] = [];
  const kept = new Set<DiskPath>();
  const putOff = new PutOffFiles();
  const now = engine.pace.now();
  const settling = engine.settling.look(scan, base, now, youngMissing === 'taken');
  let settlesAt: number | null = null;
  const missingBefore = missingFiles(base, scan);
  const isYoungMissing = (path: WorkspacePath): boolean =>
    youngMissing === 'unsettled' && !scan.folders.has(path) && scan.isYoung(path);
  const moved = new Map<ObjectId, 'read' | 'unread'>();
  for (const [path, seen] of scan.files) {
    if (engine.signal.aborted) break;
    const row = base.get(path);
    const localName = seen.diskPath === path ? null : seen.diskPath;
    if (localName !== (row?.localName ?? null)) engine.respelled.set(path, seen.diskPath);
    if (seen.isRecent) engine.recent.add(seen.stamp);
    // An untrusted stamp does not justify replacing the file. It is read if the server has another version.
    const isLeft = seen.isRecent && !remote.has(path) && isOfBase(row?.stamp, seen.stamp);
    const isKnown = row?.stamp === seen.stamp || isLeft;
    if (row === undefined && isNewlyUntrusted(engine, path)) engine.untrusted.add(path);
    if (engine.untrusted.has(path)) {
      const found = await readUntrusted(engine, path, seen, row ?? null);
      // The stamp does not prove the bytes, and they were not read since.
      if (found === 'unread') {
        engine.view.touch(seen.diskPath);
        local.set(path, { kind: 'unknown', reason: 'unsettled' });
        continue;
      }
      if (found !== 'believed') {
        local.set(path, { ...found, localName });
        continue;
      }
    }
    if (isKnown && row?.localName === localName) continue;
    kept.add(seen.diskPath);
    const waitMs = settling.get(path);
    const from = movedFrom(seen, row, missingBefore);
    // If a moved file waited alone, its old path would be deleted without it, and its comments would be lost.
    const isAlone = from !== null && !isYoungMissing(from);
    if (youngMissing === 'unsettled' && waitMs !== undefined && !isAlone) {
      settlesAt = Math.min(settlesAt ?? Number.POSITIVE_INFINITY, now + waitMs);
      // The file that this one replaces may have moved on in the same chain.
      if (from !== null && row !== undefined) putOff.add(row);
      local.set(path, { kind: 'unknown', reason: 'unsettled' });
      continue;
    }
    const { sizeBytes, stamp, object, mode } = seen;
    const read = await readHash(engine, seen, changes);
    // Written since the scan, or a disk error that may not occur next time.
    if (read.kind === 'unknown') engine.view.touch(seen.diskPath);
    if (from !== null && object !== null) moved.set(object, read.kind === 'unknown' ? 'unread' : 'read');
    const known = { sizeBytes, stamp, object, localName, mode, isUntrusted: false };
    local.set(path, read.kind === 'unknown' ? read : { kind: 'file', hash: read.hash, ...known });
  }
  if (engine.signal.aborted) {
    // The next start need not read these files again.
    await engine.memory.commit(changes, 'grouped');
    engine.signal.throwIfAborted();
  }
  const torn = await findTornRenames(engine, scan, local);
  for (const path of torn) local.set(path, { kind: 'unknown', reason: 'unsettled' });
  for (const [path, state] of scan.obstacles) local.set(path, state);
  const ignored = new IgnoredByOthers(engine, scan);
  for (const [path, row] of base) {
    if (row.stamp === null || scan.files.has(path) || scan.obstacles.has(path)) continue;
    const found = row.object === null ? undefined : moved.get(row.object);
    const isKept = found === undefined && ignored.keeps(path, row.object);
    const isPutOff = isKept || (found === undefined ? isYoungMissing(path) : found === 'unread');
    local.set(path, isPutOff ? { kind: 'unknown', reason: 'unsettled' } : missingState(path, scan));
    if (isPutOff) putOff.add(row);
  }
  if (scan.unknownRoot !== null) {
    for (const path of remote.keys()) local.set(path, { kind: 'unknown', reason: scan.unknownRoot });
  }
  putOffArrivals(local, base, putOff);
  for (const cached of hashCache.keys()) {
    if (!kept.has(cached)) changes.push({ table: 'hash_cache', path: cached, row: null });
  }
  if (changes.length > 0) await engine.memory.commit(changes, 'grouped');
  const localFolders = new Map<WorkspacePath, LocalFolderState>();
  const missing = [...baseFolders].filter(([path]) => !scan.folders.has(path));
  const isPutOff = (path: WorkspacePath): boolean => youngMissing === 'unsettled' && scan.isYoung(path);
  const movedObjects = new Set(missing.flatMap(([path, { object }]) => (isPutOff(path) ? [object] : [])));
  for (const [path, { object, isEmpty, isRecent, unknown }] of scan.folders) {
    const known = baseFolders.get(path);
    const isAsKnown =
      known !== undefined && known.object === object && !(isEmpty && !base.has(placeholderOf(path)));
    const isYoung =
      youngMissing === 'unsettled' &&
      known === undefined &&
      ((isEmpty && isRecent) || movedObjects.has(object));
    if (unknown !== null) localFolders.set(path, { kind: 'unknown', reason: unknown });
    else if (isYoung) localFolders.set(path, { kind: 'unknown', reason: 'unsettled' });
    else if (!isAsKnown) localFolders.set(path, { kind: 'folder', object, isEmpty });
  }
  for (const [path, { object }] of missing) {
    const state = missingFolder(path, scan);
    const isUnknown = isPutOff(path) || ignored.keeps(path, object);
    localFolders.set(path, isUnknown ? { kind: 'unknown', reason: 'unsettled' } : state);
  }
  engine.movedToIgnored = ignored.names;
  return { local, localFolders, isTorn: torn.length > 0, settlesAt };
}

/** Synced files and folders that the user renamed to names that only unaccepted rules of other users ignore. */
class IgnoredByOthers {
  /** Their local names. */
  readonly names = new Set<WorkspacePath>();
  readonly #folders: Engine['memory']['state']['folders'];
  readonly #names: () => ReadonlyMap<ObjectId, WorkspacePath>;

  constructor(engine: Engine, { rules, ignored, ignoredObjects }: FolderScan) {
    this.#folders = engine.memory.state.folders;
    this.#names = once(() => {
      const unaccepted = readUnacceptedRules(engine, rules);
      if (unaccepted === null) return new Map();
      const found = [...ignoredObjects].filter(([path]) =>
        unaccepted.isIgnored(path, ignored.get(path) ?? 'file'),
      );
      return new Map(found.map(([path, object]) => [object, path]));
    });
  }

  /** Returns true if the missing file or folder, or one of its parents, was found under such a name. */
  keeps(path: WorkspacePath, object: ObjectId | null): boolean {
    const names = this.#names();
    if (names.size === 0) return false;
    const above = foldersAbove(path).map((folder) => this.#folders.get(folder)?.object ?? null);
    const name = [object, ...above]
      .map((each) => (each === null ? undefined : names.get(each)))
      .find((each) => each !== undefined);
    if (name !== undefined) this.names.add(name);
    return name !== undefined;
  }
}

/**
 * Finds files that the scan saw twice, because they were renamed from a folder already read to one still to be read.
 * The new path would be sent as another file. Hard links are checked again and stay as they are.
 * @returns both names of each
 */
async function findTornRenames(
  { folder, memory, view }: Engine,
  scan: FolderScan,
  local: ReadonlyMap<WorkspacePath, LocalState>,
): Promise<readonly WorkspacePath[]> {
  const { base } = memory.state;
  const arrived = new Map<ObjectId, WorkspacePath>();
  for (const [path, state] of local) {
    if (state.kind === 'file' && state.object !== null && !base.has(path)) arrived.set(state.object, path);
  }
  const torn: WorkspacePath[] = [];
  if (arrived.size === 0) return torn;
  for (const [path, { object, diskPath }] of scan.files) {
    const other = object === null ? undefined : arrived.get(object);
    if (other === undefined || other === path) continue;
    const now = await folder.readEntry(diskPath, { ns: 0n });
    if (now.kind === 'file' && now.object === object) continue;
    view.touchWay(diskPath);
    torn.push(path, other);
  }
  return torn;
}

/**
 * Also postpones the possible new paths of files that have just gone missing: new paths, and paths that another missing
 * file has left. If such a path were taken as an edit, the comments of the missing file would be lost.
 */
function putOffArrivals(
  local: Map<WorkspacePath, LocalState>,
  base: ReadonlyMap<WorkspacePath, BaseFile>,
  putOff: PutOffFiles,
): void {
  // Each round except the last postpones one more file of the base.
  for (let isMore = true; isMore; ) {
    isMore = false;
    for (const [path, state] of local) {
      if (state.kind !== 'file') continue;
      const row = base.get(path);
      const mayBe =
        row === undefined ? putOff.mayBe(state) : putOff.isOne(state.object) && !isSame(state, row);
      if (!mayBe) continue;
      local.set(path, { kind: 'unknown', reason: 'unsettled' });
      if (row === undefined) continue;
      putOff.add(row);
      isMore = true;
    }
  }
}

const isSame = (one: { readonly object: ObjectId | null }, other: { readonly object: ObjectId | null }) =>
  one.object === other.object;

/** Files of the base that have just gone missing. */
class PutOffFiles {
  readonly #objects = new Set<ObjectId>();
  readonly #hashes = new Set<ContentHash>();

  add({ object, hash }: BaseFile): void {
    if (object !== null) this.#objects.add(object);
    this.#hashes.add(hash);
  }

  mayBe({ object, hash }: { readonly object: ObjectId | null; readonly hash: ContentHash }): boolean {
    return this.#hashes.has(hash) || this.isOne(object);
  }

  isOne(object: ObjectId | null): boolean {
    return object !== null && this.#objects.has(object);
  }
}

function missingState(path: WorkspacePath, scan: FolderScan): LocalState {
  if (scan.folders.has(path)) return { kind: 'blocked', by: 'folder' };
  const obstacle = obstacleAbove(path, scan);
  return obstacle ?? { kind: 'absent' };
}

function missingFolder(path: WorkspacePath, scan: FolderScan): LocalFolderState {
  const obstacle = scan.obstacles.get(path) ?? obstacleAbove(path, scan);
  return obstacle === null ? { kind: 'absent' } : { kind: 'unknown', reason: 'unreadable' };
}

/** A path behind a symlink or in an unreadable folder is not missing. */
function obstacleAbove(path: WorkspacePath, scan: FolderScan): LocalState | null {
  if (scan.unknownRoot !== null) return { kind: 'unknown', reason: scan.unknownRoot };
  for (const above of foldersAbove(path)) {
    const obstacle = scan.obstacles.get(above);
    if (obstacle?.kind === 'blocked' && obstacle.by === 'symlink')
      return { kind: 'blocked', by: 'symlink_above' };
    if (obstacle?.kind === 'unknown') return obstacle;
    const unknown = scan.folders.get(above)?.unknown ?? null;
    if (unknown !== null) return { kind: 'unknown', reason: unknown };
  }
  return null;
}

/** Whether the file was created before the base recorded it. Then the server also has the path. */
function isNewlyUntrusted({ lostPower, memory }: Engine, path: WorkspacePath): boolean {
  return lostPower && memory.state.remote.get(path)?.kind === 'file';
}

/** Size limit of files that are read to see whether all of their bytes are zero. */
const zerosLookedForBytes = 8 * 1024 * 1024;

/**
 * Checks a file that may have been damaged when the machine stopped. It counts as damaged if it is empty, has zero
 * bytes only, or has other bytes than the base under the same stamp. Damaged bytes are never sent; the server's are
 * downloaded again.
 */
async function readUntrusted(
  { folder, untrusted }: Engine,
  path: WorkspacePath,
  seen: SeenEntry,
  row: BaseFile | null,
): Promise<LocalFile | 'believed' | 'unread'> {
  const read = await folder.hashFile(seen.diskPath, seen.stamp);
  if (read.kind !== 'hashed') return 'unread';
  if (read.hash === row?.hash) {
    untrusted.delete(path);
    return 'believed';
  }
  const { diskPath, stamp, object, sizeBytes, mode } = seen;
  const found = { kind: 'file', hash: read.hash, sizeBytes, stamp, object, localName: null, mode } as const;
  const isUnwritten = row?.stamp === stamp || sizeBytes === 0 || (await holdsZeros());
  if (isUnwritten) return { ...found, isUntrusted: true };
  untrusted.delete(path);
  return 'believed';

  async function holdsZeros(): Promise<boolean> {
    if (sizeBytes > zerosLookedForBytes) return false;
    const presumed = { stamp, hash: found.hash };
    const content = await folder.readBytes(diskPath, presumed, zerosLookedForBytes);
    return content.kind === 'bytes' && content.bytes.every((byte) => byte === 0);
  }
}

async function readHash(
  { folder, memory }: Engine,
  seen: SeenEntry,
  changes: StateChange[],
): Promise<Pick<HashedFile, 'kind' | 'hash'> | Extract<LocalState, { kind: 'unknown' }>> {
  const cached = memory.state.hashCache.get(seen.diskPath);
  if (cached?.stamp === seen.stamp) return { kind: 'hashed', hash: cached.hash };
  const read = await folder.hashFile(seen.diskPath, seen.stamp);
  if (read.kind === 'refused') return { kind: 'unknown', reason: unknownBy(read.reason) };
  if (read.kind !== 'hashed') return { kind: 'unknown', reason: 'unsettled' };
  // A later write may leave the same stamp, so a recent file is read again next time.
  if (!seen.isRecent) {
    const row = { stamp: seen.stamp, hash: read.hash, sizeBytes: read.sizeBytes };
    changes.push({ table: 'hash_cache', path: seen.diskPath, row });
  }
  return read;
}

/** Why the content of a file is unknown after a disk error. */
function unknownBy(reason: Extract<DiskRejection, { kind: 'refused' }>['reason']): UnknownReason {
  return reason === 'in_use' || reason === 'other_filesystem' ? reason : 'unreadable';
}
