import { compareByCodePoint } from '../workspace-path.ts';
import type { DraftOperation } from './decide-path.ts';
import type { SyncOperation } from './operations.ts';
import type { PlanDraft } from './plan-draft.ts';

/**
 * Puts all in an order that may be followed one by one: what only writes the base down, then moves, then transfers, small
 * and new ones first, and deletes last, what is inside before what it is in. Whatever frees a place comes before what
 * needs it. `circle` is what needs itself by way of others, and all that needs it.
 */
export function orderOperations(draft: PlanDraft): {
  readonly operations: readonly SyncOperation[];
  readonly circle: readonly DraftOperation[];
} {
  const wanted = draft.operations().sort(compareOperations);
  const ordered: DraftOperation[] = [];
  const done = new Set<DraftOperation>();
  // Each round takes at least one, or ends.
  let left = wanted;
  while (left.length > 0) {
    const waiting: DraftOperation[] = [];
    for (const operation of left) {
      const isReady = [...draft.needsOf(operation)].every((needed) => done.has(needed) || !draft.has(needed));
      if (!isReady) {
        waiting.push(operation);
        continue;
      }
      done.add(operation);
      ordered.push(operation);
    }
    if (waiting.length === left.length) break;
    left = waiting;
  }
  const ids = new Map(ordered.map((operation, id) => [operation, id]));
  const operations = ordered.map((operation, id) => {
    const after = [...draft.needsOf(operation)].flatMap((needed) => ids.get(needed) ?? []);
    return { ...operation, id, after: after.sort((a, b) => a - b) };
  });
  return { operations, circle: left };
}

function compareOperations(a: DraftOperation, b: DraftOperation): number {
  const byKind = rankOf(a) - rankOf(b);
  if (byKind !== 0) return byKind;
  // What is inside has the longer path, and stands behind in the order of paths.
  if (rankOf(a) >= 3) return compareByCodePoint(b.path, a.path);
  return sizeOf(a) - sizeOf(b) || compareByCodePoint(a.path, b.path);
}

function rankOf({ kind }: DraftOperation): number {
  switch (kind) {
    case 'adopt':
    case 'forget':
    case 'carry_base':
    case 'adopt_folder':
      return 0;
    case 'move_there':
    case 'move_folder_there':
    case 'rename_here':
    case 'set_aside':
      return 1;
    case 'upload':
    case 'put_placeholder':
    case 'download':
    case 'make_folder':
    case 'conflict':
    case 'merge':
      return 2;
    case 'unlink_here':
    case 'rescue':
      return 3;
    case 'remove_here':
    case 'delete_there':
      return 4;
    case 'remove_folder_here':
    case 'forget_folder':
      return 5;
  }
}

function sizeOf(operation: DraftOperation): number {
  switch (operation.kind) {
    case 'upload':
    case 'conflict':
    case 'merge':
      return operation.local.sizeBytes;
    case 'download':
      return operation.wanted.sizeBytes ?? 0;
    default:
      return 0;
  }
}
