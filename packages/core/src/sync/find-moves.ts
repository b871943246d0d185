import type { ContentHash } from '../files/content.ts';
import { diskKey } from '../names/local-name.ts';
import type { NameTraits } from '../names/name-traits.ts';
import { compareByCodePoint, isWithin, rebasePath, type WorkspacePath } from '../workspace-path.ts';
import { folderOf, isPlaceholder, isPlaceholderPath } from './is-placeholder.ts';
import { isLocalFolder, type PathCell } from './path-cell.ts';
import type { TreeIndex } from './tree-index.ts';
import type { ObjectId, SyncTrees } from './trees.ts';

export interface FoundMove {
  readonly from: WorkspacePath;
  readonly to: WorkspacePath;
}

export interface FoundFolderMove extends FoundMove {
  readonly object: ObjectId;
}

/** Destinations by source path. */
export type FoundMoves = ReadonlyMap<WorkspacePath, WorkspacePath>;

export interface LocalMoves {
  /** Chains of moves, each in an order that can be repeated: b → c comes before a → b. Most have one move. */
  readonly chains: readonly (readonly FoundMove[])[];
  /** Folder moves that no other folder move implies. */
  readonly folders: readonly FoundFolderMove[];
}

/**
 * Finds local moves: a missing path whose file is at a new path. A path that still exists counts as an update, whatever
 * object it now has, because editors save in different ways. Only moves in a chain are recognised by their objects alone.
 */
export function findLocalMoves(
  cells: ReadonlyMap<WorkspacePath, PathCell>,
  notMoved: ReadonlySet<WorkspacePath>,
  lost: ReadonlySet<WorkspacePath>,
  trees: SyncTrees,
  index: TreeIndex,
): LocalMoves {
  const missing = new Map<WorkspacePath, PathCell>();
  const arrived = new Map<WorkspacePath, PathCell>();
  for (const [path, cell] of cells) {
    if (cell.base !== null && cell.local.kind === 'absent' && !notMoved.has(path)) missing.set(path, cell);
    const isNew = cell.base === null && cell.local.kind === 'other' && !isPlaceholderPath(path);
    if (isNew && !lost.has(path)) arrived.set(path, cell);
  }
  const folders = findFolderMoves(trees);
  if (missing.size === 0) return { chains: [], folders };
  const chains: (readonly FoundMove[])[] = [];
  const settle = (chain: readonly FoundMove[]): void => {
    chains.push(chain);
    for (const { from, to } of chain) {
      missing.delete(from);
      arrived.delete(to);
    }
  };
  const pathOfObject = localObjects(cells);
  for (const path of [...missing.keys()].sort(compareByCodePoint)) {
    const chain = followObjects(path, cells, arrived, pathOfObject);
    if (chain?.every(({ from }) => !notMoved.has(from))) settle(chain);
  }
  const alike = onlyOnesAlike(contentsOfMissing(missing), contentsOfArrived(arrived), areApart);
  for (const move of alike) settle([move]);
  for (const folder of folders) {
    for (const path of index.pathsBelow(folder.from)) {
      const to = rebasePath(path, folder.from, folder.to);
      if (!missing.has(path)) continue;
      const isThere = isKeptFolder(missing.get(path)) ? keepsFolder(to, trees) : arrived.has(to);
      if (isThere) settle([{ from: path, to }]);
    }
  }
  return { chains, folders };
}

/**
 * Finds moves on the server: from the record, or else from a content that disappeared at exactly one path and appeared at
 * exactly one.
 */
export function findRemoteMoves(
  cells: ReadonlyMap<WorkspacePath, PathCell>,
  notMoved: ReadonlySet<WorkspacePath>,
  traits: NameTraits,
): FoundMoves {
  const areApartOnDisk = (from: WorkspacePath, to: WorkspacePath): boolean => areApartHere(from, to, traits);
  const moves = new Map<WorkspacePath, WorkspacePath>();
  const gone = new Map<WorkspacePath, PathCell>();
  const arrived: PathCell[] = [];
  for (const [path, cell] of cells) {
    if (isKeptFolder(cell)) continue;
    if (cell.base !== null && cell.remote.kind === 'absent' && !notMoved.has(path)) gone.set(path, cell);
    if (cell.base === null && 'file' in cell.remote) arrived.push(cell);
  }
  if (gone.size === 0) return moves;
  const unexplained: [WorkspacePath, ContentHash][] = [];
  for (const { path, remote } of arrived) {
    if (!('file' in remote)) continue;
    const { movedFrom, hash, sizeBytes } = remote.file;
    const canLeave = movedFrom !== null && gone.has(movedFrom) && !moves.has(movedFrom);
    if (canLeave && areApartOnDisk(movedFrom, path)) moves.set(movedFrom, path);
    else if (hash !== null && sizeBytes !== 0) unexplained.push([path, hash]);
  }
  for (const from of moves.keys()) gone.delete(from);
  const alike = onlyOnesAlike(contentsOfMissing(gone), unexplained, areApartOnDisk);
  for (const { from, to } of alike) moves.set(from, to);
  return moves;
}

