// docs/sync.md

import { diskKey } from '../names/local-name.ts';
import { foldersAbove, isWithin, type WorkspacePath } from '../workspace-path.ts';
import type { CopyNames } from './copy-names.ts';
import { quarantine } from './decide-moves.ts';
import { type DraftOperation, presumed } from './decide-path.ts';
import { isLocalFolder, type PathCell, readCell } from './path-cell.ts';
import {
  createdHere,
  createdThere,
  type PlanDraft,
  touchedPaths,
  vacatedHere,
  vacatedThere,
} from './plan-draft.ts';
import type { SkipReason } from './skip-reasons.ts';
import type { SyncFacts } from './sync-facts.ts';
import type { TreeIndex } from './tree-index.ts';
import type { SyncTrees } from './trees.ts';

export interface Locations {
  readonly trees: SyncTrees;
  readonly facts: SyncFacts;
  readonly index: TreeIndex;
  readonly copyNames: CopyNames;
  /** All parent folders of paths that differ. */
  readonly foldersOfDifferences: ReadonlySet<WorkspacePath>;
}

/**
 * Resolves collisions on the server, where a path is a file or a folder, never both. An operation that creates a file waits
 * for the one that frees its path. If none does, a local item with its own content gets a conflicted-copy name.
 */
export function settleLocationsThere(draft: PlanDraft, locations: Locations): void {
  for (const operation of draft.operations()) {
    const path = createdThere(operation);
    if (path !== null && draft.has(operation)) settleThere(draft, operation, path, locations);
  }
}

function settleThere(
  draft: PlanDraft,
  operation: DraftOperation,
  path: WorkspacePath,
  locations: Locations,
): void {
  const { index } = locations;
  const above = foldersAbove(path).filter((folder) => 'file' in index.cell(folder).remote);
  const below = mayHoldFiles(path, locations)
    ? [...index.below(path)].filter(({ remote }) => 'file' in remote)
    : [];
  for (const { path: file } of [...above.map((each) => ({ path: each })), ...below]) {
    const leaving = draft.vacatesThere(file);
    if (leaving !== null) {
      draft.need(operation, leaving);
      continue;
    }
    const { local } = index.cell(path);
    draft.drop(operation);
    const existing = draft.verdicts.get(file);
    if (existing?.kind === 'left_out' && existing.reason === 'case_collision') {
      // It is not downloaded, so nothing needs to make room.
      draft.leaveOut(path, 'case_collision', file);
      if (operation.kind === 'move_there') draft.leaveOut(operation.from, 'case_collision', file);
    }
    const isComing = below.some((cell) => wantsItsLocation(draft, cell));
    if (isComing && 'file' in local && draft.vacatesHere(path) === null) {
      draft.take(path, quarantine(1, path, presumed(local.file), locations.copyNames));
    }
    return;
  }
}

/** Whether the server's file is wanted locally or stays on the server: false if it only waits for its delete. */
function wantsItsLocation(draft: PlanDraft, { path, local }: PathCell): boolean {
  if (local.kind === 'ignored') return true;
  const verdict = draft.verdicts.get(path);
  switch (verdict?.kind) {
    case 'do':
      return verdict.operations.some((each) => createdHere(each) !== null);
    case 'left_out':
      return true;
    default:
      return false;
  }
}

/** As `settleLocationsThere`, for local paths. A folder whose files have no other path is renamed as a whole. */
export function settleLocationsHere(draft: PlanDraft, locations: Locations): void {
  for (const operation of draft.operations()) {
    const path = createdHere(operation);
    if (path === null || !draft.has(operation)) continue;
    if (!settleAbove(draft, operation, path, locations)) continue;
    if (operation.kind !== 'make_folder') settleFolderInTheWay(draft, operation, path, locations);
  }
  settleSpellings(draft, locations);
  reportWhatStays(draft, locations);
}

/** Skips and reports files that wait for a folder to become empty when none of its contents leaves. */
function reportWhatStays(draft: PlanDraft, { index }: Locations): void {
  for (const { operation, folder } of draft.putOff) {
    if (index.pathsBelow(folder).some((path) => draft.vacatesHere(path) !== null)) continue;
    if (operation.kind === 'rename_here') draft.entangled.push(operation.baseFrom);
    if (createdHere(operation) === folder) leaveOutAll(draft, operation, 'blocked', 'folder');
    else leaveOutAll(draft, operation, 'case_collision', folder);
  }
}

function leaveOutAll(draft: PlanDraft, operation: DraftOperation, reason: SkipReason, detail: string): void {
  draft.leaveOut(operation.path, reason, detail);
  if (operation.kind !== 'rename_here') return;
  for (const each of [operation.from, operation.baseFrom]) draft.leaveOut(each, reason, detail);
}

function settleAbove(
  draft: PlanDraft,
  operation: DraftOperation,
  path: WorkspacePath,
  { index }: Locations,
): boolean {
  const folders = operation.kind === 'make_folder' ? [...foldersAbove(path), path] : foldersAbove(path);
  for (const folder of folders) {
    const { local } = index.cell(folder);
    if (local.kind === 'absent' || local.kind === 'ignored') continue;
    const leaving = draft.vacatesHere(folder);
    if (leaving !== null) {
      draft.need(operation, leaving);
      continue;
    }
    if (local.kind === 'blocked') draft.leaveOut(operation.path, 'blocked', local.by);
    draft.drop(operation);
    return false;
  }
  return true;
}

