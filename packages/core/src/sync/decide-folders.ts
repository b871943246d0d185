// docs/sync.md
import { diskKey } from '../names/local-name.ts';
import { compareByCodePoint, foldersAbove, isWithin, type WorkspacePath } from '../workspace-path.ts';
import type { DraftOperation } from './decide-path.ts';
import { placeholderOf } from './is-placeholder.ts';
import { isLocalFolder, type PathCell } from './path-cell.ts';
import { createdHere, createdThere, type PlanDraft, vacatedHere } from './plan-draft.ts';
import type { SyncFacts } from './sync-facts.ts';
import type { TreeIndex } from './tree-index.ts';
import type { BaseFolder, LocalFolderState, SyncTrees } from './trees.ts';

/**
 * Folders have no records of their own: on the server one is there as long as something is in it. A new empty folder
 * here is kept by a placeholder, one that the server has emptied is removed here, and the base follows.
 */
export function decideFolders(draft: PlanDraft, trees: SyncTrees, facts: SyncFacts, index: TreeIndex): void {
  const movedTo = [...draft.folderMoves.values()].map(({ to }) => to);
  for (const [folder, state] of inOrder(trees.localFolders)) {
    if (state.kind === 'unknown' || facts.isIgnored(folder) || movedTo.includes(folder)) continue;
    const base = trees.baseFolders.get(folder) ?? null;
    if (state.kind === 'absent') {
      if (base !== null && !draft.folderMoves.has(folder)) forgetFolder(draft, folder, index);
    } else {
      if (state.isEmpty) keepEmptyFolder(draft, folder, base, index, facts);
      if (base === null || base.object !== state.object) adoptFolder(draft, folder, state, trees, index);
    }
  }
  const use = useOfFolders(draft, trees, facts);
  for (const folder of foldersToRemove(draft, trees)) {
    const state = trees.localFolders.get(folder);
    const isEmpty = state?.kind === 'folder' && state.isEmpty;
    // The rest of a folder that is not empty becomes visible after all else has gone.
    const isFree = isEmpty || !use.replaced.has(diskKey(folder, facts.traits));
    if (isFree && !use.staying.has(folder)) removeFolder(draft, folder, use, index);
  }
}

function inOrder(
  folders: ReadonlyMap<WorkspacePath, LocalFolderState>,
): readonly (readonly [WorkspacePath, LocalFolderState])[] {
  return [...folders].sort(([a], [b]) => compareByCodePoint(a, b));
}

function isThere({ remote }: PathCell): boolean {
  return 'file' in remote;
}

function forgetFolder(draft: PlanDraft, folder: WorkspacePath, index: TreeIndex): void {
  if (index.below(folder).some(isThere)) return;
  draft.add({ kind: 'forget_folder', row: 15, path: folder });
}

function adoptFolder(
  draft: PlanDraft,
  folder: WorkspacePath,
  { object }: Extract<LocalFolderState, { kind: 'folder' }>,
  { base }: SyncTrees,
  index: TreeIndex,
): void {
  const isKnown = index.pathsBelow(folder).some((path) => base.has(path) && isThere(index.cell(path)));
  if (isKnown) draft.add({ kind: 'adopt_folder', row: 3, path: folder, object });
}

/** Keeps a folder that is new, or that the user emptied: the placeholder is written before the last file is deleted. */
function keepEmptyFolder(
  draft: PlanDraft,
  folder: WorkspacePath,
  base: BaseFolder | null,
  index: TreeIndex,
  facts: SyncFacts,
): void {
  const path = placeholderOf(folder);
  if (facts.isIgnored(path) || facts.awaitingEcho.has(path)) return;
  const waiting = facts.waiting.get(path);
  if (waiting !== undefined) {
    draft.leaveOut(path, waiting.reason, waiting.detail);
    return;
  }
  // It moves with its folder.
  if (draft.verdicts.get(path)?.kind === 'do') return;
  const there = [...index.below(folder)].filter(isThere);
  // Another client removed a folder that both sides knew.
  if (there.length === 0 && base !== null) return;
  // The server already has a file or folder of that name.
  if (there.some((cell) => isWithin(cell.path, path))) return;
  const leaving = there.map((cell) => draft.vacatesThere(cell.path));
  const put: DraftOperation = { kind: 'put_placeholder', row: 1, path, folder };
  if (leaving.includes(null)) return;
  draft.add(put);
  for (const operation of leaving) if (operation !== null) draft.need(operation, put);
}

