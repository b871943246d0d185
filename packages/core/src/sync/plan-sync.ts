// docs/sync.md
// docs/decisions/0023-sync-planner.md

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
import { orderOperations } from './order-operations.ts';
import { type PathCell, readCell } from './path-cell.ts';
import { PlanDraft } from './plan-draft.ts';
import { withoutRepositories } from './repository-parts.ts';
import {
  settleFolderMoves,
  settleLocationsHere,
  settleLocationsThere,
  settleSharedPaths,
} from './settle-paths.ts';
import type { SkipReason } from './skip-reasons.ts';
import { isComing, Spellings } from './spellings.ts';
import { isTakenWhile, type SyncFacts, type SyncPlan } from './sync-facts.ts';
import { TreeIndex } from './tree-index.ts';
import type { SyncTrees } from './trees.ts';

/**
 * Plans the operations that make both sides equal. Decides each path alone (docs/sync.md has the table), then applies
 * moves, folders and the bounds for bulk changes. Pure: equal trees and facts give equal plans.
 */
export function planSync(trees: SyncTrees, given: SyncFacts): SyncPlan {
  const facts = withoutRepositories(trees, given);
  const cells = differingCells(trees, facts);
  const notMoved = new Set<WorkspacePath>();
  // Each round replaces a move by a delete and a new file. So the number of paths bounds the rounds.
  for (;;) {
    const draft = new PlanDraft();
    const holds = decideAll(draft, cells, notMoved, trees, facts);
    const { operations, circle } = orderOperations(draft);
    const move = circle.find(({ kind }) => kind === 'move_there' || kind === 'rename_here');
    const isIdle = operations.length === 0 && draft.ask.length === 0;
    const entangled = isIdle ? draft.entangled.find((path) => !notMoved.has(path)) : undefined;
    if (move !== undefined && 'from' in move) notMoved.add('baseFrom' in move ? move.baseFrom : move.from);
    else if (entangled !== undefined) notMoved.add(entangled);
    else return { operations, holds, skipped: draft.skippedPaths(), ask: draft.ask };
  }
}

/** @param notMoved sources of moves that depend on each other's paths. They are not treated as moves. */
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
    return !isKnown || facts.awaitingEcho.has(path) || facts.waiting.has(path);
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
  const locations = { trees, facts, index, copyNames, foldersOfDifferences };
  skipRejected(draft, trees, facts);
  const holds = decideHolds(draft, trees.base.size, facts);
  decideFolders(draft, trees, facts, index);
  // This applies to placeholders, which are decided last.
  skipRejected(draft, trees, facts);
  settleFolderMoves(draft);
  settleLocationsThere(draft, locations);
  settleLocationsHere(draft, locations);
  settleSharedPaths(draft);
  return holds;
}

function differingCells(trees: SyncTrees, facts: SyncFacts): ReadonlyMap<WorkspacePath, PathCell> {
  const paths = new Set<WorkspacePath>([...trees.local.keys(), ...trees.remote.keys()]);
  for (const folder of trees.localFolders.keys()) {
    const placeholder = placeholderOf(folder);
    if (trees.base.has(placeholder)) paths.add(placeholder);
  }
  // A placeholder of the base has no local file, so a folder of its own name is not seen as its replacement. The base may
  // have that folder: it was moved there before the placeholder was deleted.
  for (const folder of [...trees.localFolders.keys(), ...trees.baseFolders.keys()])
    if (trees.base.has(folder)) paths.add(folder);
  const sorted = [...paths].sort(compareByCodePoint);
  return new Map(sorted.map((path) => [path, readCell(path, trees, facts)]));
}

function decideOne(cell: PathCell, trees: SyncTrees, facts: SyncFacts, spellings: Spellings): Verdict {
  const { path } = cell;
  const waiting = facts.waiting.get(path);
  if (waiting !== undefined) return { kind: 'left_out', ...waiting };
  if (facts.awaitingEcho.has(path)) return { kind: 'wait' };
  const problem = isComing(cell) ? spellings.problem(path) : spellings.respelled(cell);
  if (problem !== null) return { kind: 'left_out', ...problem };
  if (isKeptFolderCell(cell)) return decidePlaceholder(cell, trees, facts);
  return decidePlaceholderInTheWay(cell) ?? decidePath(cell, facts);
}

/** Replaces a placeholder by the other side's file. A placeholder has no content that a conflict could keep. */
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

/** Skips changes that the server would reject now, and reports the reason. */
function skipRejected(draft: PlanDraft, trees: SyncTrees, facts: SyncFacts): void {
  for (const operation of draft.operations()) {
    const error = errorOf(operation, trees, facts);
    if (error === null || !draft.has(operation)) continue;
    draft.drop(operation);
    draft.leaveOut(operation.path, error.reason, error.detail);
  }
}

function errorOf(
  operation: DraftOperation,
  { base }: SyncTrees,
  { maxFileBytes, uploadsWait }: SyncFacts,
): { readonly reason: SkipReason; readonly detail: string | null } | null {
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
    // The server could not keep the local content, so its own content is not downloaded over it.
    return { reason: uploadsWait === 'read_only' ? uploadsWait : 'conflict_unsaved', detail: null };
  }
  const old = operation.remote.kind === 'file' ? (base.get(operation.path)?.sizeBytes ?? 0) : null;
  return isTakenWhile(uploadsWait, sizeBytes, old) ? null : { reason: uploadsWait, detail: null };
}
