import { dropDraft, renewDraft, textChanged } from './local-text.ts';
import type { Choice, Step } from './messages.ts';
import { type ConflictHold, type Copy, type Sending, safeAfterMs, type Theirs } from './state.ts';

/** Others changed the same passages: do not overwrite them until the user has chosen. */
export function holdConflict<Doc>(
  step: Step<Doc>,
  { theirs, copy }: { readonly theirs: Theirs<Doc> | null; readonly copy: Copy<Doc> | null },
): void {
  const before = step.state.hold?.kind === 'conflict' ? step.state.hold : null;
  const { draft, generation, isLeft } = step.state;
  // The page was left, or only this page has the text: make it safe without delay.
  const isUrgent = isLeft || (draft.failing && draft.storedGeneration !== generation);
  const hold: ConflictHold<Doc> = {
    kind: 'conflict',
    theirs: theirs ?? before?.theirs ?? null,
    copy: copy ?? before?.copy ?? null,
    wanted: before?.wanted ?? null,
    safeDueAt: before === null ? step.nowMs + (isUrgent ? 0 : safeAfterMs) : before.safeDueAt,
    rejectedFor: null,
  };
  step.set({ hold, dueAt: null, races: 0, wasAsked: false });
  if (copy !== null) copyMade(step);
}

/** A version newer than the shown one. A choice based on the shown one must be made again. */
export function theirsIsNewer<Doc>(step: Step<Doc>, theirs: Theirs<Doc>): void {
  const { hold } = step.state;
  if (hold?.kind !== 'conflict') return;
  const isOther = hold.theirs !== null && hold.theirs.hash !== theirs.hash;
  const isOvertaken = isOther && (hold.wanted === 'merged' || hold.wanted === 'replace');
  step.set({ hold: { ...hold, theirs, wanted: isOvertaken ? null : hold.wanted } });
  if (isOvertaken) step.say({ kind: 'moved_on', who: theirs.who, version: theirs.version });
}

export function takeChoice<Doc>(step: Step<Doc>, choice: Choice<Doc>): void {
  const { hold } = step.state;
  if (choice.kind === 'discard') {
    step.set({
      doc: step.state.base.doc,
      generation: step.state.generation + 1,
      dueAt: null,
      dirtySince: null,
    });
    step.do({ kind: 'show', doc: step.state.base.doc });
    dropDraft(step);
    return;
  }
  if (hold?.kind === 'deleted' && choice.kind === 'save_again' && step.isDirty) {
    step.set({ hold: { ...hold, wanted: true, rejectedFor: null } });
    return;
  }
  if (choice.kind === 'save_again') return;
  if (hold?.kind !== 'conflict' || hold.theirs === null) return;
  switch (choice.kind) {
    case 'keep_both':
    case 'replace':
      step.set({ hold: { ...hold, wanted: choice.kind, rejectedFor: null } });
      return;
    case 'merged': {
      const { theirs } = hold;
      if (theirs.hash !== choice.left.hash || step.state.foreign !== null) {
        step.say({ kind: 'moved_on', who: theirs.who, version: theirs.version });
        return;
      }
      step.set({
        doc: choice.doc,
        generation: step.state.generation + 1,
        hold: { ...hold, wanted: 'merged', rejectedFor: null },
      });
      step.do({ kind: 'show', doc: choice.doc });
      textChanged(step);
      return;
    }
  }
}

/**
 * Ends a conflict without a real choice. A text without own changes needs no copy: theirs is shown. A text that equals
 * theirs, by editing or because the kept one was discarded, leaves nothing to choose.
 */
export function dropEmptyChoice<Doc>(step: Step<Doc>): void {
  const { hold, doc } = step.state;
  if (hold?.kind !== 'conflict') return;
  if (hold.wanted === null && hold.theirs !== null && step.docs.equal(doc, hold.theirs.doc)) {
    const { who: _, ...base } = hold.theirs;
    step.set({ base, hold: null });
    textChanged(step);
    return;
  }
  const isNothing = !step.isDirty || step.docs.isEmpty(doc);
  const isKept = hold.copy !== null && hold.copy.doc !== null && step.docs.equal(hold.copy.doc, doc);
  if (!isNothing && !isKept) return;
  if (hold.safeDueAt !== null) step.set({ hold: { ...hold, safeDueAt: null } });
  if (hold.wanted === 'keep_both') showTheirs(step, isKept ? hold.copy : null);
}

export function choiceDue<Doc>(step: Step<Doc>): 'aside' | 'over_theirs' | null {
  const { hold } = step.state;
  if (hold?.kind !== 'conflict' || hold.theirs === null) return null;
  if (hold.wanted === 'replace' || hold.wanted === 'merged') return 'over_theirs';
  if (hold.wanted === 'keep_both') return 'aside';
  return hold.safeDueAt !== null && step.nowMs >= hold.safeDueAt ? 'aside' : null;
}

function copyMade<Doc>(step: Step<Doc>): void {
  const { hold, doc } = step.state;
  if (hold?.kind !== 'conflict' || hold.copy === null) return;
  const isWhole = hold.copy.doc !== null && step.docs.equal(hold.copy.doc, doc);
  step.set({ hold: { ...hold, safeDueAt: isWhole ? null : step.nowMs + safeAfterMs } });
  renewDraft(step);
}

function showTheirs<Doc>(step: Step<Doc>, copy: Copy<Doc> | null): void {
  const { hold, generation } = step.state;
  if (hold?.kind !== 'conflict' || hold.theirs === null) return;
  const { who: _, ...base } = hold.theirs;
  step.set({ base, doc: base.doc, generation: generation + 1, hold: null });
  step.do({ kind: 'show', doc: base.doc });
  if (copy !== null) step.say({ kind: 'kept_as', copyPath: copy.path });
  textChanged(step);
}

/** A choice replaced the newest version: saving continues automatically. */
export function choiceLanded<Doc>(step: Step<Doc>, { aim }: Sending<Doc>, version: number): void {
  const { hold } = step.state;
  if (hold?.kind !== 'conflict' || (aim !== 'merged' && aim !== 'replace')) return;
  const copy =
    hold.copy === null ? null : { path: hold.copy.path, version: hold.copy.version, hash: hold.copy.hash };
  step.set({ hold: null });
  step.say({ kind: aim === 'merged' ? 'merged_saved' : 'replaced', version, copy });
}
