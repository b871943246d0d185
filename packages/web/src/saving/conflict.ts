import { dropDraft, renewDraft, textChanged } from './local-text.ts';
import type { Choice, Turn } from './messages.ts';
import { type ConflictHold, type Copy, type Sending, safeAfterMs, type Theirs } from './state.ts';

/** Others changed the same passages: do not overwrite them until the user has chosen. */
export function holdConflict<Doc>(
  turn: Turn<Doc>,
  { theirs, copy }: { readonly theirs: Theirs<Doc> | null; readonly copy: Copy<Doc> | null },
): void {
  const before = turn.state.hold?.kind === 'conflict' ? turn.state.hold : null;
  const { draft, generation, isLeft } = turn.state;
  // The page was left, or only this page has the text: make it safe without delay.
  const isUrgent = isLeft || (draft.failing && draft.storedGeneration !== generation);
  const hold: ConflictHold<Doc> = {
    kind: 'conflict',
    theirs: theirs ?? before?.theirs ?? null,
    copy: copy ?? before?.copy ?? null,
    wanted: before?.wanted ?? null,
    safeDueAt: before === null ? turn.nowMs + (isUrgent ? 0 : safeAfterMs) : before.safeDueAt,
    refusedFor: null,
  };
  turn.set({ hold, dueAt: null, races: 0, wasAsked: false });
  if (copy !== null) copyMade(turn);
}

/** A version newer than the shown one. A choice based on the shown one must be made again. */
export function theirsIsNewer<Doc>(turn: Turn<Doc>, theirs: Theirs<Doc>): void {
  const { hold } = turn.state;
  if (hold?.kind !== 'conflict') return;
  const isOther = hold.theirs !== null && hold.theirs.hash !== theirs.hash;
  const isOvertaken = isOther && (hold.wanted === 'merged' || hold.wanted === 'replace');
  turn.set({ hold: { ...hold, theirs, wanted: isOvertaken ? null : hold.wanted } });
  if (isOvertaken) turn.say({ kind: 'moved_on', who: theirs.who, version: theirs.version });
}

export function takeChoice<Doc>(turn: Turn<Doc>, choice: Choice<Doc>): void {
  const { hold } = turn.state;
  if (choice.kind === 'discard') {
    turn.set({
      doc: turn.state.base.doc,
      generation: turn.state.generation + 1,
      dueAt: null,
      dirtySince: null,
    });
    turn.do({ kind: 'show', doc: turn.state.base.doc });
    dropDraft(turn);
    return;
  }
  if (hold?.kind === 'deleted' && choice.kind === 'save_again' && turn.isDirty) {
    turn.set({ hold: { ...hold, wanted: true, refusedFor: null } });
    return;
  }
  if (choice.kind === 'save_again') return;
  if (hold?.kind !== 'conflict' || hold.theirs === null) return;
  switch (choice.kind) {
    case 'keep_both':
    case 'replace':
      turn.set({ hold: { ...hold, wanted: choice.kind, refusedFor: null } });
      return;
    case 'merged': {
      const { theirs } = hold;
      if (theirs.hash !== choice.left.hash || turn.state.foreign !== null) {
        turn.say({ kind: 'moved_on', who: theirs.who, version: theirs.version });
        return;
      }
      turn.set({
        doc: choice.doc,
        generation: turn.state.generation + 1,
        hold: { ...hold, wanted: 'merged', refusedFor: null },
      });
      turn.do({ kind: 'show', doc: choice.doc });
      textChanged(turn);
      return;
    }
  }
}

/**
 * Ends a conflict without a real choice. A text without own changes needs no copy: theirs is shown. A text that equals
 * theirs, by editing or because the kept one was discarded, leaves nothing to choose.
 */
export function dropEmptyChoice<Doc>(turn: Turn<Doc>): void {
  const { hold, doc } = turn.state;
  if (hold?.kind !== 'conflict') return;
  if (hold.wanted === null && hold.theirs !== null && turn.docs.equal(doc, hold.theirs.doc)) {
    const { who: _, ...base } = hold.theirs;
    turn.set({ base, hold: null });
    textChanged(turn);
    return;
  }
  const isNothing = !turn.isDirty || turn.docs.isEmpty(doc);
  const isKept = hold.copy !== null && hold.copy.doc !== null && turn.docs.equal(hold.copy.doc, doc);
  if (!isNothing && !isKept) return;
  if (hold.safeDueAt !== null) turn.set({ hold: { ...hold, safeDueAt: null } });
  if (hold.wanted === 'keep_both') showTheirs(turn, isKept ? hold.copy : null);
}

export function choiceDue<Doc>(turn: Turn<Doc>): 'aside' | 'over_theirs' | null {
  const { hold } = turn.state;
  if (hold?.kind !== 'conflict' || hold.theirs === null) return null;
  if (hold.wanted === 'replace' || hold.wanted === 'merged') return 'over_theirs';
  if (hold.wanted === 'keep_both') return 'aside';
  return hold.safeDueAt !== null && turn.nowMs >= hold.safeDueAt ? 'aside' : null;
}

function copyMade<Doc>(turn: Turn<Doc>): void {
  const { hold, doc } = turn.state;
  if (hold?.kind !== 'conflict' || hold.copy === null) return;
  const isWhole = hold.copy.doc !== null && turn.docs.equal(hold.copy.doc, doc);
  turn.set({ hold: { ...hold, safeDueAt: isWhole ? null : turn.nowMs + safeAfterMs } });
  renewDraft(turn);
}

function showTheirs<Doc>(turn: Turn<Doc>, copy: Copy<Doc> | null): void {
  const { hold, generation } = turn.state;
  if (hold?.kind !== 'conflict' || hold.theirs === null) return;
  const { who: _, ...base } = hold.theirs;
  turn.set({ base, doc: base.doc, generation: generation + 1, hold: null });
  turn.do({ kind: 'show', doc: base.doc });
  if (copy !== null) turn.say({ kind: 'kept_as', copyPath: copy.path });
  textChanged(turn);
}

/** A choice replaced the newest version: saving continues automatically. */
export function choiceLanded<Doc>(turn: Turn<Doc>, { aim }: Sending<Doc>, version: number): void {
  const { hold } = turn.state;
  if (hold?.kind !== 'conflict' || (aim !== 'merged' && aim !== 'replace')) return;
  const copy =
    hold.copy === null ? null : { path: hold.copy.path, version: hold.copy.version, hash: hold.copy.hash };
  turn.set({ hold: null });
  turn.say({ kind: aim === 'merged' ? 'merged_saved' : 'replaced', version, copy });
}
