import { compareByCodePoint } from '../workspace-path.ts';
import type { DraftOperation } from './decide-path.ts';
import type { SyncOperation } from './operations.ts';
import type { PlanDraft } from './plan-draft.ts';

/**
 * Orders all operations so that they can run one by one: base updates, then moves, then transfers (small and new ones
 * first), then deletes (contents before their folder). An operation that frees a path comes before one that needs it.
 * `circle` has the operations that depend on themselves through others, and all that depend on these.
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
  // The contents of a folder have longer paths and sort after it.
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
