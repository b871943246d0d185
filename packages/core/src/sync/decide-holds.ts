// docs/decisions/0023-sync-planner.md
import type { DraftOperation } from './decide-path.ts';
import type { Hold, HoldKind, HoldMember } from './holds.ts';
import type { PlanDraft } from './plan-draft.ts';
import type { SyncFacts } from './sync-facts.ts';
import { changesUnlimited, lossesFreeMax } from './sync-limits.ts';

type PlannedHold = Exclude<HoldKind, 'list_disagrees'>;

/** Removes unusually large sets of deletes and updates from the plan until the user confirms them. */
export function decideHolds(draft: PlanDraft, baseFiles: number, facts: SyncFacts): Hold[] {
  const operations = draft.operations();
  const holds: Hold[] = [];
  for (const kind of ['deletes_there', 'deletes_here', 'changes', 'copies'] as const) {
    if (kind === 'copies' && facts.phase !== 'first_contact') continue;
    const confirmed = new Set((facts.confirmed.get(kind) ?? []).map(keyOf));
    const all = operations.flatMap((operation) => {
      const member = memberOf(kind, operation);
      return member === null ? [] : [{ operation, member }];
    });
    if (!needsConfirmation(kind, all.length, baseFiles, facts.maxChanges)) continue;
    const pending = all.filter(({ member }) => !confirmed.has(keyOf(member)));
    if (pending.length === 0) continue;
    for (const { operation } of pending) draft.drop(operation);
    holds.push({ kind, members: pending.map(({ member }) => member) });
  }
  return holds;
}

/**
 * Whether so many changes of one kind, confirmed or not, need confirmation: more than `maxChanges`, and for a loss of
 * files also more than half of them, whatever the number.
 * @param baseFiles files that both sides share
 */
export function needsConfirmation(
  kind: HoldKind,
  count: number,
  baseFiles: number,
  maxChanges: number,
): boolean {
  if (maxChanges === changesUnlimited) return false;
  const isLoss = kind === 'deletes_there' || kind === 'deletes_here';
  return count > maxChanges || (isLoss && count > Math.max(lossesFreeMax, baseFiles / 2));
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