/** Finds folders that are gone and whose object is now a new folder. The old path must be gone. */
function findFolderMoves({ baseFolders, localFolders }: SyncTrees): FoundFolderMove[] {
  const arrived = new Map<ObjectId, WorkspacePath>();
  for (const [path, state] of localFolders) {
    if (state.kind === 'folder' && state.object !== null && !baseFolders.has(path)) {
      arrived.set(state.object, path);
    }
  }
  const moves: FoundFolderMove[] = [];
  if (arrived.size === 0) return moves;
  const gone = [...localFolders].filter(([, state]) => state.kind === 'absent').map(([path]) => path);
  for (const from of gone.sort(compareByCodePoint)) {
    const object = baseFolders.get(from)?.object ?? null;
    const to = object === null ? undefined : arrived.get(object);
    if (object === null || to === undefined || !areApart(from, to)) continue;
    const isImplied = moves.some(
      (outer) => isWithin(from, outer.from) && rebasePath(from, outer.from, outer.to) === to,
    );
    if (!isImplied) moves.push({ from, to, object });
  }
  return moves;
}

function localObjects(cells: ReadonlyMap<WorkspacePath, PathCell>): ReadonlyMap<ObjectId, WorkspacePath> {
  const paths = new Map<ObjectId, WorkspacePath>();
  for (const [path, { local }] of cells) {
    if (!('file' in local) || local.file.object === null) continue;
    const other = paths.get(local.file.object);
    // For two hard links, take the first by code point: equal trees give equal plans.
    if (other === undefined || compareByCodePoint(path, other) < 0) paths.set(local.file.object, path);
  }
  return paths;
}

function followObjects(
  start: WorkspacePath,
  cells: ReadonlyMap<WorkspacePath, PathCell>,
  arrived: ReadonlyMap<WorkspacePath, PathCell>,
  pathOfObject: ReadonlyMap<ObjectId, WorkspacePath>,
): readonly FoundMove[] | null {
  const chain: FoundMove[] = [];
  let from = start;
  // Each step has a different path, which bounds the chain.
  for (const seen = new Set<WorkspacePath>(); !seen.has(from); ) {
    seen.add(from);
    const object = cells.get(from)?.base?.object ?? null;
    const to = object === null ? undefined : pathOfObject.get(object);
    if (to === undefined || !areApart(from, to)) return null;
    chain.unshift({ from, to });
    if (arrived.has(to)) return chain;
    from = to;
  }
  return null;
}

function contentsOfMissing(
  cells: ReadonlyMap<WorkspacePath, PathCell>,
): readonly (readonly [WorkspacePath, ContentHash])[] {
  return [...cells].flatMap(([path, { base }]) =>
    base === null || base.sizeBytes === 0 || isPlaceholder(path, base.hash)
      ? []
      : [[path, base.hash] as const],
  );
}

function contentsOfArrived(
  cells: ReadonlyMap<WorkspacePath, PathCell>,
): readonly (readonly [WorkspacePath, ContentHash])[] {
  return [...cells].flatMap(([path, { local }]) =>
    'file' in local && local.file.sizeBytes > 0 ? [[path, local.file.hash] as const] : [],
  );
}

function onlyOnesAlike(
  gone: readonly (readonly [WorkspacePath, ContentHash])[],
  arrived: readonly (readonly [WorkspacePath, ContentHash])[],
  isPossible: (from: WorkspacePath, to: WorkspacePath) => boolean,
): FoundMove[] {
  const goneBy = onlyByHash(gone);
  const arrivedBy = onlyByHash(arrived);
  return [...goneBy].flatMap(([hash, from]) => {
    const to = arrivedBy.get(hash) ?? null;
    return from === null || to === null || !isPossible(from, to) ? [] : [{ from, to }];
  });
}

/** Returns the path of each content, or null for a content with several. */
function onlyByHash(
  contents: readonly (readonly [WorkspacePath, ContentHash])[],
): Map<ContentHash, WorkspacePath | null> {
  const only = new Map<ContentHash, WorkspacePath | null>();
  for (const [path, hash] of contents) only.set(hash, only.has(hash) ? null : path);
  return only;
}

/** Whether a placeholder at this path would keep an existing folder. */
function keepsFolder(path: WorkspacePath, trees: SyncTrees): boolean {
  const folder = folderOf(path);
  return folder !== null && isLocalFolder(folder, trees) && !isLocalFolder(path, trees);
}

function isKeptFolder(cell: PathCell | undefined): boolean {
  return cell !== undefined && cell.base !== null && isPlaceholder(cell.path, cell.base.hash);
}

/** Whether neither path contains the other: the server cannot move a file below itself or onto its own folder. */
export function areApart(from: string, to: string): boolean {
  return !isWithin(to, from) && !isWithin(from, to);
}

/** As `areApart`, with paths compared as the disk does. A different name of the same path counts as apart. */
export function areApartHere(from: WorkspacePath, to: WorkspacePath, traits: NameTraits): boolean {
  const [before, after] = [diskKey(from, traits), diskKey(to, traits)];
  return before === after ? from !== to : areApart(before, after);
}