function settleFolderInTheWay(
  draft: PlanDraft,
  operation: DraftOperation,
  path: WorkspacePath,
  { trees, index, copyNames }: Locations,
): void {
  if (!isLocalFolder(path, trees)) return;
  const leaving = draft.vacatesHere(path);
  if (leaving !== null) {
    draft.need(operation, leaving);
    return;
  }
  draft.drop(operation);
  const below = [...index.below(path)];
  const inFolder = [...trees.localFolders].filter(([folder]) => isWithin(folder, path));
  const isUnsure =
    below.some(({ local }) => local.kind === 'unknown') ||
    inFolder.some(([, state]) => state.kind === 'unknown');
  // Contents that leave anyway go first. The next plan checks whether any stay.
  const isEmptying = below.some((cell) => draft.vacatesHere(cell.path) !== null);
  if (isEmptying) draft.putOff.push({ operation, folder: path });
  if (isUnsure || isEmptying) return;
  for (const other of draft.operations()) {
    if (touchedPaths(other).some((each) => isWithin(each, path))) draft.drop(other);
  }
  draft.take(path, quarantine(2, path, { kind: 'folder' }, copyNames));
}

/**
 * Resolves names that the disk treats as one: the existing item leaves before the new one comes. Files for a folder whose
 * other name stays because of ignored files are skipped: the disk would put them into that folder.
 */
function settleSpellings(draft: PlanDraft, locations: Locations): void {
  const { trees, facts } = locations;
  if (!facts.traits.foldsCase) return;
  const coming = draft.operations().filter((operation) => createdHere(operation) !== null);
  if (coming.length === 0) return;
  const existing = existingHere(trees, facts);
  const settle = (operation: DraftOperation, name: WorkspacePath, isFile: boolean): void => {
    const other = existing.get(diskKey(name, facts.traits));
    if (other === undefined || other.path === name) return;
    const isFolder = other.kind === 'folder';
    // The first file renamed within it also renames the folder.
    if (isFolder && operation.kind === 'rename_here' && isWithin(operation.from, other.path)) return;
    if (isFolder && isFile) {
      settleFolderInTheWay(draft, operation, other.path, locations);
      return;
    }
    const leaving = draft.vacatesHere(other.path);
    if (leaving !== null) {
      draft.need(operation, leaving);
      return;
    }
    draft.drop(operation);
    const isEmptying =
      isFolder && locations.index.below(other.path).some((cell) => draft.vacatesHere(cell.path) !== null);
    if (isEmptying) draft.putOff.push({ operation, folder: other.path });
    if (other.kind === 'unsettled' || isEmptying) return;
    leaveOutAll(draft, operation, 'case_collision', other.path);
  };
  for (const operation of coming) {
    const path = createdHere(operation);
    if (path === null) continue;
    const names = [...foldersAbove(path), path];
    for (const name of names) {
      if (draft.has(operation)) settle(operation, name, name === path && operation.kind !== 'make_folder');
    }
  }
}

interface Existing {
  readonly path: WorkspacePath;
  readonly kind: 'file' | 'folder' | 'obstacle' | 'unsettled';
}

/** States of a path, least certain first. */
const certainties: readonly Existing['kind'][] = ['unsettled', 'obstacle', 'file', 'folder'];

/** Returns local items by disk key. */
function existingHere(trees: SyncTrees, facts: SyncFacts): ReadonlyMap<string, Existing> {
  const existing = new Map<string, Existing>();
  for (const path of [...trees.baseFolders.keys(), ...trees.localFolders.keys()]) {
    if (isLocalFolder(path, trees)) existing.set(diskKey(path, facts.traits), { path, kind: 'folder' });
  }
  for (const path of [...trees.base.keys(), ...trees.local.keys()]) {
    const { local } = readCell(path, trees, facts);
    if (local.kind === 'absent' || local.kind === 'ignored') continue;
    const isUnsettled = local.kind === 'unknown' && local.reason === 'unsettled';
    const kind = 'file' in local ? 'file' : isUnsettled ? 'unsettled' : 'obstacle';
    const key = diskKey(path, facts.traits);
    // If one of two such names is not known yet, nothing is decided, whatever the order of the trees.
    const other = existing.get(key);
    const isLeast = other === undefined || certainties.indexOf(kind) < certainties.indexOf(other.kind);
    if (isLeast) existing.set(key, { path, kind });
  }
  return existing;
}

/** Orders operations that share a path: the one that frees it runs first. */
export function settleSharedPaths(draft: PlanDraft): void {
  const byPath = new Map<WorkspacePath, DraftOperation[]>();
  for (const operation of draft.operations()) {
    for (const path of touchedPaths(operation)) {
      const others = byPath.get(path);
      if (others === undefined) byPath.set(path, [operation]);
      else others.push(operation);
    }
  }
  for (const [path, operations] of byPath) {
    const frees = (each: DraftOperation): boolean =>
      vacatedHere(each) === path || vacatedThere(each) === path;
    const sorted = [...operations.filter(frees), ...operations.filter((each) => !frees(each))];
    for (const [at, operation] of sorted.entries()) {
      const earlier = sorted[at - 1];
      if (earlier !== undefined && !draft.needsOf(earlier).has(operation)) draft.need(operation, earlier);
    }
  }
}

/** Makes deletes in a moved folder wait for the folder's own move. */
export function settleFolderMoves(draft: PlanDraft): void {
  for (const [from, { operation }] of draft.folderMoves) {
    for (const other of draft.operations()) {
      if (other.kind !== 'delete_there' || !isWithin(other.path, from)) continue;
      if (operation === null || !draft.has(operation)) draft.drop(other);
      else draft.need(other, operation);
    }
  }
}

function mayHoldFiles(path: WorkspacePath, { trees, foldersOfDifferences }: Locations): boolean {
  return trees.baseFolders.has(path) || foldersOfDifferences.has(path);
}
