import type { Step } from './messages.ts';
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

export function onEdited<Doc>(step: Step<Doc>, doc: Doc): void {
  const { nowMs, state } = step;
  if (step.docs.equal(doc, state.doc)) return;
  step.set({ doc, generation: state.generation + 1, mayClose: false });
  textChanged(step);
  if (!step.isDirty) return;
  const dirtySince = state.dirtySince ?? nowMs;
  step.set({ dirtySince, dueAt: Math.min(nowMs + saveAfterMs, dirtySince + saveWithinMs) });
}

/** Updates the state after the text or the server's version has changed. */
export function textChanged<Doc>(step: Step<Doc>): void {
  const { nowMs, state } = step;
  const { hold, draft } = state;
  if (hold?.kind === 'blocked' && !stillBlocks(step, hold.reason)) step.set({ hold: null });
  if (!step.isDirty && state.sending === null) {
    step.set({ dirtySince: null, dueAt: null });
    if (hold?.kind !== 'conflict') dropDraft(step);
    return;
  }
  // If the user undoes back to the base during a PUT, that is a change against the PUT's text.
  step.set({ dirtySince: state.dirtySince ?? nowMs, dueAt: state.dueAt ?? nowMs });
  if (draft.storedGeneration !== state.generation && draft.storingGeneration !== state.generation) {
    const unstoredSince = draft.unstoredSince ?? nowMs;
    const dueAt = Math.min(nowMs + draftAfterMs, unstoredSince + draftWithinMs);
    step.set({ draft: { ...draft, unstoredSince, dueAt } });
  }
  if (hold?.kind === 'conflict' && hold.safeDueAt === null)
    step.set({ hold: { ...hold, safeDueAt: nowMs + safeAfterMs } });
}

function stillBlocks<Doc>(
  step: Step<Doc>,
  reason: { readonly kind: string; readonly limitBytes?: number },
): boolean {
  const { doc } = step.state;
  if (reason.kind === 'too_large')
    return step.docs.byteLength(doc) > (reason.limitBytes ?? 0) && step.isDirty;
  return true;
}

export function onSaveAsked<Doc>(step: Step<Doc>): void {
  const { state } = step;
  if (state.hold?.kind === 'blocked' && state.hold.reason.kind !== 'too_large')
    step.set({ hold: null, retryAt: null });
  if (step.isDirty || state.sending !== null) {
    step.set({ wasAsked: true });
    if (step.isDirty) step.set({ dueAt: step.nowMs });
    return;
  }
  if (state.hold === null) step.say({ kind: 'saved' });
}

export function onLeft<Doc>(step: Step<Doc>, page: boolean): void {
  const { state, nowMs } = step;
  step.set({ mayClose: true, isLeft: state.isLeft || page });
  if (step.isDirty && state.dueAt !== null) step.set({ dueAt: Math.min(state.dueAt, nowMs) });
  if (page) wantConflictSafe(step);
  wantDraftNow(step);
}

/** The user no longer looks at the conflict: its text must not stay on this device only. */
function wantConflictSafe<Doc>(step: Step<Doc>): void {
  const { hold } = step.state;
  if (hold?.kind === 'conflict' && hold.safeDueAt !== null)
    step.set({ hold: { ...hold, safeDueAt: step.nowMs } });
}

export function onClosed<Doc>(step: Step<Doc>): void {
  step.set({ isClosing: true });
  onLeft(step, false);
  wantConflictSafe(step);
}

export function onShown<Doc>(step: Step<Doc>, page: boolean): void {
  const { hold, isLeft } = step.state;
  step.set({ mayClose: false, isClosing: false, isLeft: isLeft && !page });
  // The subscription may have been renewed. The next PUT finds out.
  if (hold?.kind === 'blocked' && hold.reason.kind === 'read_only') step.set({ hold: null });
}

export function wantDraftNow<Doc>(step: Step<Doc>): void {
  const { draft } = step.state;
  if (draft.dueAt !== null) step.set({ draft: { ...draft, dueAt: step.nowMs } });
}

/** Stores the draft when it is due. One at a time. */
export function proceedWithDraft<Doc>(step: Step<Doc>): void {
  const { nowMs, state } = step;
  const { draft } = state;
  if (draft.dueAt === null || draft.dueAt > nowMs || draft.storingGeneration !== null) return;
  step.set({ draft: { ...draft, storingGeneration: state.generation, dueAt: null, unstoredSince: null } });
  const copy = state.hold?.kind === 'conflict' ? state.hold.copy : null;
  step.do({
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

export function onDraftStored<Doc>(step: Step<Doc>, generation: number): void {
  const { draft } = step.state;
  if (draft.storingGeneration !== generation) return;
  step.set({
    draft: {
      ...draft,
      storedGeneration: generation,
      storingGeneration: null,
      failing: false,
      awaitedSince: null,
    },
  });
}

export function onDraftFailed<Doc>(step: Step<Doc>, generation: number): void {
  const { draft } = step.state;
  if (draft.storingGeneration !== generation) return;
  const dueAt = step.isDirty ? step.nowMs + draftRetryMs : null;
  step.set({ draft: { ...draft, storingGeneration: null, failing: true, awaitedSince: null, dueAt } });
  // The server keeps the text if this device cannot.
  if (step.isDirty) wantConflictSafe(step);
}

export function dropDraft<Doc>(step: Step<Doc>): void {
  const { draft } = step.state;
  if (draft.storedGeneration !== null || draft.storingGeneration !== null) step.do({ kind: 'drop_draft' });
  step.set({ draft: { ...noDraft, failing: draft.failing } });
}

/** Stores the draft of an unchanged text again, for a new fact: its copy or its base. */
export function renewDraft<Doc>(step: Step<Doc>): void {
  const { draft } = step.state;
  if (draft.failing && draft.storedGeneration === null) return;
  step.set({ draft: { ...draft, dueAt: step.nowMs, unstoredSince: draft.unstoredSince ?? step.nowMs } });
}

/**
 * Whether this device keeps the text, so that the server need not keep a copy. A PUT waits briefly for its draft; a
 * store that fails or hangs does not block it. A closing page cannot wait for the result.
 */
export function draftOfText<Doc>(step: Step<Doc>): 'kept' | 'not_kept' | 'wait' {
  const { nowMs, state } = step;
  const { draft } = state;
  if (draft.storedGeneration === state.generation) return 'kept';
  if (draft.failing || state.isClosing) return 'not_kept';
  const awaitedSince = draft.awaitedSince ?? nowMs;
  if (nowMs >= awaitedSince + draftWaitMs) {
    step.set({ draft: { ...draft, awaitedSince: null } });
    return 'not_kept';
  }
  const dueAt = draft.storingGeneration === state.generation ? draft.dueAt : nowMs;
  step.set({ draft: { ...draft, awaitedSince, dueAt } });
  return 'wait';
}
