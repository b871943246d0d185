// docs/sync.md
// docs/decisions/0050-the-sync-planner-is-pure.md

import { compareByCodePoint, foldersAbove, type WorkspacePath } from '../workspace-path.ts';
import { CopyNames } from './copy-names.ts';
import { decideFolders } from './decide-folders.ts';
import { decideHolds } from './decide-holds.ts';
import { decideMoves } from './decide-moves.ts';
import { type DraftOperation, decidePath, type Verdict } from './decide-path.ts';
import { decidePlaceholder, isKeptFolderCell } from './decide-placeholder.ts';
import { findLocalMoves, findRemoteMoves } from './find-moves.ts';
import type { Hold } from './holds.ts';
import { isPlaceholder, isPlaceholderPath, placeholderOf } from './is-placeholder.ts';
import type { LeftOutReason } from './left-out-reasons.ts';
import { orderOperations } from './order-operations.ts';
import { type PathCell, readCell } from './path-cell.ts';
import { PlanDraft } from './plan-draft.ts';
import {
  settleFolderMoves,
  settlePlacesHere,
  settlePlacesThere,
  settleSharedPaths,
} from './settle-places.ts';
import { isComing, Spellings } from './spellings.ts';
import { isTakenWhile, type SyncFacts, type SyncPlan } from './sync-facts.ts';
import { TreeIndex } from './tree-index.ts';
import type { SyncTrees } from './trees.ts';

/**
 * What is to be done so that both sides have the same. Decides every path by itself (docs/sync.md has the table), then
 * lets moves, folders and what is too much at once have their say. Pure: the same trees and facts give the same plan.
 */
export function planSync(trees: SyncTrees, facts: SyncFacts): SyncPlan {
  const cells = differingCells(trees, facts);
  const notMoved = new Set<WorkspacePath>();
  // Each round takes one move for a delete and a new file, so that there are no more rounds than paths.
  for (;;) {
    const draft = new PlanDraft();
    const holds = decideAll(draft, cells, notMoved, trees, facts);
    const { operations, circle } = orderOperations(draft);
    const move = circle.find(({ kind }) => kind === 'move_there' || kind === 'rename_here');
    const isIdle = operations.length === 0 && draft.ask.length === 0;
    const entangled = isIdle ? draft.entangled.find((path) => !notMoved.has(path)) : undefined;
    if (move !== undefined && 'from' in move) notMoved.add('baseFrom' in move ? move.baseFrom : move.from);
    else if (entangled !== undefined) notMoved.add(entangled);
    else return { operations, holds, leftOut: draft.leftOut(), ask: draft.ask };
  }
}

/** @param notMoved the sources of moves that need each other's places: they are not taken for moves. */
function decideAll(
  draft: PlanDraft,
  cells: ReadonlyMap<WorkspacePath, PathCell>,
  notMoved: ReadonlySet<WorkspacePath>,
  trees: SyncTrees,
  facts: SyncFacts,
): Hold[] {
  const index = new TreeIndex(trees, facts);
  const copyNames = new CopyNames(trees, facts);
  const spellings = new Spellings(cells, trees, facts);
  const isStuck = (path: WorkspacePath): boolean => {
    const local = cells.get(path)?.local ?? readCell(path, trees, facts).local;
    const isKnown = local.kind === 'absent' || 'file' in local;
    return !isKnown || facts.fenced.has(path) || facts.waiting.has(path);
  };
  const isBarred = (path: WorkspacePath): boolean => facts.waiting.get(path)?.reason === 'hidden_by_private';
  const canBeNamed = (path: WorkspacePath): boolean => spellings.problem(path) === null;
  const localMoves = findLocalMoves(cells, notMoved, facts.lost, trees, index);
  const { traits } = facts;
  const remoteMoves = findRemoteMoves(cells, notMoved, traits);
  decideMoves(draft, localMoves, remoteMoves, { cells, isStuck, isBarred, canBeNamed, traits, copyNames });
  for (const [path, cell] of cells) {
    if (!draft.verdicts.has(path)) draft.take(path, decideOne(cell, trees, facts, spellings));
  }
  const foldersOfDifferences = new Set([...cells.keys()].flatMap(foldersAbove));
  const places = { trees, facts, index, copyNames, foldersOfDifferences };
  leaveOutWhatIsRefused(draft, trees, facts);
  const holds = decideHolds(draft, trees.base.size, facts);
  decideFolders(draft, trees, facts, index);
  // Of placeholders, which are decided last.
  leaveOutWhatIsRefused(draft, trees, facts);
  settleFolderMoves(draft);
  settlePlacesThere(draft, places);
  settlePlacesHere(draft, places);
  settleSharedPaths(draft);
  return holds;
}