/** Returns folders that may have become empty on the server, deepest first. */
function foldersToRemove(draft: PlanDraft, trees: SyncTrees): readonly WorkspacePath[] {
  const folders = new Set<WorkspacePath>();
  const addAbove = (path: WorkspacePath): void => {
    for (const folder of foldersAbove(path)) folders.add(folder);
  };
  for (const operation of draft.operations()) {
    const path = vacatedHere(operation);
    if (path !== null) addAbove(path);
    if (operation.kind === 'forget') addAbove(operation.path);
  }
  for (const [folder, state] of trees.localFolders) {
    if (state.kind !== 'folder' || !state.isEmpty) continue;
    folders.add(folder);
    addAbove(folder);
  }
  return [...folders]
    .filter((folder) => trees.baseFolders.has(folder) && isLocalFolder(folder, trees))
    .sort((a, b) => compareByCodePoint(b, a));
}

/** The effects of the planned operations on folders. */
interface FolderUse {
  /** Folders that stay: an operation creates something in them, or their state is unknown. */
  readonly staying: Set<WorkspacePath>;
  /** Disk keys of folders that a new file will replace. */
  readonly replaced: Set<string>;
  /** Operations that must finish before the folder is removed. */
  readonly inside: Map<WorkspacePath, DraftOperation[]>;
}

function useOfFolders(draft: PlanDraft, trees: SyncTrees, { traits }: SyncFacts): FolderUse {
  const use: FolderUse = { staying: new Set(), replaced: new Set(), inside: new Map() };
  const stay = (path: WorkspacePath): void => {
    use.staying.add(path);
    for (const folder of foldersAbove(path)) use.staying.add(folder);
  };
  for (const operation of draft.operations()) {
    if (operation.kind === 'make_folder') stay(operation.folder);
    else {
      const made = createdThere(operation) ?? createdHere(operation);
      const above = made === null ? undefined : foldersAbove(made).at(-1);
      if (above !== undefined) stay(above);
      if (made !== null) use.replaced.add(diskKey(made, traits));
    }
    if (operation.kind === 'set_aside') stay(operation.path);
    if (operation.kind === 'forget') recordInside(use, operation);
  }
  for (const [folder, state] of trees.localFolders) {
    const isNew = state.kind === 'folder' && !trees.baseFolders.has(folder);
    if (isNew || state.kind === 'unknown') stay(folder);
  }
  return use;
}

function recordInside({ inside }: FolderUse, operation: DraftOperation): void {
  for (const folder of foldersAbove(operation.path)) {
    const others = inside.get(folder);
    if (others === undefined) inside.set(folder, [operation]);
    else others.push(operation);
  }
}

/** If all that is in it goes away with this plan. The disk has the last word: what is not known keeps it there. */
function removeFolder(draft: PlanDraft, folder: WorkspacePath, use: FolderUse, index: TreeIndex): void {
  const needed = [...(use.inside.get(folder) ?? [])];
  for (const cell of index.below(folder)) {
    const { kind } = cell.local;
    if (isThere(cell) || kind === 'unknown' || kind === 'blocked') return;
    if (kind !== 'same' && kind !== 'other') continue;
    const leaving = draft.vacatesHere(cell.path);
    if (leaving === null) return;
    needed.push(leaving);
  }
  const operation: DraftOperation = { kind: 'remove_folder_here', row: 14, path: folder };
  draft.add(operation, needed);
  recordInside(use, operation);
}
