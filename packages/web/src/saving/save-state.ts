import type { BlockReason, Documents, State } from './state.ts';
import { unsureShownMs } from './state.ts';

/** The state shown as `Save state`. Always derived, never stored. */
export type SaveState =
  | {
      readonly kind: 'saved' | 'not_saved_yet' | 'saving' | 'offline' | 'signed_out' | 'conflict' | 'deleted';
    }
  | { readonly kind: 'read_only' | 'gone' | 'not_kept' }
  | { readonly kind: 'refused'; readonly reason: BlockReason };

export function saveState<Doc>(state: State<Doc>, nowMs: number, docs: Documents<Doc>): SaveState {
  const { draft, hold, link, sending, unsureSince } = state;
  const isDirty = !docs.equal(state.doc, state.base.doc);
  if (hold?.kind === 'gone') return { kind: 'gone' };
  if (hold?.kind === 'blocked' && hold.reason.kind === 'read_only') return { kind: 'read_only' };
  if (isDirty && draft.failing) return { kind: 'not_kept' };
  if (hold?.kind === 'deleted' && !isDirty) return { kind: 'gone' };
  if (hold?.kind === 'conflict' || hold?.kind === 'deleted') {
    return hold.rejectedFor === null ? { kind: hold.kind } : { kind: 'refused', reason: hold.rejectedFor };
  }
  if (hold?.kind === 'blocked') return { kind: 'refused', reason: hold.reason };
  // If the user undid a text that is being sent, the server gets that text first, and then the undone one.
  if (!isDirty && sending === null) return { kind: 'saved' };
  const isUnsureForLong = unsureSince !== null && nowMs >= unsureSince + unsureShownMs;
  if (draft.storedGeneration !== null) {
    if (link.kind === 'signed_out') return { kind: 'signed_out' };
    if (link.kind === 'offline' || isUnsureForLong) return { kind: 'offline' };
  }
  return sending === null ? { kind: 'not_saved_yet' } : { kind: 'saving' };
}
