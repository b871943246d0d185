// docs/decisions/0022-edits-are-rebased.md
import type { UndoLeftReason } from '../vocabulary.ts';

/** The content of a path, identified by its hash. Null: no file. */
type Existing = { readonly contentHash: string } | null;

export type RebasedChange<Content extends Existing> =
  | { readonly kind: 'stands'; readonly content: Content | null }
  /** The contents must be merged: a three-way merge of these. */
  | {
      readonly kind: 'merge';
      readonly base: NonNullable<Content>;
      readonly mine: NonNullable<Content>;
      readonly theirs: NonNullable<Content>;
    }
  | { readonly kind: 'left'; readonly reason: UndoLeftReason };

/**
 * Rebases one change onto the content without some earlier changes (interface: versions, Undo). `before` and `after`
 * are the content before and after the change, `without` is the content it would have found; null means no file.
 * Compares whole contents as far as possible, so that binary files and earlier merges also come out right.
 */
export function rebaseChange<Content extends Existing>(
  without: Content | null,
  { before, after }: { readonly before: Content | null; readonly after: Content | null },
): RebasedChange<Content> {
  if (isSame(without, before) || isSame(without, after)) return { kind: 'stands', content: after };
  if (isSame(before, after)) return { kind: 'stands', content: without };
  if (before === null) return { kind: 'left', reason: 'path_taken' };
  // Another user deleted the file that the undone changes had changed: it is gone in either case.
  if (after === null) return { kind: 'stands', content: null };
  if (without === null) return { kind: 'left', reason: 'changed_by_others' };
  return { kind: 'merge', base: before, mine: without, theirs: after };
}

function isSame(one: Existing, other: Existing): boolean {
  return one === null || other === null ? one === other : one.contentHash === other.contentHash;
}
