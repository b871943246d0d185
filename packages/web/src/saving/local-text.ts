import type { Turn } from './messages.ts';
import {
  type DraftState,
  draftAfterMs,
  draftRetryMs,
  draftWaitMs,
  draftWithinMs,
  safeAfterMs,
  saveAfterMs,
  saveWithinMs,
} from './state.ts';

export const noDraft: DraftState = {
  storedGeneration: null,
  storingGeneration: null,
  failing: false,
  dueAt: null,
  unstoredSince: null,
  awaitedSince: null,
};

export function onEdited<Doc>(turn: Turn<Doc>, doc: Doc): void {
  const { nowMs, state } = turn;
  if (turn.docs.equal(doc, state.doc)) return;
  turn.set({ doc, generation: state.generation + 1, mayClose: false });
  textChanged(turn);
  if (!turn.isDirty) return;
  const dirtySince = state.dirtySince ?? nowMs;
  turn.set({ dirtySince, dueAt: Math.min(nowMs + saveAfterMs, dirtySince + saveWithinMs) });
}

/** Updates the state after the text or the server's version has changed. */
export function textChanged<Doc>(turn: Turn<Doc>): void {
  const { nowMs, state } = turn;
  const { hold, draft } = state;
  if (hold?.kind === 'blocked' && !stillBlocks(turn, hold.reason)) turn.set({ hold: null });
  if (!turn.isDirty && state.sending === null) {
    turn.set({ dirtySince: null, dueAt: null });
    if (hold?.kind !== 'conflict') dropDraft(turn);
    return;
  }
  // If the user undoes back to the base during a PUT, that is a change against the PUT's text.
  turn.set({ dirtySince: state.dirtySince ?? nowMs, dueAt: state.dueAt ?? nowMs });
  if (draft.storedGeneration !== state.generation && draft.storingGeneration !== state.generation) {
    const unstoredSince = draft.unstoredSince ?? nowMs;
    const dueAt = Math.min(nowMs + draftAfterMs, unstoredSince + draftWithinMs);
    turn.set({ draft: { ...draft, unstoredSince, dueAt } });
  }
  if (hold?.kind === 'conflict' && hold.safeDueAt === null)
    turn.set({ hold: { ...hold, safeDueAt: nowMs + safeAfterMs } });
}

function stillBlocks<Doc>(
  turn: Turn<Doc>,
  reason: { readonly kind: string; readonly limitBytes?: number },
): boolean {
  const { doc } = turn.state;
  if (reason.kind === 'too_large')
    return turn.docs.byteLength(doc) > (reason.limitBytes ?? 0) && turn.isDirty;
  return true;
}

export function onSaveAsked<Doc>(turn: Turn<Doc>): void {
  const { state } = turn;
  if (state.hold?.kind === 'blocked' && state.hold.reason.kind !== 'too_large')
    turn.set({ hold: null, retryAt: null });
  if (turn.isDirty || state.sending !== null) {
    turn.set({ wasAsked: true });
    if (turn.isDirty) turn.set({ dueAt: turn.nowMs });
    return;
  }
  if (state.hold === null) turn.say({ kind: 'saved' });
}

export function onLeft<Doc>(turn: Turn<Doc>, page: boolean): void {
  const { state, nowMs } = turn;
  turn.set({ mayClose: true, isLeft: state.isLeft || page });
  if (turn.isDirty && state.dueAt !== null) turn.set({ dueAt: Math.min(state.dueAt, nowMs) });
  if (page) wantConflictSafe(turn);
  wantDraftNow(turn);
}

/** The user no longer looks at the conflict: its text must not stay on this device only. */
function wantConflictSafe<Doc>(turn: Turn<Doc>): void {
  const { hold } = turn.state;
  if (hold?.kind === 'conflict' && hold.safeDueAt !== null)
    turn.set({ hold: { ...hold, safeDueAt: turn.nowMs } });
}

export function onClosed<Doc>(turn: Turn<Doc>): void {
  turn.set({ isClosing: true });
  onLeft(turn, false);
  wantConflictSafe(turn);
}