function differingCells(trees: SyncTrees, facts: SyncFacts): ReadonlyMap<WorkspacePath, PathCell> {
  const paths = new Set<WorkspacePath>([...trees.local.keys(), ...trees.remote.keys()]);
  for (const folder of trees.localFolders.keys()) {
    const placeholder = placeholderOf(folder);
    if (trees.base.has(placeholder)) paths.add(placeholder);
  }
  // A placeholder of the base has no local file that a folder of its name would be seen to replace. The folder may be as in
  // the base itself: it was moved there while the placeholder was still to be deleted.
  for (const folder of [...trees.localFolders.keys(), ...trees.baseFolders.keys()])
    if (trees.base.has(folder)) paths.add(folder);
  const sorted = [...paths].sort(compareByCodePoint);
  return new Map(sorted.map((path) => [path, readCell(path, trees, facts)]));
}

function decideOne(cell: PathCell, trees: SyncTrees, facts: SyncFacts, spellings: Spellings): Verdict {
  const { path } = cell;
  const waiting = facts.waiting.get(path);
  if (waiting !== undefined) return { kind: 'left_out', ...waiting };
  if (facts.fenced.has(path)) return { kind: 'wait' };
  const problem = isComing(cell) ? spellings.problem(path) : spellings.respelled(cell);
  if (problem !== null) return { kind: 'left_out', ...problem };
  if (isKeptFolderCell(cell)) return decidePlaceholder(cell, trees, facts);
  return decidePlaceholderInTheWay(cell) ?? decidePath(cell, facts);
}

/** A placeholder on one side holds nothing that a conflict could keep: the file of the other side takes its place. */
function decidePlaceholderInTheWay({ path, base, local, remote }: PathCell): Verdict | null {
  const isConflict = base === null && 'file' in local && (remote.kind === 'same' || remote.kind === 'other');
  if (!isConflict || !isPlaceholderPath(path)) return null;
  const { version, hash, sizeBytes, contentType } = remote.file;
  if (isPlaceholder(path, hash)) {
    const there = { kind: 'file', version, hash } as const;
    const upload = { kind: 'upload', row: 4, path, local: local.file, remote: there, contentType } as const;
    return { kind: 'do', operations: [upload] };
  }
  if (!isPlaceholder(path, local.file.hash)) return null;
  const over = { kind: 'file', stamp: local.file.stamp, hash: local.file.hash } as const;
  const wanted = { version, hash, sizeBytes, contentType };
  return { kind: 'do', operations: [{ kind: 'download', row: 4, path, wanted, over }] };
}

/** What the server would not take now is not asked of it, and shown with the reason. */
function leaveOutWhatIsRefused(draft: PlanDraft, trees: SyncTrees, facts: SyncFacts): void {
  for (const operation of draft.operations()) {
    const refusal = refusalOf(operation, trees, facts);
    if (refusal === null || !draft.has(operation)) continue;
    draft.drop(operation);
    draft.leaveOut(operation.path, refusal.reason, refusal.detail);
  }
}

function refusalOf(
  operation: DraftOperation,
  { base }: SyncTrees,
  { maxFileBytes, uploadsWait }: SyncFacts,
): { readonly reason: LeftOutReason; readonly detail: string | null } | null {
  if (operation.kind === 'put_placeholder') {
    return uploadsWait === null ? null : { reason: uploadsWait, detail: null };
  }
  if (operation.kind !== 'upload' && operation.kind !== 'conflict') return null;
  const { sizeBytes } = operation.local;
  if (maxFileBytes !== null && sizeBytes > maxFileBytes) {
    return { reason: 'too_large', detail: String(maxFileBytes) };
  }
  if (uploadsWait === null) return null;
  if (operation.kind === 'conflict') {
    // The server could not keep what is here, so that nothing of its own is fetched to the path.
    return { reason: uploadsWait === 'read_only' ? uploadsWait : 'conflict_unsaved', detail: null };
  }
  const old = operation.remote.kind === 'file' ? (base.get(operation.path)?.sizeBytes ?? 0) : null;
  return isTakenWhile(uploadsWait, sizeBytes, old) ? null : { reason: uploadsWait, detail: null };
}
