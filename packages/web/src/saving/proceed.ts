import { choiceDue, dropEmptyChoice } from './conflict.ts';
import { draftOfText } from './local-text.ts';
import type { Turn } from './messages.ts';
import { outlive, sendAgain, startAside, startPut, startReading } from './requests.ts';
import type { BlockReason, Precondition } from './state.ts';

/**
 * Starts the next request if it is due. One at a time, in this order: check a lost PUT, read changes by others, send
 * the user's choice, send the text. So no request overwrites a known, unmerged change.
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
  // The file may have been moved: a PUT would create a second file at the old path.
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
      // The newest version must be read before the user can choose.
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

/** A full workspace is retried now and then; every other reason needs the user. */
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
  const { path } = turn.state;
  const draft = draftOfText(turn);
  if (draft === 'wait') return;
  startPut(turn, { aim, path, precondition, refuse: draft === 'kept' && precondition.kind === 'version' });
}

/**
 * The response of a PUT was lost. If it went to a copy, the same bytes are sent again and make no second copy.
 * Otherwise the file is read first, because others may have written since.
 */
function settle<Doc>(turn: Turn<Doc>): void {
  if (turn.state.sending?.aim === 'aside') sendAgain(turn);
  else startReading(turn);
}