export function onShown<Doc>(turn: Turn<Doc>, page: boolean): void {
  const { hold, isLeft } = turn.state;
  turn.set({ mayClose: false, isClosing: false, isLeft: isLeft && !page });
  // The subscription may have been renewed. The next PUT finds out.
  if (hold?.kind === 'blocked' && hold.reason.kind === 'read_only') turn.set({ hold: null });
}

export function wantDraftNow<Doc>(turn: Turn<Doc>): void {
  const { draft } = turn.state;
  if (draft.dueAt !== null) turn.set({ draft: { ...draft, dueAt: turn.nowMs } });
}

/** Stores the draft when it is due. One at a time. */
export function proceedWithDraft<Doc>(turn: Turn<Doc>): void {
  const { nowMs, state } = turn;
  const { draft } = state;
  if (draft.dueAt === null || draft.dueAt > nowMs || draft.storingGeneration !== null) return;
  turn.set({ draft: { ...draft, storingGeneration: state.generation, dueAt: null, unstoredSince: null } });
  const copy = state.hold?.kind === 'conflict' ? state.hold.copy : null;
  turn.do({
    kind: 'store_draft',
    generation: state.generation,
    draft: {
      doc: state.doc,
      baseVersion: state.base.version,
      baseHash: state.base.hash,
      contentType: state.contentType,
      sentHash: state.sending?.hash ?? null,
      copy: copy === null ? null : { path: copy.path, version: copy.version, hash: copy.hash },
    },
  });
}

export function onDraftStored<Doc>(turn: Turn<Doc>, generation: number): void {
  const { draft } = turn.state;
  if (draft.storingGeneration !== generation) return;
  turn.set({
    draft: {
      ...draft,
      storedGeneration: generation,
      storingGeneration: null,
      failing: false,
      awaitedSince: null,
    },
  });
}

export function onDraftFailed<Doc>(turn: Turn<Doc>, generation: number): void {
  const { draft } = turn.state;
  if (draft.storingGeneration !== generation) return;
  const dueAt = turn.isDirty ? turn.nowMs + draftRetryMs : null;
  turn.set({ draft: { ...draft, storingGeneration: null, failing: true, awaitedSince: null, dueAt } });
  // The server keeps the text if this device cannot.
  if (turn.isDirty) wantConflictSafe(turn);
}

export function dropDraft<Doc>(turn: Turn<Doc>): void {
  const { draft } = turn.state;
  if (draft.storedGeneration !== null || draft.storingGeneration !== null) turn.do({ kind: 'drop_draft' });
  turn.set({ draft: { ...noDraft, failing: draft.failing } });
}

/** Stores the draft of an unchanged text again, for a new fact: its copy or its base. */
export function renewDraft<Doc>(turn: Turn<Doc>): void {
  const { draft } = turn.state;
  if (draft.failing && draft.storedGeneration === null) return;
  turn.set({ draft: { ...draft, dueAt: turn.nowMs, unstoredSince: draft.unstoredSince ?? turn.nowMs } });
}

/**
 * Whether this device keeps the text, so that the server need not keep a copy. A PUT waits briefly for its draft; a
 * store that fails or hangs does not block it. A closing page cannot wait for the result.
 */
export function draftOfText<Doc>(turn: Turn<Doc>): 'kept' | 'not_kept' | 'wait' {
  const { nowMs, state } = turn;
  const { draft } = state;
  if (draft.storedGeneration === state.generation) return 'kept';
  if (draft.failing || state.isClosing) return 'not_kept';
  const awaitedSince = draft.awaitedSince ?? nowMs;
  if (nowMs >= awaitedSince + draftWaitMs) {
    turn.set({ draft: { ...draft, awaitedSince: null } });
    return 'not_kept';
  }
  const dueAt = draft.storingGeneration === state.generation ? draft.dueAt : nowMs;
  turn.set({ draft: { ...draft, awaitedSince, dueAt } });
  return 'wait';
}
