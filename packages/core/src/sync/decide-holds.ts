// docs/decisions/0023-sync-planner.md
import type { DraftOperation } from './decide-path.ts';
import type { Hold, HoldKind, HoldMember } from './holds.ts';
import type { PlanDraft } from './plan-draft.ts';
import type { SyncFacts } from './sync-facts.ts';
import {
  changesFrom,
  changesShareMax,
  deletesHereFrom,
  deletesHereShareMax,
  deletesThereShareFrom,
  deletesThereShareMax,
  firstContactCopiesMax,
  wholeBaseFrom,
} from './sync-limits.ts';

type PlannedHold = Exclude<HoldKind, 'list_disagrees'>;

/** Removes unusually large sets of deletes and updates from the plan until the user confirms them. */
export function decideHolds(draft: PlanDraft, baseFiles: number, facts: SyncFacts): Hold[] {
  const operations = draft.operations();
  const isTooMuch: Readonly<Record<PlannedHold, (count: number) => boolean>> = {
    deletes_there: (count) => areTooManyDeletesThere(count, baseFiles, facts.maxDeletes),
    deletes_here: (count) => count >= deletesHereFrom && count > deletesHereShareMax * baseFiles,
    changes: (count) => count >= changesFrom && count > changesShareMax * baseFiles,
    copies: (count) => facts.phase === 'first_contact' && count > firstContactCopiesMax,
  };
  const holds: Hold[] = [];
  for (const kind of ['deletes_there', 'deletes_here', 'changes', 'copies'] as const) {
    const confirmed = new Set((facts.confirmed.get(kind) ?? []).map(keyOf));
    const pending = operations.flatMap((operation) => {
      const member = memberOf(kind, operation);
      return member === null || confirmed.has(keyOf(member)) ? [] : [{ operation, member }];
    });
    if (!isTooMuch[kind](pending.length)) continue;
    for (const { operation } of pending) draft.drop(operation);
    holds.push({ kind, members: pending.map(({ member }) => member) });
  }
  return holds;
}

function areTooManyDeletesThere(count: number, baseFiles: number, maxDeletes: number | null): boolean {
  if (maxDeletes === null) return false;
  const isLargeShare = count >= deletesThereShareFrom && count > deletesThereShareMax * baseFiles;
  return count > maxDeletes || isLargeShare || (baseFiles >= wholeBaseFrom && count >= baseFiles);
}

/** Returns null for moves and for files that became private: they need no confirmation. */
function memberOf(kind: PlannedHold, operation: DraftOperation): HoldMember | null {
  const { path } = operation;
  switch (operation.kind) {
    case 'delete_there':
      return kind === 'deletes_there' ? { path, hash: operation.remote.hash } : null;
    case 'remove_here':
      return kind === 'deletes_here' ? { path, hash: operation.local.hash } : null;
    case 'upload':
      return kind === 'changes' && operation.row === 8 ? { path, hash: operation.local.hash } : null;
    case 'conflict':
      return kind === 'copies' ? { path, hash: operation.local.hash } : null;
    default:
      return null;
  }
}

function keyOf({ path, hash }: HoldMember): string {
  return `${hash ?? ''} ${path}`;
}
