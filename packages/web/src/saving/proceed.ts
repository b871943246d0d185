import { choiceDue, dropEmptyChoice } from './conflict.ts';
import { draftOfText } from './local-text.ts';
import type { Turn } from './messages.ts';
import { outlive, sendAgain, startAside, startPut, startReading } from './requests.ts';
import type { BlockReason, Precondition } from './state.ts';

/**
 * Starts the next request, if its time has come. One at a time, in this order: what became of a lost PUT; what others
 * changed; what a person chose; the text. So nothing is ever sent over a change that is known and not merged.
 */
export function proceed<Doc>(turn: Turn<Doc>): void {
  const { nowMs } = turn;
  if (turn.state.hold?.kind === 'gone') return;
  if (turn.state.link.kind === 'offline' && turn.state.link.until !== null && nowMs >= turn.state.link.until)
    turn.set({ link: { kind: 'up' } });
  const { state } = turn;
  if (state.link.kind !== 'up' || state.reading !== null || state.merging !== null) return;
  if (state.sending !== null && state.unsureSince === null) {
    if (state.isClosing) outlive(turn);
    return;
  }
  // It may have been moved: a PUT would make a second file at the old path.
  if (state.pendingDelete !== null) return;
  if (state.retryAt !== null && nowMs < state.retryAt) return;
  if (state.unsureSince !== null) {
    settle(turn);
    return;
  }
  if (state.foreign !== null) {
    startReading(turn);
    return;
  }
  const { hold } = state;
  switch (hold?.kind) {
    case undefined:
      if (state.dueAt !== null && nowMs >= state.dueAt && turn.isDirty) sendText(turn, 'save', baseOf(turn));
      return;
    case 'conflict': {
      // Until the newest version has been read there is nothing to choose between.
      if (hold.theirs === null) {
        startReading(turn);
        return;
      }
      dropEmptyChoice(turn);
      const due = choiceDue(turn);
      if (due === 'aside') {
        startAside(turn);
        return;
      }
      if (due === 'over_theirs')
        sendText(turn, hold.wanted === 'merged' ? 'merged' : 'replace', {
          kind: 'version',
          version: hold.theirs.version,
          hash: hold.theirs.hash,
        });
      return;
    }
    case 'deleted':
      if (hold.wanted || (isFullNoLonger(hold.refusedFor, nowMs) && turn.isDirty))
        sendText(turn, 'again', { kind: 'none' });
      return;
    case 'blocked':
      if (!isFullNoLonger(hold.reason, nowMs)) return;
      turn.set({ hold: null });
      proceed(turn);
      return;
  }
}

/** A full workspace is asked again now and then; everything else waits for a person. */
function isFullNoLonger(reason: BlockReason | null, nowMs: number): boolean {
  return reason?.kind === 'full' && nowMs >= reason.againAt;
}

function baseOf<Doc>(turn: Turn<Doc>): Precondition {
  const { version, hash } = turn.state.base;
  return { kind: 'version', version, hash };
}

function sendText<Doc>(
  turn: Turn<Doc>,
  aim: 'save' | 'merged' | 'replace' | 'again',
  precondition: Precondition,
): void {
  const { hold, doc, path } = turn.state;
  if (turn.docs.isEmpty(doc)) {
    const reason = { kind: 'empty' } as const;
    if (hold?.kind === 'conflict') turn.set({ hold: { ...hold, wanted: null, refusedFor: reason } });
    else if (hold?.kind === 'deleted') turn.set({ hold: { ...hold, wanted: false, refusedFor: reason } });
    else turn.set({ hold: { kind: 'blocked', reason }, dueAt: null });
    return;
  }
  const draft = draftOfText(turn);
  if (draft === 'wait') return;
  startPut(turn, { aim, path, precondition, refuse: draft === 'kept' && precondition.kind === 'version' });
}

/**
 * The answer of a PUT was lost. Into a copy the same bytes are simply sent again: they make no second copy. Otherwise
 * the file is read first, since others may have written meanwhile.
 */
function settle<Doc>(turn: Turn<Doc>): void {
  if (turn.state.sending?.aim === 'aside') sendAgain(turn);
  else startReading(turn);
}
