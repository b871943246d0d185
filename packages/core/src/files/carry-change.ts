// docs/decisions/0063-undo-replays-what-others-did.md
import type { UndoLeftReason } from '../vocabulary.ts';

/** What stands at a path: bytes by their hash. Null: nothing. */
type Standing = { readonly contentHash: string } | null;

export type CarriedChange<Content extends Standing> =
  | { readonly kind: 'stands'; readonly content: Content | null }
  /** The bytes decide: a three-way merge of these. */
  | {
      readonly kind: 'merge';
      readonly base: NonNullable<Content>;
      readonly mine: NonNullable<Content>;
      readonly theirs: NonNullable<Content>;
    }
  | { readonly kind: 'left'; readonly reason: UndoLeftReason };

/**
 * Carries one change over to what stands where some earlier changes were left out (interface: versions, Undo). `before` and `after` are
 * what the change found and made, `without` is what it would have found: null in each of them means that nothing is there.
 * Whole contents decide as far as they can, so that also what is not text, and what was merged before, comes out the same.
 */
export function carryChange<Content extends Standing>(
  without: Content | null,
  { before, after }: { readonly before: Content | null; readonly after: Content | null },
): CarriedChange<Content> {
  if (isSame(without, before) || isSame(without, after)) return { kind: 'stands', content: after };
  if (isSame(before, after)) return { kind: 'stands', content: without };
  if (before === null) return { kind: 'left', reason: 'path_taken' };
  // Somebody deleted what the changes that are left out had changed: then it is gone in either way.
  if (after === null) return { kind: 'stands', content: null };
  if (without === null) return { kind: 'left', reason: 'changed_by_others' };
  return { kind: 'merge', base: before, mine: without, theirs: after };
}

function isSame(one: Standing, other: Standing): boolean {
  return one === null || other === null ? one === other : one.contentHash === other.contentHash;
}
